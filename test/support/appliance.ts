import { createHash, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameProtocol, MessageProtocol } from '#appliance/alarm/protocol/index.ts';
import type { FrameCaller } from '#appliance/alarm/sending/index.ts';
import type { InviteRates } from '#appliance/call/control/index.ts';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import type { Connect } from '#appliance/call/trunk/index.ts';
import type {
  CallbackCall,
  CallbackTarget,
  ChainOutcome,
  Delivery,
} from '#appliance/delivery/callback/index.ts';
import { type JournalWrite, OutboxPolicy, type OutboxRow } from '#appliance/delivery/outbox/index.ts';
import type { UnknownUnitRates } from '#appliance/delivery/stranger-budget.ts';
import { ApplianceEngine } from '#appliance/engine/engine.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import { type MediaQuality, measured } from '#appliance/engine/media-quality.ts';
import { randomPool } from '#appliance/io/crypto/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { deflate, inflate } from '#appliance/io/system/index.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import type { TraceEntry } from '#appliance/kernel/session-trace.ts';
import type { Media } from '#appliance/media/control/index.ts';
import type { WebRtc } from '#appliance/media/webrtc/index.ts';
import { SessionRecorder } from '#appliance/record/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, type SipMessage, writeRequest, writeResponse } from '#appliance/sip/message/index.ts';
import { type Copies, siteJournal } from '#appliance/site/host/peer/site-journal.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedAlarmEventMapperSchema,
  replicatedDeviceSchema,
} from '#shared/contract/provisioning/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { bracketed } from '#shared/host-port.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { AddressPolicy } from '#shared/matching/index.ts';
import { recordWatch } from '#test/appliance/record/record-watch.ts';
import { type TestRecords, testRecords } from '#test/appliance/record/test-records.ts';
import type {} from '#test/effect/effect-log.ts';
import { contractFault } from '#test/support/callback-contract.ts';
import { testMedia } from '#test/support/media.ts';
import { testNetwork } from '#test/support/network.ts';
import { writerHere } from '#test/support/storage/writer-here.ts';

/** One callback as the application gets it, and how it answers. */
export interface Posted {
  readonly target: CallbackTarget;
  readonly call: CallbackCall;
  readonly delivery: Delivery;
  readonly body: Record<string, unknown>;
  readonly answer: (outcome: ChainOutcome) => void;
}

export const answered = (body: unknown, status = 200): ChainOutcome => ({
  kind: 'answered',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  credential: 0,
});

/** Says each change to the engine, as a host does once a configuration is applied. */
class FollowedTenant extends TenantModel {
  changed: () => void = () => undefined;

  override apply(changes: Parameters<TenantModel['apply']>[0]): void {
    super.apply(changes);
    this.changed();
  }
}

const DOMAIN = 'care.example';
const AUDIO_STEP_MS = 20;

