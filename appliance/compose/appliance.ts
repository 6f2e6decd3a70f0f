import { isIP } from 'node:net';
import { addressPolicy } from '#shared/matching/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { createCaller } from '../delivery/callback/index.ts';
import { OutboxPolicy } from '../delivery/outbox/index.ts';
import { Redelivery } from '../delivery/redelivery.ts';
import { ApplianceEngine } from '../engine/engine.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import { createOperations } from '../engine/operations.ts';
import { openReplica } from '../io/config/index.ts';
import { ownAddresses } from '../io/egress/index.ts';
import { aesCbc, openFrameListener } from '../io/frame-listener/index.ts';
import { createCallbackClient, createSigner } from '../io/http/index.ts';
import type { StartedMedia } from '../io/media-worker/index.ts';
import { openLookup } from '../io/resolve/index.ts';
import { digestCrypto } from '../io/sip-transport/index.ts';
import {
  deflate,
  inflate,
  type LogLevel,
  openHostMeter,
  type RecentLog,
  watchFiles,
} from '../io/system/index.ts';
import { openWebRtc } from '../io/webrtc/index.ts';
import type { TraceEntry } from '../kernel/session-trace.ts';
import type { AnswerOperation } from '../operation/index.ts';
import { hostActs, tellBundle, tellReturn } from '../site/host/host-act.ts';
import { siteJournal } from '../site/host/peer/site-journal.ts';
import { bracketed, clock, random, sha256Hex } from './adapters.ts';
import { damageBook, replicaDamage } from './damage.ts';
import { openDisk, trustOf } from './disk.ts';
import { healthInfo, readyOf } from './health.ts';
import { within } from './late.ts';
import { framesInto } from './listener.ts';
import { openListeners } from './listeners.ts';
import { mediaFigures } from './media-figures.ts';
import { openHostMetric, standingOfHost } from './metric.ts';
import { operationSetting } from './operation.ts';
import { peerFeed } from './peer-feed.ts';
import { openPeers } from './peers.ts';
import { privacyOperations } from './privacy.ts';
import { type Queue, queueOf } from './queue.ts';
import { outboxOperations } from './redelivery.ts';
import { registrationOperations } from './registration.ts';
import { openRelease } from './release.ts';
import { remoteOperations } from './remote.ts';
import { openRenewal } from './renewal.ts';
import { startSchedules } from './schedule.ts';
import { openSendingFrames } from './sending.ts';
import { alarmsEnd, inProgress, reportFinalState } from './shutdown.ts';
import { openNetwork } from './sip-network.ts';
import { openSite } from './site.ts';
import type { FeedOrigin } from './site-feed.ts';
import { openSound, recordingPage } from './sound.ts';
import { standingOf } from './status.ts';
import { openHostSupervision } from './supervision.ts';
import { openTechnician } from './technician.ts';
import { keptText } from './text-store.ts';
import { openTime } from './time.ts';
import { pulseOf } from './watchdog.ts';
import { openWipe } from './wipe.ts';

