import { shardOf } from '#shared/contract/feed/index.ts';
import { every } from '#shared/timer/index.ts';
import type { Feed } from '../feed/index.ts';
import type { RateLimiter } from '../http/index.ts';
import { type ListenLink, openListenLink } from '../io/database/index.ts';
import { digest } from '../io/digest/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import type { Monitoring } from '../monitoring/index.ts';
import { AnnouncementWindow, readSpentHint, spentHint } from '../shard/index.ts';
import {
  type AnnouncementBody,
  deleteOldListenings,
  deleteOldPages,
  deleteOldUploads,
  forgetAnnouncements,
  forgetDeploymentAlarms,
  recentAnnouncements,
} from '../store/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Lease } from './lease.ts';

/** LISTEN brings a hint at once; this look is what counts. */
const LOOK_MS = 1_000;
/** Twice as long as a transaction may take. */
const WINDOW_MS = 10_000;
/** Later than this a change elsewhere may have shut a person out without this replica knowing it. */
const FRESH_MS = 3_000;
const FORGOTTEN_MS = 60_000;
const TIDY_MS = 30_000;
const ALARMS_KEPT = 1_000;

/** How often the others hear what callers took here, and of how many buckets: a hint has 8,000 bytes at most. */
const SPENT_MS = 1_000;
const MOST_SPENT = 40;

/** The kinds of hints between replicas, beside what callers took. */
const HINT = { change: 'change', shard: 'shard' } as const;

/** How far this replica is behind the others. */
export interface ReplicaLag {
  /** The age of the oldest commit of another replica that may not be heard yet, ms. */
  readonly lagMs: () => number;
}

/** The parts of the infrastructure that hearing needs. */
export type HearingPort = Pick<
  Infrastructure,
  'store' | 'isSole' | 'replica' | 'announced' | 'log' | 'clock' | 'closing'
> & { readonly config: Pick<Infrastructure['config'], 'database'> };

interface Listeners {
  readonly feed: Pick<Feed, 'compareShard'>;
  readonly monitoring: Pick<Monitoring, 'refresh'>;
  readonly hostChanged: (uid: string) => void;
  readonly limiter: Pick<RateLimiter, 'share' | 'drain' | 'hear'>;
  /** Announcements may be missed: readers of streams begin again. */
  readonly missed: () => void;
}

/**
 * Hears the commits of other replicas, where there may be any: listeners of the store learn of them, and what this replica owns is
 * looked at again.
 */
export function hearReplicas(
  { config, store, isSole, replica, announced, log, clock, closing }: HearingPort,
  lease: Pick<Lease, 'owned' | 'owns' | 'look' | 'leads' | 'store' | 'onFree' | 'onEnd'>,
  { feed, monitoring, hostChanged, limiter, missed: onMissed }: Listeners,
): ReplicaLag {
  if (isSole) return { lagMs: () => 0 };
  const window = new AnnouncementWindow<AnnouncementBody>(WINDOW_MS);
  let readMs = clock.monoMs();
  let lateMs = 0;
  let failing = false;

  async function hear(): Promise<void> {
    const askedMs = clock.monoMs();
    const { databaseMs, rows } = await recentAnnouncements(store, replica, WINDOW_MS);
    const { fresh, missed } = window.look(databaseMs, rows);
    readMs = askedMs;
    lateMs = Math.max(0, ...fresh.map(({ at }) => databaseMs - at));
    failing = false;
    for (const { body } of fresh) store.hear(body);
    if (missed) comparedAgain();
  }

  /** The database was away for so long that announcements may be missed. */
  function comparedAgain(): void {
    log(
      'warn',
      'announcement.missed',
      'Announcements of other replicas may be missed, and every host is compared with its row',
      {
        replica,
      },
    );
    store.hear({ access: true });
    onMissed();
    monitoring.refresh();
    for (const sh of lease.owned().keys()) feed.compareShard(sh);
  }

  const onLookFailed = (cause: unknown): void => {
    if (failing) return;
    failing = true;
    log('warn', 'announcement.look_failed', 'Could not look for announcements of other replicas', {
      cause: String(cause),
    });
  };
  const look = oneAtATime(hear, onLookFailed, 'one more');
  const onHint = (kind: string): void => {
    const said = readSpentHint(kind);
    if (said !== undefined) {
      if (said.from !== replica) limiter.hear(said.spent);
      return;
    }
    if (kind === HINT.shard) lease.look();
    look();
  };
  const link: ListenLink = openListenLink(config.database, onHint);
  closing.push(repeat(LOOK_MS, look));
  limiter.share();
  const tellSpent = (): void => {
    const spent = limiter.drain(MOST_SPENT);
    if (Object.keys(spent).length > 0) link.hint(spentHint({ from: replica, spent }));
  };
  closing.push(every(SPENT_MS, tellSpent));
  announced.written = () => link.hint(HINT.change);
  announced.fresh = () => clock.monoMs() - readMs < FRESH_MS;
  lease.onFree = () => link.hint(HINT.shard);
  lease.onEnd = () => link.close();

  store.onNotice((notices, remote) => {
    if (!remote) return;
    for (const { kind, id } of notices)
      if (kind === 'host' && lease.owns(shardOf(id, digest.sha256))) hostChanged(id);
  });
  const tidy = async (): Promise<void> => {
    if (lease.leads())
      await lease.store.withTx(async (tx) => {
        await forgetAnnouncements(tx, FORGOTTEN_MS);
        await deleteOldUploads(tx, clock.wallMs());
        await deleteOldListenings(tx, clock.wallMs());
        await deleteOldPages(tx, clock.wallMs());
        await forgetDeploymentAlarms(tx, ALARMS_KEPT);
      });
  };
  closing.push(repeat(TIDY_MS, oneAtATime(tidy, onLookFailed)));
  return { lagMs: () => Math.max(0, clock.monoMs() - readMs - LOOK_MS, lateMs) };
}