export interface TestOptions {
  readonly folder?: string;
  /** Address of this host, where two appliances stand on one network. */
  readonly address?: string;
  readonly hostId?: string;
  /** Records of an earlier life; without it none. */
  readonly records?: TestRecords;
  /** Boot of the kernel that this life runs on; without it that of this machine. */
  readonly bootId?: string;
  /** Another host of the site that keeps its rows too; without it none does. */
  readonly copies?: Copies;
  readonly domain?: string;
  /** Address of this host in private networks; without it the one it is known by. */
  readonly privateAddress?: string;
  /** Where audio of cloud SIP user agents may go; without it to public addresses. */
  readonly audioPolicy?: AddressPolicy;
  /** Our address towards one of theirs; without it this host has one family. */
  readonly audioTowards?: (remote: string) => string | undefined;
  /** Carries DC-09 frames to receivers; without it there is no way for them. */
  readonly frames?: FrameCaller;
  /** Protocols of messages; without it those of the product. */
  readonly messageProtocols?: readonly MessageProtocol[];
  /** Protocols of frames beside DC-09; without it those of the product. */
  readonly frameProtocols?: readonly FrameProtocol[];
  /** Real time and a real network instead of the fake ones; the test calls `runtime.advance`. */
  readonly real?: {
    readonly clock: EnginePorts['clock'];
    readonly send: (flow: Flow, bytes: Buffer) => void;
    readonly connect: Connect;
    /** Named deadlines of the engine. */
    readonly wakeBy?: (dueMs: number) => void;
    /** Where requests in a dialog find us. */
    readonly contactAt?: (flow: Flow) => string;
    /** Real audio, on this address; without it the engine runs on the fake network. */
    readonly audio?: { readonly media: Media; readonly webrtc: WebRtc; readonly address: string };
  };
  /** Prompts, recordings and streams; without it there are none. */
  readonly sound?: SoundAdapters;
  /** Counts the legs of calls; without it they are not counted. */
  readonly quality?: MediaQuality;
  /** Connections of browsers; without it there are none. */
  readonly webrtc?: WebRtc;
  /** Keeps what was used; without it nothing is counted. */
  readonly usage?: NonNullable<EnginePorts['usage']>;
  /** The command queue of the site; without it there is none. */
  readonly queue?: NonNullable<EnginePorts['queue']>;
  /** Whether the line to a control plane with an alarm queue is up; without it there is none. */
  readonly alarmQueue?: () => boolean;
  /** New calls that may begin; without it the usual. */
  readonly inviteRate?: InviteRates | 'off';
  /** Alarms of unknown units that are taken; without it the usual. */
  readonly unknownUnitRate?: UnknownUnitRates | 'off';
  readonly verifyToken?: (token: string) => { readonly typ: unknown; readonly payload: unknown } | undefined;
  /** Random bytes of the engine and of its audio; without it those of the machine. */
  readonly random?: RandomBytes;
}

