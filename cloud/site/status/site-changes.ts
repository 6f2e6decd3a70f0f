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
import { ChangeFollower, type Told } from './change-follower.ts';
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
  readonly next: () => Promise<Told>;
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
  /** Resolves when everything noticed so far is told. */
  readonly idle: () => Promise<void>;
  readonly close: () => void;
}

/** What is written in quick succession is told once. */
const GATHER_MS = 200;
const BATCH = 500;
const MOST_LISTENERS = 100;
/** In beats: how long a book waits for its last listener to come back, and how often conditions are looked at. */
const KEPT_BEATS = 20;
const LOOK_BEATS = 4;
const FROZEN_BEATS = 4;

const GONE: readonly Lifecycle[] = ['rejected', 'decommissioned'];

/** A tenant somebody listens to. */
interface Room {
  readonly tenant: string;
  readonly book: ChangeLog;
  /** Each host as it was told last, so that a row written without a visible change is no news. */
  readonly told: Map<string, string>;
  readonly listeners: Map<ChangeFollower, () => void>;
  emptyBeats: number;
}

/**
 * Tells whoever listens what the rows of hosts, operations and alarms show, after each commit. A tenant nobody listens to
 * costs nothing.
 */
export function createSiteChanges(port: ChangePort): SiteChanges {
  const { store } = port;
  const rooms = new Map<string, Room>();
  let pending = new Map<string, Notice>();
  let gathering = false;
  let beats = 0;
  let work: Promise<void> = Promise.resolve();

  const stopHearing = store.onNotice((notices) => {
    if (rooms.size === 0) return;
    for (const notice of notices) pending.set(`${notice.kind} ${notice.id}`, notice);
    if (gathering) return;
    gathering = true;
    port.after(GATHER_MS, () => {
      gathering = false;
      inTurn(tellPending);
    });
  });

  /** One after the other. What could not be read is not lost: everybody asks anew. */
  function inTurn(step: () => Promise<void>): void {
    work = work.then(step).catch((cause: unknown) => {
      port.onFault(String(cause));
      for (const room of rooms.values()) {
        room.book.cut();
        stir(room);
      }
    });
  }

  async function tellPending(): Promise<void> {
    const notices = [...pending.values()];
    pending = new Map();
    const idsOf = (kind: Notice['kind']) => notices.filter((each) => each.kind === kind).map(({ id }) => id);
    for (const uids of batches(idsOf('host'))) (await hostsOfUids(store, uids)).forEach(tellHost);
    for (const ids of batches(idsOf('operation')))
      for (const row of await operationsOf(store, ids))
        tell(row.tenant, { event: 'operation', data: shownOperation(row) });
    for (const ids of batches(idsOf('alarm')))
      for (const row of await alarmsOf(store, ids))
        tell(row.tenant, { event: 'alarm', data: port.shownAlarm(row) });
  }

  function tellHost(row: HostWithStatus): void {
    const { tenant, uid, siteId, hostId, lifecycle } = row.host;
    const told = rooms.get(tenant)?.told;
    if (told === undefined) return;
    if (GONE.includes(lifecycle)) {
      if (told.delete(uid)) tell(tenant, { event: 'gone', data: { siteId, hostId } });
      return;
    }
    const data = shownHost(row, port.nowMs());
    const text = JSON.stringify(data);
    if (told.get(uid) === text) return;
    told.set(uid, text);
    tell(tenant, { event: 'host', data });
  }

  function tell(tenant: string, change: Change): void {
    const room = rooms.get(tenant);
    if (room === undefined) return;
    room.book.add(change);
    stir(room);
  }

  const stir = ({ listeners }: Room): void => {
    for (const listener of listeners.keys()) listener.stir();
  };

  function opened(tenant: string): Room {
    const known = rooms.get(tenant);
    if (known !== undefined) return known;
    const book = new ChangeLog(ulid(port.nowMs(), port.random(10)));
    const room: Room = { tenant, book, told: new Map(), listeners: new Map(), emptyBeats: 0 };
    rooms.set(tenant, room);
    inTurn(async () => {
      for (const row of await hostsOf(store, tenant))
        room.told.set(row.host.uid, JSON.stringify(shownHost(row, port.nowMs())));
    });
    return room;
  }

  /** Some conditions turn without a row that is written. */
  async function look(room: Room): Promise<void> {
    for (const uids of batches([...room.told.keys()])) (await hostsOfUids(store, uids)).forEach(tellHost);
  }

  return {
    listen: (tenant, lastEventId, onFrozen) => {
      const room = opened(tenant);
      if (room.listeners.size >= MOST_LISTENERS)
        return fail(
          'tooManyRequests',
          `The stream is not opened: the tenant has ${MOST_LISTENERS} open streams, the most that it can have. Close one of them.`,
        );
      const listener = new ChangeFollower(room.book, lastEventId);
      room.listeners.set(listener, onFrozen);
      room.emptyBeats = 0;
      return ok({
        next: () => listener.next(),
        close: () => {
          listener.end();
          room.listeners.delete(listener);
        },
      });
    },
    beat: () => {
      beats += 1;
      for (const room of rooms.values()) {
        for (const [listener, onFrozen] of room.listeners) {
          listener.beat();
          if (listener.idleBeats >= FROZEN_BEATS) onFrozen();
        }
        if (room.listeners.size > 0) {
          if (beats % LOOK_BEATS === 0) inTurn(() => look(room));
        } else {
          room.emptyBeats += 1;
          if (room.emptyBeats > KEPT_BEATS) rooms.delete(room.tenant);
        }
      }
    },
    idle: async () => {
      let before: Promise<void> | undefined;
      while (before !== work) {
        before = work;
        await work;
      }
    },
    close: () => {
      stopHearing();
      for (const { listeners } of rooms.values()) for (const listener of listeners.keys()) listener.end();
    },
  };
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