/** The daemon on the site, answering. */
export interface RunningAppliance {
  readonly ready: Readonly<Record<string, unknown>>;
  /** Resolves when the tenant's configuration is in force; rejects with one sentence after `withinMs`. */
  readonly configured: (withinMs: number) => Promise<void>;
  readonly trace: (traceId: string) => Promise<readonly TraceEntry[]>;
  /** What of this program does not answer now: the watchdog's question. */
  readonly faults?: () => Promise<readonly string[]>;
  /** Resolves when it has wiped itself and is no host any more. */
  readonly removed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** What `main.ts` has begun already. */
export interface Begun {
  readonly config: ApplianceConfig;
  /** Of the log; may be changed while the program runs. */
  readonly level: { now: LogLevel };
  readonly kept: RecentLog;
  readonly media: StartedMedia;
  readonly closing: (() => unknown)[];
  readonly close: () => Promise<void>;
}

/** Everything is constructed and joined here, a part a file in `compose`; what must end later is noted in `closing`, last first. */
export async function compose({
  config,
  level,
  kept,
  media: workers,
  closing,
  close,
}: Begun): Promise<RunningAppliance> {
  const { log } = kept;
  const run = (work: Promise<unknown>): void => {
    work.catch((cause: unknown) =>
      log('error', 'background.work_failed', 'Work in the background failed', { cause: String(cause) }),
    );
  };
  const audio = mediaFigures(workers);
  const { media } = audio;
  const metric = openHostMetric();
  closing.push(metric.close);
  const damage = damageBook(log, () => ports.place.hostId);
  const { journal, disk } = await openDisk(config, metric.synced, damage, closing);
  const trustPem = trustOf(config);
  const reachable = {
    allowPrivate: config.allowPrivate,
    listeners: () =>
      [...network.bound, ...config.http.all].map(({ host, port }) => ({ address: host, port })),
    extraCas: trustPem === undefined ? [] : [trustPem],
  };
  const client = createCallbackClient(reachable);
  closing.push(() => client.close());
  const time = await openTime(config.data, journal.boot, client, log);
  closing.push(time.stop);

  const webrtc = openWebRtc({
    ports: config.icePorts,
    extraHosts: isIP(config.address) === 0 ? [] : [config.address],
  });
  closing.push(() => webrtc.end());
  const sound = openSound(config, {
    trustPem,
    log,
    tenant: () => site.tenant,
    identity: () => site.identity,
  });
  closing.push(() => sound.close());
  const replica = openReplica(config.data, (found) => damage.found(replicaDamage(found)));
  closing.push(() => replica.close());
  const meter = await openHostMeter(config.data);
  closing.push(() => meter.stop());
  const cameFrom = new Map<string, FeedOrigin>();
  const site = openSite(config, {
    onManifest: (scope, from) => cameFrom.set(scope, from),
    meter,
    // Whoever keeps copies of our rows hears as well what the cloud has.
    journal: { ...journal, acknowledge: (...ack) => ports.journal.acknowledge(...ack) },
    replica,
    trustPem,
    log,
    run,
    storable: disk.storable,
    load: () => runtime.load,
    operate: (request) => operate(request),
    promptBytes: sound.promptBytes,
    remote: () => remote,
    care: () => care,
    peers: () => peers,
    time,
    metric,
  });
  const peers = openPeers(config, {
    journal: disk.journal,
    replica,
    storable: disk.storable,
    log,
    run,
    runtime: () => runtime,
    site: () => site,
    watch: (twice) =>
      care.watch.fault('serviceFailure', 'vip', twice ? 'two hosts hold the address of the site' : undefined),
    care: () => care,
    faults: () => health.reasons(),
    operateAs: (hostId) => operateAs(hostId),
    ...peerFeed(() => site.identity),
    ports: () => ports,
  });
  const verifyKeys = () => site.tenant.access.verifyKeys;
  let standing = standingOf(config, site.identity, verifyKeys);
  const queue: Queue = queueOf(config, () => ({ ...ports, operate }));
  closing.push(() => queue.close());
  const ports: EnginePorts = {
    clock,
    traceMs: () => performance.timeOrigin + performance.now(),
    random,
    journal: siteJournal({
      journal: disk.journal,
      copies: peers.copies,
      onHeld: (row) => runtime.delivery.release(row, 'the journal cannot be written'),
      log,
    }),
    media,
    sound,
    webrtc,
    call: metric.caller(
      createCaller({ post: time.post, sign: createSigner(), sha256Hex, random, clock: time.signing }),
    ),
    notLetIn: metric.notLetIn,
    ...(queue.face && { queue: queue.face }),
    handshakes: keptText(config.data, 'handshake.json'),
    usage: keptText(config.data, 'usage.json'),
    signReply: (input) => standing.sign(input),
    sha256Hex,
    inflate,
    deflate,
    tenant: () => site.tenant,
    get place() {
      const { place } = standing;
      return place.epoch === peers.epoch ? place : { ...place, epoch: peers.epoch };
    },
    log,
    run,
  };
  const frames = openSendingFrames(log);
  closing.push(() => frames.close());
  const runtime: ApplianceEngine = new ApplianceEngine(ports, {
    outbox: new OutboxPolicy({
      now: { wallMs: clock.wallMs(), monoMs: clock.monoMs() },
      runningMs: journal.runningMs,
      random: Math.random,
    }),
    crypto: digestCrypto(),
    aesCbc,
    frames,
    send: (flow, bytes) => network.send(flow, bytes),
    connect: (hop, withinMs) => network.connect(hop, withinMs),
    lookup: openLookup({ monoMs: clock.monoMs }),
    contactAt: (flow, isPrivate) =>
      `${network.hostTowards(flow, config.address, isPrivate)}:${network.portTowards(flow)}`,
    inviteRate: config.inviteRate,
    verifyToken: (token) => standing.readToken(token),
    audioPolicy: addressPolicy({ ...reachable, ownAddresses }),
    audioTowards: (remote) => network.audioTowards(remote, config.address),
    sentBy: (flow) => `${network.hostTowards(flow, config.address)}:${flow.localPort}`,
    // Before the first configuration nobody knows where an alarm goes: the device tries its next receiver.
    canStore: () => site.configured && (disk.storable() || peers.copies.available()),
  });
  const network = openNetwork({ runtime: () => runtime, sound, trustPem, log });
  const operations = operationSetting(runtime, (input, signature) => standing.verify(input, signature));
  const operateAs = (hostId: string): AnswerOperation =>
    createOperations({ clock, tenant: ports.tenant, place: { ...ports.place, hostId } }, operations);
  const operate = peers.answer;
  const health = healthInfo(
    site,
    disk.storable,
    () => runtime,
    audio,
    () => ({ sick: care.watch.sick, processor: care.processor() }),
    peers.mayHaveAddress,
    metric.text,
  );
  metric.watch(standingOfHost({ journal, site, time, peers }));
  const tellAct = hostActs(ports, () => site.identity !== undefined);
  const technician = openTechnician(config, { site, health, kept, run, runtime, journal });
  const doors = openListeners(config, {
    site,
    standing: () => standing,
    technician,
    tellAct,
    network,
    trustPem,
    operate,
    health,
    recordings: recordingPage(sound, ports),
    metric,
    log,
  });
  // The HTTPS listener is done when its last WebSocket is, and those are the network's.
  closing.push(
    () => doors.close(),
    () => network.close(),
  );
  let opened = Promise.resolve();
  const show = async (identity: typeof site.identity): Promise<void> => {
    await Promise.all([doors.open(identity), queue.open(identity)]);
  };
  const renewal = openRenewal(config, { log, run, trustPem, site, show });
  closing.push(renewal.stop);
  const upgrade = openRelease(config, { reachable, log, run });
  const { bundle, selfTest } = technician;
  const redelivery = new Redelivery(journal, runtime.delivery);
  const remote = {
    ...remoteOperations({ site, kept, renewal, bundle, upgrade, selfTest }),
    ...outboxOperations(redelivery),
    ...registrationOperations(runtime.registrations),
    ...privacyOperations(journal, sound.shelf, log, runtime.sending),
  };
  site.reported.add((news) => {
    metric.reported(news);
    tellReturn(tellAct, news);
    tellBundle(tellAct, news, cameFrom.get(news.scope));
  });
  site.identified.add((identity) => {
    standing = standingOf(config, identity, verifyKeys);
    run(peers.open(identity));
    opened = show(identity);
    run(opened);
    renewal.start();
  });
  const care = openHostSupervision(config, {
    ports,
    journal,
    storable: disk.storable,
    replica,
    meter,
    media,
    network,
    runtime,
    site,
    time,
    peers: () => peers.view,
    isHeld: peers.isHeld,
    tellAct,
    setLogLevel: (to) => {
      level.now = to ?? config.log;
    },
  });
  closing.push(care.stop);
  const waiting = (): number => {
    const { alarm, svc, audit, usage } = journal.waiting();
    return alarm + svc + audit + usage + (inProgress(runtime) ? 1 : 0);
  };
  const settle = () => reportFinalState(runtime);
  const removed = Promise.withResolvers<void>();
  const wipe = openWipe(config, { log, run, waiting, settle, close, removed: removed.resolve });
  closing.push(() => wipe.stop());
  site.twinTaken.add((twin) => {
    care.twinChanged(twin);
    wipe.twinChanged(twin);
  });
  site.start();
  closing.push(() => site.stop());
  // What is on the disk is in force before the first packet comes.
  if (site.identity !== undefined && replica.standings().tenant.rev > 0) await site.whenConfigured();
  if (site.identity !== undefined) await peers.open(site.identity);
  await peers.compared();
  closing.push(peers.close);
  await media.warm;
  runtime.restore();
  // Before the first configuration there is no tenant to tell.
  run(site.whenConfigured().then(() => damage.tellBy(runtime.alarms)));
  closing.push(
    () => runtime.pages.flush(),
    () => runtime.usage.flush(),
  );
  startSchedules(config, { runtime, journal, sound, site, redelivery, log, run }, closing);
  await network.open(config.sip.udp, config.sip.tcp);
  closing.push(() => runtime.trunks.close());
  const panels = await openFrameListener(config.dc09, framesInto(runtime, log));
  closing.push(() => panels.close());
  await show(site.identity);
  if (config.tlsFiles !== undefined) {
    const { cert, key } = config.tlsFiles;
    closing.push(watchFiles([cert, key], () => run(show(site.identity))));
  }
  care.start();
  peers.listening();
  closing.push(() => alarmsEnd(runtime));
  return {
    get ready() {
      return {
        ...readyOf(config, network, site.identity),
        dc09: panels.bound.length === 0 ? null : `${bracketed(panels.host)}:${panels.port}`,
      };
    },
    configured: (withinMs) =>
      within(
        site.whenConfigured().then(() => opened),
        withinMs,
      ),
    trace: async (traceId) => journal.trace(traceId).flatMap(({ body }) => JSON.parse(body) as TraceEntry[]),
    faults: pulseOf({
      listeners: {
        sip: () => network.bound,
        https: () => doors.bound,
        dc09: () => panels.bound,
        commandQueue: queue.bound,
        peer: () => peers.bound,
      },
      media,
      journal,
      log,
    }),
    removed: removed.promise,
    close,
  };
}
