import type { SiteAlarm } from '#shared/contract/site/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  alarmsOf,
  type HostWithStatus,
  hostsOf,
  hostsOfUids,
  type Lifecycle,
  type Notice,
  operationsOf,
  type SiteAlarmRow,
  type Store,
} from '../../store/index.ts';
import { shownOperation } from '../lifecycle/operation.ts';
import { ChangeFollower, type FollowedEvent } from './change-follower.ts';
import { type Change, ChangeLog } from './change-log.ts';
import { shownHost } from './overview.ts';

export interface ChangePort {
  readonly store: Store;
  readonly nowMs: () => number;
  readonly random: RandomBytes;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
  readonly shownAlarm: (row: SiteAlarmRow) => SiteAlarm;
  readonly onFault: (reason: string) => void;
}

/** One who listens. Ends by `close`, or when `next` says `over`. */
export interface Listening {
  readonly next: () => Promise<FollowedEvent>;
  readonly close: () => void;
}

export interface SiteChanges {
  /**
   * Listens to a tenant, from after `lastEventId` where that is still known. `onFrozen`: it has not asked for more in a
   * minute. Fails with `tooManyRequests`.
   */
  readonly listen: (
    tenant: string,
    lastEventId: string | undefined,
    onFrozen: () => void,
  ) => Result<Listening>;
  /** Every 15 s: a sign of life for all, and what time alone has changed. */
  readonly beat: () => void;
  /** Resolves when everything noticed so far is sent. */
  readonly idle: () => Promise<void>;
  /** Resolves when no reading runs any more: the database may be closed. */
  readonly close: () => Promise<void>;
}

/** Writes in quick succession are sent once. */
const GATHER_MS = 200;
const BATCH = 500;
const MOST_LISTENERS = 100;
/** In beats: how long a log waits for its last listener to come back, and how often conditions are looked at. */
const KEPT_BEATS = 20;
const LOOK_BEATS = 4;
const FROZEN_BEATS = 4;

/** Kinds of rows that the stream shows. */
const SHOWN: ReadonlySet<Notice['kind']> = new Set(['host', 'operation', 'alarm']);
const REMOVED: readonly Lifecycle[] = ['rejected', 'decommissioned'];

/** A tenant with listeners. */
interface TenantStream {
  readonly tenant: string;
  readonly changeLog: ChangeLog;
  /** Each host as it was sent last, so that a row written without a visible change is no news. */
  readonly sent: Map<string, string>;
  readonly listeners: Map<ChangeFollower, () => void>;
  emptyBeats: number;
}

/**
 * Sends listeners the content of the rows of hosts, operations and alarms, after each commit. A tenant without listeners costs
 * nothing.
 */
export function createSiteChanges(port: ChangePort): SiteChanges {
  const { store } = port;
  const streams = new Map<string, TenantStream>();
  let pending = new Map<string, Notice>();
  let gathering = false;
  let beats = 0;
  let work: Promise<void> = Promise.resolve();
  let isClosed = false;

  const stopHearing = store.onNotice((notices) => {
    if (streams.size === 0) return;
    for (const notice of notices)
      if (SHOWN.has(notice.kind)) pending.set(`${notice.kind} ${notice.id}`, notice);
    if (gathering || pending.size === 0) return;
    gathering = true;
    port.after(GATHER_MS, () => {
      gathering = false;
      inTurn(tellPending);
    });
  });

  /** One after the other. A failed reading loses nothing: everybody asks again. */
  function inTurn(step: () => Promise<void>): void {
    if (isClosed) return;
    work = work.then(step).catch((cause: unknown) => {
      port.onFault(String(cause));
      for (const stream of streams.values()) {
        stream.changeLog.cut();
        stir(stream);
      }
    });
  }

  async function idle(): Promise<void> {
    let before: Promise<void> | undefined;
    while (before !== work) {
      before = work;
      await work;
    }
  }

  async function tellPending(): Promise<void> {
    const notices = [...pending.values()];
    pending = new Map();
    const idsOf = (kind: Notice['kind']) => notices.filter((each) => each.kind === kind).map(({ id }) => id);
    for (const uids of batches(idsOf('host'))) (await hostsOfUids(store, uids)).forEach(emitHost);
    for (const ids of batches(idsOf('operation')))
      for (const row of await operationsOf(store, ids))
        emit(row.tenant, { event: 'operation', data: shownOperation(row) });
    for (const ids of batches(idsOf('alarm')))
      for (const row of await alarmsOf(store, ids))
        emit(row.tenant, { event: 'alarm', data: port.shownAlarm(row) });
  }

  function emitHost(row: HostWithStatus): void {
    const { tenant, uid, siteId, hostId, lifecycle } = row.host;
    const sent = streams.get(tenant)?.sent;
    if (sent === undefined) return;
    if (REMOVED.includes(lifecycle)) {
      if (sent.delete(uid)) emit(tenant, { event: 'gone', data: { siteId, hostId } });
      return;
    }
    const data = shownHost(row, port.nowMs());
    const text = JSON.stringify(data);
    if (sent.get(uid) === text) return;
    sent.set(uid, text);
    emit(tenant, { event: 'host', data });
  }

  function emit(tenant: string, change: Change): void {
    const stream = streams.get(tenant);
    if (stream === undefined) return;
    stream.changeLog.add(change);
    stir(stream);
  }

  const stir = ({ listeners }: TenantStream): void => {
    for (const listener of listeners.keys()) listener.stir();
  };

  function opened(tenant: string): TenantStream {
    const known = streams.get(tenant);
    if (known !== undefined) return known;
    const changeLog = new ChangeLog(ulid(port.nowMs(), port.random(10)));
    const stream: TenantStream = { tenant, changeLog, sent: new Map(), listeners: new Map(), emptyBeats: 0 };
    streams.set(tenant, stream);
    inTurn(async () => {
      for (const row of await hostsOf(store, tenant))
        stream.sent.set(row.host.uid, JSON.stringify(shownHost(row, port.nowMs())));
    });
    return stream;
  }

  /** Some conditions turn without a row that is written. */
  async function look(stream: TenantStream): Promise<void> {
    for (const uids of batches([...stream.sent.keys()])) (await hostsOfUids(store, uids)).forEach(emitHost);
  }

  return {
    listen: (tenant, lastEventId, onFrozen) => {
      const stream = opened(tenant);
      if (stream.listeners.size >= MOST_LISTENERS)
        return fail(
          'tooManyRequests',
          `The stream is not opened: the tenant has ${MOST_LISTENERS} open streams, the most that it can have. Close one of them.`,
        );
      const listener = new ChangeFollower(stream.changeLog, lastEventId);
      stream.listeners.set(listener, onFrozen);
      stream.emptyBeats = 0;
      return ok({
        next: () => listener.next(),
        close: () => {
          listener.end();
          stream.listeners.delete(listener);
        },
      });
    },
    beat: () => {
      beats += 1;
      for (const stream of streams.values()) {
        for (const [listener, onFrozen] of stream.listeners) {
          listener.beat();
          if (listener.idleBeats >= FROZEN_BEATS) onFrozen();
        }
        if (stream.listeners.size > 0) {
          if (beats % LOOK_BEATS === 0) inTurn(() => look(stream));
        } else {
          stream.emptyBeats += 1;
          if (stream.emptyBeats > KEPT_BEATS) streams.delete(stream.tenant);
        }
      }
    },
    idle,
    close: async () => {
      stopHearing();
      isClosed = true;
      for (const { listeners } of streams.values()) for (const listener of listeners.keys()) listener.end();
      await idle();
    },
  };
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
