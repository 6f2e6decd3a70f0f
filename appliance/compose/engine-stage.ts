import { addressPolicy } from '#shared/matching/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { createCaller } from '../delivery/callback/index.ts';
import { CallbackCopies } from '../delivery/copy/index.ts';
import { OutboxPolicy } from '../delivery/outbox/index.ts';
import { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import { ownAddresses } from '../io/egress/index.ts';
import { aesCbc } from '../io/frame-listener/index.ts';
import { createSigner } from '../io/http/index.ts';
import type { StartedMedia } from '../io/media-worker/index.ts';
import { openLookup } from '../io/resolve/index.ts';
import { digestCrypto } from '../io/sip-transport/index.ts';
import { deflate, inflate, type Log } from '../io/system/index.ts';
import { type SessionRecorder, sessionLog } from '../record/index.ts';
import { siteJournal } from '../site/host/peer/site-journal.ts';
import { clock, random, sha256Hex } from './adapters.ts';
import type { DiskStage } from './disk-stage.ts';
import { openSendingFrames } from './frame.ts';
import type { LateParts } from './late-part.ts';
import type { MediaStage } from './media-stage.ts';
import { queueOf } from './queue.ts';
import { openNetwork } from './sip-network.ts';
import type { SiteStage } from './site-stage.ts';
import { keptText } from './text-store.ts';

/** Fourth stage: the engine with its ports, the command queue and the sockets of SIP, not yet listening. */
export function openEngineStage(
  config: ApplianceConfig,
  parts: {
    readonly stored: DiskStage;
    readonly audio: MediaStage;
    readonly host: SiteStage;
    readonly media: StartedMedia;
    readonly recorder: SessionRecorder;
    readonly late: LateParts;
    readonly log: Log;
    readonly run: (work: Promise<unknown>) => void;
    readonly closing: (() => unknown)[];
  },
) {
  const { stored, audio, host, media, recorder, late, run, closing } = parts;
  const log = sessionLog(parts.log, recorder.names);
  const { journal, disk, trustPem, reachable, time, post, metric, loop } = stored;
  const { sound, webrtc } = audio;
  const { site, peers, standing } = host;
  const tenant = () => site.tenant;
  const place = () => {
    const { place: own } = standing.now;
    return own.epoch === peers.epoch ? own : { ...own, epoch: peers.epoch };
  };
  const copies = new CallbackCopies({
    ...{ isOn: () => tenant().notification.callbackCopies === true, wallMs: clock.wallMs, sha256Hex },
    salt: Buffer.from(random(16)).toString('hex'),
  });
  const queue = queueOf(config, () => ({ clock, tenant, place: place(), log, operate: peers.answer }));
  closing.push(() => queue.close());
  const ports: EnginePorts = late.ports.set({
    clock,
    timers: loop.timers,
    traceMs: () => performance.timeOrigin + performance.now(),
    sessions: recorder,
    random,
    journal: siteJournal({
      journal: disk.journal,
      copies: peers.copies,
      onHeld: (row) => late.engine.now.delivery.release(row, 'the journal cannot be written'),
      log,
    }),
    media,
    sound,
    webrtc,
    call: copies.copying(
      metric.caller(
        createCaller({
          ...{ post, sign: createSigner(), sha256Hex, random },
          clock: { monoMs: clock.monoMs, wallMs: time.signingMs },
        }),
      ),
    ),
    notLetIn: (reason, source) => {
      metric.notLetIn(reason);
      recorder.attempted(source, reason);
    },
    ...(queue.commands && { queue: queue.commands }),
    handshakes: keptText(config.data, 'handshake.json'),
    usage: keptText(config.data, 'usage.json'),
    alarmQueueIsThere: () => site.hasAlarmQueue,
    signReply: (input) => standing.now.sign(input),
    sha256Hex,
    inflate,
    deflate,
    tenant,
    get place() {
      return place();
    },
    wakeBy: loop.wakeBy,
    log,
    run,
  });
  const frames = openSendingFrames(log, stored.capture?.sentFrames);
  closing.push(() => frames.close());
  const { network } = late;
  const engine = late.engine.set(
    new ApplianceEngine(ports, {
      outbox: new OutboxPolicy({
        now: { wallMs: clock.wallMs(), monoMs: clock.monoMs() },
        runningMs: journal.runningMs,
        random: Math.random,
      }),
      crypto: digestCrypto(),
      aesCbc,
      frames,
      send: (flow, bytes) => network.now.send(flow, bytes),
      connect: (hop, withinMs) => network.now.connect(hop, withinMs),
      lookup: openLookup({ monoMs: clock.monoMs }),
      contactAt: (flow, isPrivate) =>
        `${network.now.hostTowards(flow, config.address, isPrivate)}:${network.now.portTowards(flow)}`,
      inviteRate: config.inviteRate,
      unknownUnitRate: config.unknownUnitRate,
      verifyToken: (token) => standing.now.readToken(token),
      audioPolicy: addressPolicy({ ...reachable, ownAddresses }),
      audioTowards: (remote) => network.now.audioTowards(remote, config.address),
      sentBy: (flow) => `${network.now.hostTowards(flow, config.address)}:${flow.localPort}`,
      // Before the first configuration the destination of an alarm is unknown: the device tries its next receiver.
      canStore: () => site.configured && (disk.storable() || peers.copies.available()),
    }),
  );
  network.set(openNetwork({ runtime: engine, sound, trustPem, tap: stored.capture?.sip, log }));
  return { queue, ports, engine, copies, network: network.now };
}

export type EngineStage = ReturnType<typeof openEngineStage>;
