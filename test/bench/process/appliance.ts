import { generateKeyPairSync, hash } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { createCaller } from '#appliance/delivery/callback/index.ts';
import { OutboxPolicy } from '#appliance/delivery/outbox/index.ts';
import { ApplianceEngine } from '#appliance/engine/engine.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import { randomPool } from '#appliance/io/crypto/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { createCallbackClient, createSigner, replyKey } from '#appliance/io/http/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openLookup } from '#appliance/io/resolve/index.ts';
import { digestCrypto, SipNetwork } from '#appliance/io/sip-transport/index.ts';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { benchCapture } from '../capture/bench-capture.ts';
import { engineLoop } from '../support/engine-loop.ts';
import { Answering } from './answering.ts';
import type { ApplianceAsk, ApplianceReady, ApplianceReport, ApplianceSetting } from './appliance-setting.ts';
import { fixedTenant } from './fixed-tenant.ts';
import { type Served, serveParent } from './serve-parent.ts';
import { storedNotes } from './stored-notes.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
const RTP_PORTS = { from: 24_000, to: 25_999 };
/** The subjects here are SIP and audio: lateness of a shared machine is of no interest. */
const LATE_MS = 500;
const random = randomPool();

/** The appliance without a control plane: the same cores and the same ports as the daemon, and a fixed tenant. */
async function start(
  setting: ApplianceSetting,
): Promise<Served<ApplianceReady, ApplianceAsk, ApplianceReport>> {
  const commits = { callers: 0, batches: 0 };
  const journal = await openJournal({
    file: join(setting.folder, 'journal.db'),
    onBatch: (callers) => {
      commits.callers += callers;
      commits.batches++;
    },
  });
  const rate = setting.clockRate ?? 1;
  const startedMs = Date.now() - performance.now();
  const clock = {
    wallMs: () => Math.floor(startedMs + performance.now() * rate),
    monoMs: () => performance.now() * rate,
  };
  const client = createCallbackClient({
    allowPrivate: ['127.0.0.0/8'],
    extraCas: setting.trust === undefined ? [] : [setting.trust],
  });
  const sha256Hex = (bytes: Uint8Array | string) => hash('sha256', bytes);
  const siteKey = replyKey(
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  );
  const tenant = fixedTenant(setting);
  const notes = storedNotes(setting.notesStored === true);
  const logged: string[] = [];
  const capture = await benchCapture(setting, (reason) => logged.push(reason));
  const media = await openMedia({
    ports: RTP_PORTS,
    workers: 1,
    warmUpMs: 0,
    tooLateMs: LATE_MS,
    log: () => undefined,
  });
  const log: EnginePorts['log'] = (level, event, message, detail) => {
    if (level === 'error' || level === 'warn')
      logged.push(`${level} ${event} ${message} ${JSON.stringify(detail ?? {})}`);
  };
  const loop = engineLoop(rate, (cause) => logged.push(`defect ${cause}`));
  const ports: EnginePorts = {
    clock,
    wakeBy: loop.wakeBy,
    timers: openTimers({ clock, wakeBy: loop.wakeBy, log }),
    media,
    traceMs: () => startedMs + performance.now() * rate,
    random,
    journal: {
      ...journal,
      commit: (writes) => journal.commit(writes).then(() => notes.committed(writes)),
    },
    call: createCaller({
      post: capture?.posting(client.postJson) ?? client.postJson,
      sign: createSigner(),
      sha256Hex,
      random,
      clock,
    }),
    signReply: siteKey.sign,
    sha256Hex,
    inflate: (bytes, maxOutputLength) => {
      try {
        return inflateSync(bytes, { maxOutputLength });
      } catch {
        return undefined;
      }
    },
    deflate: (bytes) => deflateSync(bytes),
    tenant: () => tenant,
    place: {
      siteId: 'bench',
      hostId: 'bench-host',
      siteBaseUrl: 'https://127.0.0.1:8443',
      address: LOCAL.host,
      epoch: 1,
    },
    log,
    run: (work) => void work.catch((cause: unknown) => logged.push(`defect ${cause}`)),
  };
  const sip = {
    crypto: digestCrypto(),
    aesCbc,
    send: (flow: Flow, bytes: Buffer) => network.send(flow, bytes),
  };
  const outbox = new OutboxPolicy({
    now: { wallMs: clock.wallMs(), monoMs: clock.monoMs() },
    runningMs: journal.runningMs,
    random: Math.random,
  });
  const engine =
    setting.part === 'answering'
      ? new Answering(ports, sip)
      : new ApplianceEngine(ports, {
          ...sip,
          outbox,
          canStore: () => true,
          connect: (hop, withinMs) => network.connect(hop, withinMs),
          lookup: openLookup({ monoMs: clock.monoMs }),
          contactAt: (flow) => `${network.hostTowards(flow, LOCAL.host)}:${network.portTowards(flow)}`,
          verifyToken: () => undefined,
        });
  const network: SipNetwork = new SipNetwork(
    {
      message: (flow, bytes) => engine.message(flow, bytes),
      closed: (flow) => engine.flowFailed(flow),
      failed: (flow) => engine.flowFailed(flow),
    },
    {
      monoMs: clock.monoMs,
      ...(capture && { tap: capture.sip }),
      ...(setting.trust !== undefined && { trust: [setting.trust] }),
    },
  );
  engine.restore();
  const listening = setting.alsoIPv6 === true ? [LOCAL, { ...LOCAL, host: '::1' }] : [LOCAL];
  await network.open(listening, listening);
  const { tls, trust } = setting;
  if (tls !== undefined)
    await network.secure(listening, () => ({ ...tls, ...(trust !== undefined && { ca: [trust] }) }));
  loop.drive(engine);
  const portsOf = (at: string) => {
    const portOf = (kind: string) =>
      network.bound.find(({ transport, host }) => transport === kind && host === at)?.port;
    return { udp: portOf('UDP') ?? 0, tcp: portOf('TCP') ?? 0, tls: portOf('TLS') };
  };
  return {
    ready: {
      ...portsOf(LOCAL.host),
      ...(setting.alsoIPv6 === true && { ipv6: portsOf('::1') }),
    },
    answer: (asked) => {
      if (asked === 'capture on' || asked === 'capture off') capture?.switchTo(asked === 'capture on');
      const report = {
        ...engine.load,
        counts: { ...engine.endpoint.counts },
        stored: notes.take(),
        logged: logged.splice(0),
        commits: { ...commits },
      };
      commits.callers = 0;
      commits.batches = 0;
      return report;
    },
    async close() {
      loop.stop();
      await network.close();
      await capture?.close();
      await media.close();
      await client.close();
      await journal.close();
    },
  };
}

serveParent(start);
