import type { ConcurrencyLimit } from '#shared/concurrency-limit.ts';
import {
  type Birth,
  CHECK_PLACE,
  configReportSchema,
  type EventBatch,
  eventBatchSchema,
  type Heartbeat,
  type HostPlace,
  type HostState,
  type HostTopic,
  heartbeatSchema,
  type Lane,
  laneOf,
  PAYLOAD_LIMIT_BYTES,
  parseTopic,
  type RemoteResponse,
  remoteResponseSchema,
  stateSchema,
} from '#shared/contract/feed/index.ts';
import { parseWithoutNul } from '#shared/contract/nul.ts';
import { laneSeqs, type Store } from '../../store/index.ts';
import type { AlarmTable } from '../alarm/alarm-table.ts';
import type { MonitoringPort } from '../alarm/port.ts';
import { duplicateHostText } from '../alarm/wording.ts';
import type { HostTable, Known } from '../host/host-table.ts';
import type { IdentityTable } from '../host/identity-table.ts';
import type { ReportedTurns } from '../host/turn.ts';
import {
  factsOfBirth,
  factsOfHeartbeat,
  type Revisions,
  revisionsOfBirth,
  revisionsOfHeartbeat,
} from '../host/uplink-record.ts';
import type { Watch } from '../presence/watch.ts';
import type { Meter } from '../usage/meter.ts';
import type { ConfigIntake } from './config-intake.ts';
import type { Downlink } from './downlink.ts';
import { takeEvents } from './event-intake.ts';
import { HeartbeatBatch } from './heartbeat-batch.ts';

const REBIRTH_MS = 5_000;

export interface UplinkDependencies {
  readonly watch: Watch;
  readonly hosts: HostTable;
  readonly alarms: AlarmTable;
  readonly downlink: Downlink;
  readonly turns: ReportedTurns;
  readonly identities: IdentityTable;
  readonly meter: Meter;
  readonly reports: ConfigIntake;
  readonly limit: ConcurrencyLimit;
}

interface Message {
  readonly from: HostTopic;
  readonly payload: Buffer;
}

/** Takes what hosts say, in order for each host. */
export class Uplink {
  readonly #port: MonitoringPort;
  readonly #dependencies: UplinkDependencies;
  readonly #heartbeats: HeartbeatBatch<Message>;

