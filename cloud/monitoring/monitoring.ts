import { ConcurrencyLimit } from '#shared/concurrency-limit.ts';
import { type HostPlace, type RemoteResponse, SHARDS } from '#shared/contract/feed/index.ts';
import type { Family } from '#shared/metric/index.ts';
import { fail, type Result } from '#shared/result.ts';
import {
  type HostRow,
  type HostWithStatus,
  hostsOfUids,
  noteConnectivity,
  storeWith,
  updateHostStatus,
} from '../store/index.ts';
import { AlarmTable } from './alarm/alarm-table.ts';
import { LEADER_SHARD, type MonitoringPort } from './alarm/port.ts';
import { duplicateHostText, silentHostText, unstableHostText } from './alarm/wording.ts';
import { hostFamilies } from './host/host-metric.ts';
import { HostTable, type PendingHostWrite } from './host/host-table.ts';
import { IdentityTable } from './host/identity-table.ts';
import { RevisionTable } from './host/revision-table.ts';
import { SharedSilence } from './host/shared-silence.ts';
import { SiteOutage } from './host/site-outage.ts';
import { ReportedTurns } from './host/turn.ts';
import type { Presence, PresenceEffect } from './presence/presence.ts';
import { type Connectivity, Watch, type WatchEvents } from './presence/watch.ts';
import { ConfigIntake } from './uplink/config-intake.ts';
import { Downlink, type Question } from './uplink/downlink.ts';
import { Uplink } from './uplink/uplink.ts';
import { Meter } from './usage/meter.ts';

/** Rows of hosts of which there is no news but that they live; one shard after the other, so that the database has even work. */
const WRITE_MS = 5 * 60_000;
const SHARD_WRITE_MS = WRITE_MS / SHARDS.length;
const REPEAT_LOOK_MS = 60_000;
/** Sites whose hosts have several owners are judged by their rows so often. */
const FOREIGN_LOOK_MS = 5_000;
/** A host that is merely late may still send something. */
const REACHABLE: readonly Connectivity[] = ['online', 'suspect', 'unstable'];
/**
 * Reads and transactions for hosts under way at once: a request of a person waits for a connection behind so many, and not behind
 * thousands of hosts that come back together.
 */
const AT_ONCE = 12;
/** Turn of what concerns no single host. */
const ALL = '';

export interface Monitoring {
  /** The active alarms, one for each host, error and service. */
  readonly alarms: AlarmTable;
  readonly start: () => Promise<void>;
  /** Loads the hosts of shards that this replica owns now; none of them is judged for a while after it. */
  readonly adopt: (shards: readonly string[], isStart: boolean) => Promise<void>;
  /** Forgets the hosts of shards that are owned no more; `handOver`: their rows get what was heard last, before. */
  readonly leave: (shards: readonly string[], why: 'handOver' | 'lost') => Promise<void>;
  /** Changes of other replicas may have been missed: compares all hosts with their rows. */
  readonly refresh: () => void;
  /** Takes a payload of a host from the broker. */
  readonly message: (topic: string, payload: Buffer) => void;
  /** A shard has a broker, or none; `whole`: it has all of them; `lost`: it has just lost one. */
  readonly shard: (sh: string, up: boolean, whole?: boolean, lost?: boolean) => void;
  /** Once a second. */
  readonly tick: () => void;
  /** The row of this host has changed: life, site, or it is new. */
  readonly hostChanged: (uid: string) => void;
  readonly connectivity: (uid: string) => Connectivity;
  /** Calls for each host that comes, or comes back: it can be asked now. */
  readonly onReturn: (hear: (uid: string) => void) => void;
  /** The last observation of a host. @returns undefined before its first payload. */
  readonly observed: (uid: string) => PendingHostWrite | undefined;
  /**
   * Asks a host over its management connection and waits for the answer, which may be a refusal. Fails with
   * `unreachable` without a connection, with `late` when no answer came; a late one is not heard.
   */
  readonly ask: (uid: string, question: Question) => Promise<Result<RemoteResponse>>;
  readonly counts: () => ReadonlyMap<Connectivity, number>;
  /** For `/metrics`. */
  readonly families: readonly Family[];
  /** Resolves when everything heard so far has been dealt with. */
  readonly idle: () => Promise<void>;
  /** Writes what no row says yet, so that the next start knows who was there. */
  readonly stop: () => Promise<void>;
}