/** A whole appliance on a fake clock, a fake network and a fake application; only the journal is a real file. */
export async function testAppliance(options: TestOptions = {}) {
  // A recording of effects: real sockets and real time would differ in each run.
  const effects = options.real === undefined ? globalThis.carillonEffects : undefined;
  const given = options.random ?? effects?.random;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'carillon-test-'));
  const bootId = options.bootId === undefined ? {} : { bootId: options.bootId };
  const file = await openJournal({ file: join(folder, 'journal.db'), ...bootId, beginWriter: writerHere });
  let broken = false;
  let slow: Promise<void> | undefined;
  let held = 0;
  /** `quiet` waits for work that has just begun to wait for the world outside. */
  let begunOutside = Promise.withResolvers<void>();
  let refuses: ((writes: readonly JournalWrite[]) => boolean) | undefined;
  const journal: typeof file = {
    ...file,
    commit: (writes) => {
      effects?.note('journal', clock.monoMs(), JSON.stringify(writes));
      if (broken || refuses?.(writes)) return Promise.reject(new Error('no space left on device'));
      if (slow === undefined) return file.commit(writes);
      held++;
      return slow.finally(() => held--).then(() => file.commit(writes));
    },
  };
  const domain = options.domain ?? DOMAIN;
  const tenant = new FollowedTenant(domain);
  const ownAddress = options.address ?? '192.0.2.10';
  let monoMs = 1_000;
  const media = testMedia({
    ...{ startMs: monoMs, host: ownAddress },
    ...(given && { random: given }),
  });
  const measuredMedia = options.quality === undefined ? media.media : measured(media.media, options.quality);
  let wallOffMs = 0;
  /** When the loop of a real host would look next: no deadline may lie before it. */
  let armedMs = Number.NEGATIVE_INFINITY;
  const advance = (): void => {
    runtime.advance();
    armedMs = runtime.nextDueMs();
  };
  const clock = options.real?.clock ?? {
    wallMs: () => 1_770_000_000_000 + wallOffMs + monoMs,
    monoMs: () => monoMs,
  };
  const address = options.real?.audio?.address ?? ownAddress;
  const webrtc = options.real?.audio?.webrtc ?? options.webrtc;
  const sent: { readonly flow: Flow; readonly bytes: Buffer }[] = [];
  const posted: Posted[] = [];
  const logged: string[] = [];
  const running = new Set<Promise<unknown>>();
  let unanswered = 0;
  let canStore = true;
  let automatic: ((posted: Posted) => ChainOutcome | undefined) | undefined;
  const note: EnginePorts['log'] = (level, event, message, detail) => {
    if (level === 'debug') return;
    const line = `${level} ${event} ${message} ${JSON.stringify(detail ?? {})}`;
    logged.push(line);
    effects?.note('log', clock.monoMs(), line);
  };
  const onHeld = (row: OutboxRow): void => runtime.delivery.release(row, 'the journal cannot be written');
  const wakeBy = (dueMs: number): void => {
    armedMs = Math.min(armedMs, dueMs);
    options.real?.wakeBy?.(dueMs);
  };
  const timers = openTimers({ clock, wakeBy, log: note });
  const records = options.records ?? testRecords();
  const recorder = new SessionRecorder({
    ...{ clock, timers, log: note },
    sink: {
      put(record) {
        watch.put(record);
        records.put(record);
      },
      running: () => records.running(),
    },
    configRevision: () => 7,
    program: 'test',
  });
  const watch = recordWatch(recorder);
  records.onClear(watch.clear);
  const ports: EnginePorts = {
    clock,
    timers,
    sessions: watch.observer,
    notLetIn: (reason, source) => recorder.attempted(source, reason),
    wakeBy,
    traceMs: () => clock.wallMs(),
    random: given ?? randomPool(),
    journal: options.copies ? siteJournal({ journal, copies: options.copies, onHeld, log: note }) : journal,
    media: options.real?.audio?.media ?? measuredMedia,
    ...(webrtc && { webrtc }),
    ...(options.queue && { queue: options.queue }),
    ...(options.sound && { sound: options.sound }),
    ...(options.usage && { usage: options.usage }),
    ...(options.alarmQueue && { alarmQueueIsThere: options.alarmQueue }),
    call: async (target, call, delivery) => {
      unanswered++;
      if (delivery.inTurn !== undefined) await delivery.inTurn();
      return await new Promise((resolve) => {
        const body = JSON.parse(call.body) as Record<string, unknown>;
        const answer = (outcome: ChainOutcome) => {
          unanswered--;
          resolve(outcome);
        };
        effects?.note('callback', clock.monoMs(), `${call.path} ${call.body}`);
        const one = { target, call, delivery, body, answer };
        posted.push(one);
        const fault = call.path === '' ? contractFault(call.path, body) : undefined;
        // Not for the delivery to catch: the program of the tests ends with it.
        if (fault !== undefined)
          queueMicrotask(() => {
            throw new Error(fault);
          });
        try {
          const outcome = automatic?.(one);
          if (outcome !== undefined) answer(outcome);
        } catch (defect) {
          unanswered--;
          throw defect;
        }
      });
    },
    signReply: (input) => createHash('sha256').update(input).digest(),
    sha256Hex: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    inflate,
    deflate,
    tenant: () => tenant,
    place: {
      siteId: 'north',
      hostId: options.hostId ?? 'box-1',
      siteBaseUrl: 'https://box-1.example:8443',
      address,
      epoch: 1,
    },
    log: note,
    run: (work) => {
      running.add(work);
      void work.catch((cause) => logged.push(`defect ${cause}`)).finally(() => running.delete(work));
    },
  };
  const key = effects?.random(32) ?? randomBytes(32);
  const network = testNetwork();
  const runtime = new ApplianceEngine(ports, {
    outbox: new OutboxPolicy({
      now: { wallMs: clock.wallMs(), monoMs: clock.monoMs() },
      runningMs: journal.runningMs,
      random: () => 0.5,
    }),
    crypto: {
      hash: (algorithm, text) => hash(algorithm === 'MD5' ? 'md5' : 'sha256', text),
      hmac: (text) => createHmac('sha256', key).update(text).digest('hex'),
      equal: (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b)),
    },
    aesCbc,
    ...(options.audioPolicy && { audioPolicy: options.audioPolicy }),
    ...(options.audioTowards && { audioTowards: options.audioTowards }),
    ...(options.frames && { frames: options.frames }),
    ...(options.messageProtocols && { messageProtocols: options.messageProtocols }),
    ...(options.frameProtocols && { frameProtocols: options.frameProtocols }),
    send:
      options.real?.send ??
      ((flow, bytes) => {
        effects?.note(
          'sip',
          clock.monoMs(),
          `${flow.remoteAddress}:${flow.remotePort} ${bytes.toString('latin1')}`,
        );
        sent.push({ flow, bytes });
      }),
    connect: options.real?.connect ?? ((hop) => network.connect(hop)),
    lookup: network.lookup,
    contactAt:
      options.real?.contactAt ??
      ((_, isPrivate) => `${bracketed((isPrivate && options.privateAddress) || address)}:5060`),
    inviteRate: options.inviteRate,
    unknownUnitRate: options.unknownUnitRate,
    verifyToken: options.verifyToken ?? (() => undefined),
    canStore: () => canStore,
  });
  tenant.changed = () => runtime.configurationChanged();
  let branches = 0;

  /** Audio runs along, in steps short enough that what it tells comes at its time. */
  async function pass(untilMs: number): Promise<void> {
    while (monoMs < untilMs && media.openLegs.length > 0 && runtime.nextDueMs() >= untilMs) {
      monoMs = Math.min(untilMs, monoMs + AUDIO_STEP_MS);
      const before = media.events.length;
      media.advanceTo(monoMs);
      if (media.events.length > before) await appliance.quiet();
    }
    if (media.openLegs.length > 0 && runtime.nextDueMs() < untilMs) return;
    monoMs = Math.max(monoMs, untilMs);
    media.advanceTo(monoMs);
  }

  const appliance = {
    runtime,
    journal,
    tenant,
    address,
    domain,
    sent,
    network,
    media,
    posted,
    logged,
    folder,
    clock,
    /** Answers every callback at once from now on; undefined leaves it open. */
    answerBy(answer: (posted: Posted) => ChainOutcome | undefined) {
      automatic = answer;
    },
    /** Every commit fails, as on a full disk. */
    breakDisk(yes: boolean) {
      broken = yes;
    },
    /** Work of the world outside, which `quiet` does not wait for. */
    outside<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
      held++;
      begunOutside.resolve();
      begunOutside = Promise.withResolvers<void>();
      return work.finally(() => held--);
    },
    /** Commits wait from now on, until what comes back is called. */
    slowDisk(): () => Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      slow = promise;
      return () => {
        slow = undefined;
        resolve();
        return appliance.quiet();
      };
    },
    /** Commits fail for which `refuse` says so; undefined: none. */
    refuseCommits(refuse: ((writes: readonly JournalWrite[]) => boolean) | undefined) {
      refuses = refuse;
    },
    /** A person sets the wall clock; the monotonic one goes on. */
    setWallBy(ms: number) {
      wallOffMs += ms;
    },
    /** One datagram of a device as it is. */
    datagram(text: string) {
      runtime.message(DEVICE_FLOW, Buffer.from(text, 'latin1'));
    },
    storable(yes: boolean) {
      canStore = yes;
    },
    bridge(fields: Record<string, unknown> = {}) {
      const body = replicatedAlarmBridgeSchema.parse({
        id: 'bridge-1',
        protocol: 'scaip',
        name: 'SCAIP',
        destinationMatch: '^scaip$',
        callbackBaseUrl: 'https://app.example/cb',
        ...fields,
      });
      tenant.put('alarmbridge', body.id, body);
      return body;
    },
    /** An event sender, and the bridge `north` that hands its events to it. */
    mapper(targetEndpoint: Record<string, unknown> | undefined, fields: Record<string, unknown> = {}) {
      const body = replicatedAlarmEventMapperSchema.parse({
        id: 'mapper-1',
        name: 'Centre',
        ...(targetEndpoint && { targetEndpoint }),
        ...fields,
      });
      tenant.put('alarmeventmapper', body.id, body);
      return body;
    },
    device(fields: Record<string, unknown>) {
      const body = replicatedDeviceSchema.parse({ authType: 'deviceid', srtp: 'never', ...fields });
      tenant.put('device', body.deviceId, body);
    },
    notify(url: string) {
      tenant.put('notificationsettings', DOMAIN, { alarmFromEdge: true, alarmEventsRestEndpoint: url });
    },
    /** One SIP request from a device over UDP; the Via branch is new unless given. */
    request(
      method: string,
      user: string,
      extra: {
        readonly body?: string | Uint8Array;
        readonly headers?: [string, string][];
        readonly branch?: string;
        readonly uri?: string;
        readonly contentType?: string;
      } = {},
    ) {
      const branch = extra.branch ?? `z9hG4bK${branches++}`;
      const bytes = writeRequest({
        method,
        uri: extra.uri ?? `sip:scaip@${DOMAIN}`,
        headers: [
          ['Via', `SIP/2.0/UDP 192.0.2.50:5060;branch=${branch};rport`],
          ['Max-Forwards', '70'],
          ['From', `<sip:${user}@${DOMAIN}>;tag=${branch}`],
          ['To', `<${extra.uri ?? `sip:scaip@${DOMAIN}`}>`],
          ['Call-ID', `${branch}@192.0.2.50`],
          ['CSeq', `1 ${method}`],
          ...(extra.body === undefined
            ? []
            : ([['Content-Type', extra.contentType ?? 'application/scaip+xml']] as [string, string][])),
          ...(extra.headers ?? []),
        ],
        ...(extra.body === undefined ? {} : { body: Buffer.from(extra.body) }),
      });
      runtime.message(DEVICE_FLOW, bytes);
    },
    /** Everything sent since the last call, parsed. */
    take(): SipMessage[] {
      return sent.splice(0).map(({ bytes }) => {
        const parsed = parseMessage(bytes);
        if (!parsed.ok) throw new Error(`we sent a malformed message: ${parsed.error.reason}`);
        return parsed.value;
      });
    },
    /** The device takes a request of ours. */
    confirm(message: SipMessage, status = 200, more: readonly [string, string][] = []) {
      const headers = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name): [string, string] => [
        name,
        message.header(name) ?? '',
      ]);
      runtime.message(DEVICE_FLOW, writeResponse({ status, reason: 'OK', headers: [...headers, ...more] }));
    },
    /** Lets commits and promises settle; what waits for the application is left waiting. */
    async quiet() {
      for (let idle = 0; idle < 3; idle++) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        while (running.size > unanswered + held) {
          await Promise.race([...running, begunOutside.promise]);
          await new Promise<void>((resolve) => setImmediate(resolve));
          idle = 0;
        }
      }
    },
    async after(ms: number) {
      // Work that was begun before is done before its time passes.
      await appliance.quiet();
      const until = monoMs + ms;
      const nextMs = runtime.nextDueMs();
      // A changed configuration is due at once, and is announced by other means.
      if (nextMs > monoMs && nextMs < armedMs)
        throw new Error(`a deadline in ${nextMs - monoMs} ms was not named to the loop (KernelPorts.wakeBy)`);
      while (monoMs < until || runtime.nextDueMs() <= until) {
        await pass(Math.min(until, Math.max(monoMs, runtime.nextDueMs())));
        if (runtime.nextDueMs() > monoMs) continue;
        advance();
        await appliance.quiet();
      }
    },
    /** Time passes in one stroke, without calls: whatever fell due in it is done once, at its end. */
    async leap(ms: number) {
      monoMs += ms;
      media.leapTo(monoMs);
      advance();
      await appliance.quiet();
    },
    records,
    recorder,
    /** The records of sessions of this kind, the oldest first, once their statistics are in. */
    async recorded(kind?: SessionRecord['kind']): Promise<SessionRecord[]> {
      await appliance.after(400);
      return records.all().filter((record) => kind === undefined || record.kind === kind);
    },
    trace(traceId: string): TraceEntry[] {
      return journal.trace(traceId).flatMap(({ body }) => JSON.parse(body) as TraceEntry[]);
    },
    async close(keep = false) {
      await appliance.quiet();
      await runtime.pages.flush().catch(() => undefined);
      recorder.flush();
      await journal.close();
      if (!keep) rmSync(folder, { recursive: true, force: true });
      const faults = watch.faults();
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
  return Object.assign(appliance, { ports });
}

const DEVICE_FLOW: Flow = {
  transport: 'UDP',
  reliable: false,
  localAddress: '192.0.2.10',
  localPort: 5060,
  remoteAddress: '192.0.2.50',
  remotePort: 5060,
  connection: 0,
};