  constructor(port: MonitoringPort, dependencies: UplinkDependencies) {
    this.#port = port;
    this.#dependencies = dependencies;
    this.#heartbeats = new HeartbeatBatch({
      soon: port.soon,
      // The next owner of its shard hears the next one.
      take: (message) => {
        if (port.shards.owns(message.from.sh)) this.#inTurn(message);
      },
    });
  }

  message(topic: string, payload: Buffer): void {
    const from = parseTopic(topic);
    // A retained state that was cleared comes as an empty message.
    if (from === undefined || payload.length === 0) return;
    // The trial of the broker speaks in the place of a host, and is none.
    if (from.tenant === CHECK_PLACE.tenant) return;
    if (!this.#port.shards.owns(from.sh)) {
      this.#foreign(from, payload);
      return;
    }
    if (from.leaf === 'up/hb') {
      this.#heartbeats.add({ from, payload });
      return;
    }
    // The heartbeats of a host stay in order with its other messages.
    this.flush();
    this.#inTurn({ from, payload });
  }

  /** Takes heartbeats that wait for others. */
  flush(): void {
    this.#heartbeats.flush();
  }

  #inTurn({ from, payload }: Message): void {
    this.#dependencies.turns.add(from.uid, async () => {
      const problem =
        payload.length > PAYLOAD_LIMIT_BYTES ? 'is too long' : await this.#take(from, jsonOf(payload));
      if (problem !== undefined)
        this.#port.log('warn', 'host_message.dropped', 'Dropped a message of a host', {
          uid: from.uid,
          leaf: from.leaf,
          problem,
        });
    });
  }

  /** The owner of its shard hears it, too. Here only the answer to a question of this replica is taken. */
  #foreign({ leaf, uid }: HostTopic, payload: Buffer): void {
    if (leaf !== 'up/res' || payload.length > PAYLOAD_LIMIT_BYTES) return;
    const { data } = remoteResponseSchema.safeParse(jsonOf(payload));
    const { downlink } = this.#dependencies;
    if (data !== undefined) downlink.remote.answer(uid, data, this.#port.clock.wallMs());
  }

  /** Why the message was dropped, or undefined. */
  async #take(from: HostTopic, body: unknown): Promise<string | undefined> {
    const { leaf, ...place } = from;
    const entry = await this.#dependencies.hosts.at(place);
    if (entry === undefined) return 'comes from a place that is not that of a host';
    const lane = laneOf(leaf);
    if (entry.leaving && lane === undefined && leaf !== 'up/state' && leaf !== 'up/rec')
      return 'comes from a host that leaves';
    if (lane !== undefined) return await read(eventBatchSchema, body, (it) => this.#events(entry, lane, it));
    switch (leaf) {
      case 'up/state':
        return await read(stateSchema, body, (it) => this.#state(entry, it));
      case 'up/hb':
        return await read(heartbeatSchema, body, (it) => this.#heartbeat(entry, it));
      case 'up/cfg':
        return await read(configReportSchema, body, async (it) => this.#dependencies.reports.take(entry, it));
      case 'up/res':
        return await read(remoteResponseSchema, body, (it) => this.#response(entry, it));
      case 'up/rec':
        this.#records(entry, body);
        return undefined;
      default:
        return 'is on no topic of hosts';
    }
  }

  #storeOf({ sh }: HostPlace): Store {
    return this.#port.shards.storeOf(sh);
  }

  async #state(entry: Known, state: HostState): Promise<void> {
    if (state.st === 'on') {
      try {
        await this.#birth(entry, state);
      } catch (error) {
        // The next heartbeat asks for it once more.
        entry.sid = undefined;
        entry.birthNo = undefined;
        throw error;
      }
      return;
    }
    // The broker keeps this word now: a birth behind it is a new message.
    entry.birthNo = undefined;
    const { sid, why, eta = 0 } = state;
    const nowMs = this.#port.clock.monoMs();
    const { uid } = entry.host.place;
    if (why === undefined) this.#dependencies.watch.input(uid, { kind: 'will', atMs: nowMs, sid });
    else this.#dependencies.watch.input(uid, { kind: 'stop', atMs: nowMs, sid, why, etaS: eta });
  }

  async #birth(entry: Known, birth: Birth): Promise<void> {
    const { watch, hosts, downlink, limit } = this.#dependencies;
    const { place } = entry.host;
    // A broker keeps the birth and delivers it with each of our subscriptions, also of a host that died with an earlier broker.
    const isReplay = entry.sid === birth.sid && entry.birthNo !== undefined && birth.birthNo <= entry.birthNo;
    entry.sid = birth.sid;
    entry.birthNo = birth.birthNo;
    entry.revisions = revisionsOfBirth(birth);
    hosts.report(entry, { ...entry.facts, ...factsOfBirth(birth) });
    if (!isReplay) watch.input(place.uid, { kind: 'birth', atMs: this.#port.clock.monoMs(), sid: birth.sid });
    const { sw, siteBaseUrl } = birth;
    await hosts.write(entry, { version: sw.agent, siteBaseUrl });
    await this.#obeyed(entry, birth);
    await this.#settled(entry);
    this.#proveIdentity(entry, birth);
    const { store, records } = this.#port;
    const [lanes, recordSeq] = await limit.run(
      async () => [await laneSeqs(store, place.uid), await records.seqOf(place.uid)] as const,
    );
    await downlink.acknowledge(place, lanes, recordSeq);
  }

  /** Work that waited for this host goes on when it follows the twin that asks for it. */
  async #obeyed(entry: Known, said: { readonly life: string; readonly twinRev: number }): Promise<void> {
    if (!entry.awaited) return;
    const { place } = entry.host;
    const { uid } = place;
    const at = this.#port.clock.wallMs();
    const isObeyed = await this.#storeOf(place).withTx((tx) => this.#port.life.obeyed(tx, uid, said, at));
    if (isObeyed) entry.awaited = false;
  }

  #proveIdentity({ host: { place, hostId } }: Known, { inst }: Birth): void {
    const { identities, alarms, turns } = this.#dependencies;
    if (inst === undefined || !identities.born(place.uid, inst, this.#port.clock.monoMs())) return;
    const newAlarm = duplicateHostText(hostId);
    turns.addLasting(place.uid, place.sh, () =>
      this.#storeOf(place).withTx((tx) => alarms.raise(tx, { ...place, hostId }, newAlarm)),
    );
  }

  async #heartbeat(entry: Known, heartbeat: Heartbeat): Promise<void> {
    const { watch, hosts, downlink, meter } = this.#dependencies;
    const { place } = entry.host;
    const nowMs = this.#port.clock.monoMs();
    meter.heartbeat();
    const before = watch.presence(place.uid);
    // A connection that never ended: not the host was away, but what we thought of it.
    if (before?.phase === 'offline' && before.raisedMs !== undefined && before.sid === heartbeat.sid)
      meter.falseOffline();
    entry.clockOffsetS = (heartbeat.ts - this.#port.clock.wallMs()) / 1_000;
    if (heartbeat.sid !== entry.sid && nowMs - entry.rebirthAskedMs >= REBIRTH_MS) {
      entry.rebirthAskedMs = nowMs;
      await downlink.ask(place, 'rebirth', {});
    }
    watch.input(place.uid, { kind: 'heartbeat', atMs: nowMs, sid: heartbeat.sid });
    const revisions = revisionsOfHeartbeat(heartbeat);
    const names = Object.keys(revisions) as (keyof Revisions)[];
    const moved = names.some((name) => entry.revisions[name] !== revisions[name]);
    const { svc = {}, roles = [] } = entry.facts;
    const follows = entry.facts.life !== heartbeat.life || entry.facts.twinRev !== heartbeat.twinRev;
    if (moved) entry.revisions = revisions;
    hosts.report(entry, factsOfHeartbeat(entry.facts, heartbeat));
    entry.dirty = true;
    const turned = !isSame(svc, entry.facts.svc) || !isSame(roles, entry.facts.roles ?? []);
    // Its status says `online` again only when it follows the order to serve.
    if (moved || turned || follows) await hosts.write(entry);
    // Also where an earlier heartbeat said it first, and could not be written.
    await this.#obeyed(entry, heartbeat);
    await this.#settled(entry);
  }

  /** Its report may have been lost with a connection, or with us: that it works every heartbeat says, too. */
  async #settled({ lifecycle, facts, host: { place } }: Known): Promise<void> {
    const { good, kept } = facts;
    if (lifecycle !== 'commissioning' || good !== true || kept === undefined) return;
    const actor = { name: `host:${place.uid}`, address: '', requestId: '', at: this.#port.clock.wallMs() };
    const inService = await this.#storeOf(place).withTx((tx) =>
      this.#port.life.settled(tx, place.uid, kept, actor),
    );
    if (!inService) return;
    await this.#dependencies.hosts.relearn(place.uid);
    this.#port.onHostChanged(place.uid);
  }

  async #response(entry: Known, response: RemoteResponse): Promise<void> {
    const { watch, downlink } = this.#dependencies;
    const { uid } = entry.host.place;
    const { clock } = this.#port;
    if (!downlink.remote.answer(uid, response, clock.wallMs())) return;
    watch.input(uid, { kind: 'pong', atMs: clock.monoMs() });
  }

  async #events(entry: Known, lane: Lane, batch: EventBatch): Promise<void> {
    const { alarms, downlink } = this.#dependencies;
    const { place, hostId } = entry.host;
    const receivedAt = this.#port.clock.wallMs();
    const { life, queue } = this.#port;
    const { seq, moved, then } = await this.#storeOf(place).withTx((tx) =>
      takeEvents(tx, place, lane, batch, receivedAt, { alarms, life, queue }, hostId),
    );
    for (const each of then) each();
    // Only now, after the commit: the host forgets what is acknowledged.
    await downlink.acknowledge(place, { [lane]: seq });
    if (!moved) return;
    await this.#dependencies.hosts.relearn(place.uid);
    this.#port.onHostChanged(place.uid);
  }

  /** In a turn of their own: an event of the host never waits for its records. */
  #records({ host: { place, hostId } }: Known, batch: unknown): void {
    const { downlink, turns } = this.#dependencies;
    const { records, clock, log } = this.#port;
    turns.add(`${place.uid} records`, async () => {
      const seq = await records.take(place, hostId, batch, clock.wallMs());
      if (seq !== undefined) return await downlink.acknowledge(place, {}, seq);
      log('warn', 'host_message.dropped', 'Dropped a message of a host', {
        ...{ uid: place.uid, leaf: 'up/rec', problem: 'is not understood' },
      });
    });
  }
}

/** Parts of facts are mostly one object for all hosts that say the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

async function read<T>(
  schema: { readonly safeParse: (value: unknown) => { readonly data?: T | undefined } },
  body: unknown,
  then: (value: T) => Promise<void>,
): Promise<string | undefined> {
  const { data } = schema.safeParse(body);
  if (data === undefined) return 'is not understood';
  await then(data);
  return undefined;
}

/** A device may have sent NUL in a text; the event is taken without it, or its lane would stop at this database. */
function jsonOf(payload: Buffer): unknown {
  try {
    return parseWithoutNul(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}