/**
 * Listens to hosts and watches over them: births, heartbeats, reports on configuration and events come in; rows, alarms,
 * acknowledgements and requests go out. All work for one host is done in order.
 */
export function createMonitoring(given: MonitoringPort): Monitoring {
  const limit = new ConcurrencyLimit(AT_ONCE);
  const port = limited(given, limit);
  const { store, shards, clock, log } = port;
  const turns = new ReportedTurns({
    onFailure: (uid, error) =>
      log('warn', 'monitoring.step_failed', 'A step of the monitoring failed', { uid, error: String(error) }),
    isStorageFault: port.isStorageFault,
  });
  const alarms = new AlarmTable(port);
  const meter = new Meter();
  const revisions = new RevisionTable();
  const deaf = store.onChange((revision) => revisions.note(revision, clock.monoMs()));
  const downlink = new Downlink(port);
  const hearers: ((uid: string) => void)[] = [];
  let lastWriteMs = clock.monoMs();
  /** Place of the shard whose hosts are written next. */
  let nextWritten = 0;
  let lastRepeatMs = clock.monoMs();
  let lastOutageMs = clock.monoMs();

  const events: WatchEvents = {
    onEffect: perform,
    onTransition: (uid, from, to, lastSeenMs) => {
      log('info', 'host.presence_changed', 'The presence of a host changed', { uid, from, to });
      meter.transition(from, to);
      const place = to === 'online' ? hosts.get(uid)?.host.place : undefined;
      if (place !== undefined) outage.returned(place);
      const isBack = !REACHABLE.includes(from) && REACHABLE.includes(to);
      if (isBack) for (const hear of hearers) hear(uid);
      const [since, lastSeen, flap] = [clock.wallMs(), hosts.wallOf(lastSeenMs), hosts.flapOf(uid)];
      const set = { connectivity: to, since, lastSeen, flap };
      const sh = hosts.get(uid)?.host.place.sh ?? '';
      turns.addLasting(uid, sh, () =>
        shards.storeOf(sh).withTx(async (tx) => {
          await updateHostStatus(tx, uid, set);
          await noteConnectivity(tx, uid, { at: since, before: from, after: to });
        }),
      );
    },
    onPlatformTrouble: (tenants, on) => silence.alone(tenants, on),
    onTallies: (tallies, nowMs) => silence.note(tallies, nowMs),
  };
  const watch = new Watch(clock.monoMs(), events, shards.ownsAll, (uid) => turns.isBusy(uid));
  const loaded = new Set<string>();
  const silence = new SharedSilence(port, { watch, alarms, turns, isLoaded: (sh) => loaded.has(sh) });
  const hosts = new HostTable(port, watch, limit);
  const relearn = (uid: string): void =>
    turns.addLasting(uid, hosts.get(uid)?.host.place.sh ?? '', () => hosts.relearn(uid));
  const identities = new IdentityTable();
  const outage = new SiteOutage(port, { watch, hosts, alarms, turns });
  const reports = new ConfigIntake(port, { hosts, alarms, turns, meter, revisions });
  const uplink = new Uplink(port, {
    watch,
    hosts,
    alarms,
    downlink,
    turns,
    identities,
    meter,
    reports,
    limit,
  });

  function perform(uid: string, effect: PresenceEffect, presence: Presence): void {
    const entry = hosts.get(uid);
    if (entry === undefined) return;
    // A loss that an answer ends is no transition of an unstable host; its row counts it nevertheless.
    entry.dirty = true;
    const { place, hostId } = entry.host;
    const subject = { tenant: place.tenant, siteId: place.siteId, uid, hostId };
    switch (effect.kind) {
      case 'ping':
        turns.add(uid, () => downlink.ask(place, 'ping', {}));
        return;
      case 'probe':
        probe(uid);
        return;
      case 'raise': {
        if (entry.judged) meter.raised(clock.monoMs() - presence.lastSeenMs);
        if (!entry.judged) return;
        const wall = hosts.wallOf(presence.lastSeenMs);
        const raise = async (foreign: readonly HostWithStatus[]): Promise<void> => {
          const alone = watch.peers(uid).length === 0 && !foreign.some(isOnline);
          const newAlarm = silentHostText(hostId, effect.cause, alone, wall);
          await shards.storeOf(place.sh).withTx((tx) => alarms.raise(tx, subject, newAlarm));
        };
        if (!shards.ownsAll())
          turns.addLasting(uid, place.sh, async () => {
            const foreign = await hosts.foreign(place);
            if (!outage.takes(place, effect.cause, foreign)) await raise(foreign);
          });
        else if (!outage.takes(place, effect.cause)) turns.addLasting(uid, place.sh, () => raise([]));
        return;
      }
      case 'clear':
        outage.returned(place);
        turns.addLasting(uid, place.sh, () =>
          shards.storeOf(place.sh).withTx((tx) => alarms.clear(tx, subject, 'noHeartbeatReply', '')),
        );
        return;
      case 'unstable': {
        const newAlarm = unstableHostText(hostId);
        if (effect.on && !entry.judged) return;
        turns.addLasting(uid, place.sh, () =>
          shards
            .storeOf(place.sh)
            .withTx((tx) =>
              effect.on
                ? alarms.raise(tx, subject, newAlarm)
                : alarms.clear(tx, subject, newAlarm.error, newAlarm.service),
            ),
        );
      }
    }
  }

  function calm(uid: string): void {
    const host = hosts.get(uid)?.host;
    if (host === undefined) return;
    const { error, service } = duplicateHostText(host.hostId);
    const subject = { ...host.place, hostId: host.hostId };
    turns.addLasting(uid, host.place.sh, () =>
      shards.storeOf(host.place.sh).withTx((tx) => alarms.clear(tx, subject, error, service)),
    );
  }

  /** Asks another host of the site whether it sees this one. */
  function probe(uid: string): void {
    const own = hosts.get(uid)?.host.place;
    const near = hosts.get(watch.peers(uid)[0] ?? '')?.host.place;
    if (own === undefined || (near === undefined && shards.ownsAll())) return;
    turns.add(uid, async () => {
      const peer = near ?? (await hosts.foreign(own)).find(isOnline)?.host;
      if (peer === undefined) return;
      await downlink.ask(placeOf(peer), 'probe', { uid }, (response) => {
        const sees = response?.ok ? response.data.sees : undefined;
        if (typeof sees !== 'boolean') return;
        watch.input(uid, { kind: 'peer', atMs: clock.monoMs(), sees });
      });
    });
  }

  /** Where a host that can be asked stands, as it is heard. */
  function reachable(uid: string): HostPlace | undefined {
    return REACHABLE.includes(watch.connectivity(uid)) ? hosts.get(uid)?.host.place : undefined;
  }

  /** The same of a host of another owner, as its row says. */
  async function reachableElsewhere(uid: string): Promise<HostPlace | undefined> {
    if (shards.ownsAll() || hosts.get(uid) !== undefined) return undefined;
    const [row] = await hostsOfUids(store, [uid]);
    return row !== undefined && REACHABLE.includes(row.status.connectivity) ? placeOf(row.host) : undefined;
  }

  return {
    alarms,
    start: async () => {
      await revisions.load(store, clock.monoMs());
    },
    adopt: async (taken, isStart) => {
      await silence.remember();
      for (const site of await hosts.load(new Set(taken), isStart)) outage.remembered(site);
      for (const sh of taken) loaded.add(sh);
    },
    leave: async (left, why) => {
      const dropped = new Set(left);
      for (const sh of left) {
        loaded.delete(sh);
        // Nothing is heard of its hosts from now on, however long their rows take: silence counts against none of them.
        watch.forgetShard(sh);
      }
      turns.leave(dropped);
      reports.leave(dropped);
      try {
        if (why === 'handOver') await hosts.writeAll(dropped);
      } finally {
        hosts.drop(dropped);
        outage.forget(dropped);
      }
    },
    refresh: () => {
      for (const [uid] of hosts.all()) relearn(uid);
    },
    message: (topic, payload) => uplink.message(topic, payload),
    shard: (sh, up, whole, lost) => watch.shard(sh, up, clock.monoMs(), whole, lost),
    tick: () => {
      const nowMs = clock.monoMs();
      turns.tick();
      // A heartbeat that waits ends the silence of its host before a verdict.
      uplink.flush();
      watch.tick(nowMs);
      downlink.remote.expire(clock.wallMs());
      const due = new Set<string>();
      for (; nowMs - lastWriteMs >= SHARD_WRITE_MS && due.size < SHARDS.length; lastWriteMs += SHARD_WRITE_MS)
        due.add(SHARDS[nextWritten++ % SHARDS.length] ?? '');
      if (due.size > 0) turns.add(ALL, () => hosts.writeAll(due));
      if (!shards.ownsAll() && nowMs - lastOutageMs >= FOREIGN_LOOK_MS) {
        lastOutageMs = nowMs;
        outage.look();
      }
      if (nowMs - lastRepeatMs >= REPEAT_LOOK_MS) {
        lastRepeatMs = nowMs;
        if (shards.owns(LEADER_SHARD))
          turns.add(ALL, () => shards.storeOf(LEADER_SHARD).withTx((tx) => alarms.repeat(tx)));
        outage.look();
        lastOutageMs = nowMs;
        for (const uid of identities.calmed(nowMs)) calm(uid);
      }
    },
    hostChanged: relearn,
    connectivity: (uid) => watch.connectivity(uid),
    onReturn: (hear) => void hearers.push(hear),
    observed: (uid) => hosts.pendingWrite(uid),
    ask: async (uid, question) => {
      const place = reachable(uid) ?? (await reachableElsewhere(uid));
      if (place === undefined)
        return fail(
          'unreachable',
          'The request did not reach the host: it has no management connection. Check its uplink.',
        );
      return await downlink.question(place, question);
    },
    counts: () => watch.counts(),
    families: [...hostFamilies({ hosts, watch, revisions, clock }), ...meter.families],
    idle: () => {
      uplink.flush();
      return turns.idle();
    },
    stop: async () => {
      uplink.flush();
      deaf();
      turns.end();
      turns.add(ALL, () => hosts.writeAll());
      await turns.idle();
    },
  };
}

/** The port, whose transactions for hosts and their records go under the limit. */
function limited(port: MonitoringPort, limit: ConcurrencyLimit): MonitoringPort {
  const { shards, records } = port;
  return {
    ...port,
    shards: {
      replica: shards.replica,
      owns: (sh) => shards.owns(sh),
      ownsAll: () => shards.ownsAll(),
      storeOf: (sh) => {
        const store = shards.storeOf(sh);
        return storeWith(store, { withTx: (work) => limit.run(() => store.withTx(work)) });
      },
    },
    records: {
      take: (...batch) => limit.run(() => records.take(...batch)),
      seqOf: (uid) => records.seqOf(uid),
    },
  };
}

const placeOf = ({ sh, tenant, siteId, uid }: HostRow | HostPlace): HostPlace => ({
  sh,
  tenant,
  siteId,
  uid,
});

const isOnline = ({ status }: HostWithStatus): boolean => status.connectivity === 'online';
