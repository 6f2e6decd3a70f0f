import { BoundedMap } from '#shared/bounded-map.ts';
import { type Bundle, type FeedScope, type Operation, SCOPES, topicOf } from '#shared/contract/feed/index.ts';
import {
  countHostsInLifecycle,
  type HostRow,
  type HostWithStatus,
  hostsInLifecycle,
  hostsOf,
  type Lifecycle,
  type Revision,
  readHost,
  readHostStatus,
} from '../store/index.ts';
import {
  AnnouncementQueue,
  LONGEST_REST_MS,
  type Notice,
  nameOf,
  type SetNotice,
  type Step,
} from './announcement-queue.ts';
import { makeBundle } from './bundle.ts';
import { ConfigKeys } from './config-key.ts';
import { fetchSeconds, jitterSeconds } from './jitter.ts';
import { type ManifestAnswer, makeManifest } from './manifest.ts';
import { ownerOf } from './owner.ts';
import { PageCache } from './page-cache.ts';
import { bringUpPlatform, keyStatements, type PlatformRows } from './platform.ts';
import type { FeedPort } from './port.ts';
import { ScopeHash } from './scope-hash.ts';
import { bringUpTwin, type CurrentTwin, twinTopic } from './twin.ts';

/** The database is away when several steps fail one behind the other: they are made again so much later. */
const AGAIN_MS = 1_000;
const BATCH = 500;
const COUNT_MS = 5_000;
const COUNTED = 1_000;
/**
 * `Chosen:` a host fetches the pages of a manifest in seconds, one behind a slow uplink in minutes; it asks for the manifest again when
 * one is not there. The database has a copy for other replicas, and for this one.
 */
const PAGE_KEPT_MS = 10 * 60_000;
const PAGE_COPY_KEPT_MS = 60_000;

/** States of hosts that get changes. */
const CONFIGURED: readonly Lifecycle[] = [
  'commissioning',
  'active',
  'draining',
  'drained',
  'decommissioning',
];

/** Hosts that the broker is shut for. */
const SILENCED: readonly Lifecycle[] = ['quarantined', 'claimed', 'decommissioned', 'rejected'];

/** A host, or its row where the caller has just read it. */
export type HostOrUid = string | HostRow;

export interface Feed {
  /** Writes the platform's rows and begins to listen for revisions; twins go out when a shard comes up. */
  readonly start: (platform: PlatformRows) => Promise<void>;
  /** A shard has a broker: all its twins are left there, for the embedded one forgets. */
  readonly shardUp: (sh: string) => void;
  /** Changes made at other replicas may be missed: hosts of the shard get the twins that the broker does not have from here. */
  readonly compareShard: (sh: string) => void;
  /** Something else that the twin of this host shows has changed. */
  readonly hostChanged: (uid: string) => void;
  readonly twin: (host: HostOrUid) => Promise<CurrentTwin | undefined>;
  /**
   * Undefined = nothing newer than `since`, or only what this host has refused. `has`: the revision in force there, where it
   * asks for everything again.
   */
  readonly manifest: (
    host: HostOrUid,
    scope: FeedScope,
    since: number,
    has?: number,
  ) => Promise<ManifestAnswer | undefined>;
  /** Key statements, the oldest first: how the key that signs followed those before it. */
  readonly keys: () => Promise<readonly string[]>;
  /** A page named by a manifest of this host; undefined = not there (any more): ask for the manifest again. */
  readonly page: (host: HostOrUid, sha256: string) => Promise<Uint8Array | undefined>;
  /** Forgets pages that no host has asked for lately. Once a minute. */
  readonly forgetPages: () => void;
  /** Everything hosts of a site are given, as one file; undefined when it has none that may have it. */
  readonly bundle: (tenant: string, siteId: string) => Promise<Bundle | undefined>;
  /** Resolves when everything noticed so far has been published or given up. */
  readonly idle: () => Promise<void>;
  /** Ends an announcement that is under way: twins that it leaves are published when their shards come up again, here or elsewhere. */
  readonly stop: () => void;
}

/**
 * Wanted state on its way down: revisions become pointers in twins, twins lie retained at the broker, hosts fetch
 * manifests and pages. Losing any of it delays the result and changes nothing.
 */
export function createFeed(port: FeedPort): Feed {
  const { store } = port;
  const hashes = new ScopeHash(port);
  const pageCache = new PageCache(port.nowMs);
  const keys = new ConfigKeys(port);
  const queue = new AnnouncementQueue();
  /** The twin that this process left at the broker for a host since its shard came up. */
  const left = new Map<string, string>();
  /** Headers of twins, which name the key. Few: a part of a text would keep the whole twin of each host in memory. */
  const headers: string[] = [];
  /** The time of the earliest timer that is set. */
  let timerMs = Number.POSITIVE_INFINITY;
  /** While the database is away. */
  let isPaused = false;
  /** The step that failed last, since when none has succeeded. */
  let failing: string | undefined;
  /** Hosts by tenant; of all under no name. */
  const counted = new BoundedMap<string | undefined, { readonly hosts: number; readonly atMs: number }>(
    COUNTED,
  );
  let work: Promise<void> = Promise.resolve();
  let stopListening: () => void = () => undefined;
  let isStopped = false;

  /** All hosts that get changes, or those of one shard. */
  async function* hosts(sh?: string): AsyncGenerator<HostWithStatus> {
    let after = '';
    for (;;) {
      const batch = await hostsInLifecycle(
        store,
        CONFIGURED,
        after,
        BATCH,
        sh === undefined ? undefined : [sh],
      );
      yield* batch;
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return;
      after = last.host.uid;
    }
  }

  /** The hosts that get the rows of this scope and owner. */
  async function* concerned(scope: FeedScope, owner: string): AsyncGenerator<HostWithStatus> {
    if (scope === 'platform') yield* hosts();
    else yield* await hostsOf(store, tenantOf(owner), owner.split('/')[1]);
  }

  /** A host that has left can open nothing that is sent later; the others get the new key. */
  async function renewKeys(tenant?: string): Promise<void> {
    for (const owner of await keys.renewLost(tenant))
      noticed({ kind: 'scope', scope: 'tenant', owner, isOwn: false });
  }

  /** The spread of many changes little with one more: thousands that enrol are not counted once for each. */
  async function hostCount(tenant?: string): Promise<number> {
    const nowMs = port.nowMs();
    const known = counted.get(tenant);
    if (known !== undefined && nowMs - known.atMs < COUNT_MS) return known.hosts;
    const hosts = await countHostsInLifecycle(store, CONFIGURED, tenant);
    counted.set(tenant, { hosts, atMs: nowMs });
    return hosts;
  }

  const rowOf = async (host: HostOrUid): Promise<HostRow | undefined> =>
    typeof host === 'string' ? await readHost(store, host) : host;

  async function currentTwin(of: HostOrUid): Promise<CurrentTwin | undefined> {
    const host = await rowOf(of);
    return host && (await twinOf(host));
  }

  async function twinOf(host: HostRow): Promise<CurrentTwin | undefined> {
    await keys.reach(host);
    // A change of a small tenant waits for no spread of a large fleet; what all do at once does.
    const jitterS = jitterSeconds(await hostCount());
    const fetchS = fetchSeconds(await hostCount(host.tenant));
    return await bringUpTwin(port, hashes, host, { jitterS, fetchS });
  }

  /** Rows of a tenant with secrets leave sealed, by a key that this host was given before. */
  async function manifestOf(
    host: HostRow,
    scope: FeedScope,
    since: number,
    has: number,
  ): Promise<ManifestAnswer | undefined> {
    let sealed = (operation: Operation): Operation => operation;
    if (scope === 'tenant') {
      await keys.reach(host);
      const key = await keys.current(host.tenant);
      sealed = (operation) => keys.sealed(key, operation);
    }
    return await makeManifest(port, hashes, pageCache, scope, ownerOf(host, scope), { since, has }, sealed);
  }

  async function publish(uid: string): Promise<void> {
    const host = await readHost(store, uid);
    if (host === undefined || !port.owns(host.sh)) {
      left.delete(uid);
      return;
    }
    const standingTwin = await twinOf(host);
    if (SILENCED.includes(host.lifecycle)) {
      left.delete(uid);
      if (host.twinRev === 0) return;
      // No host may read there any more; an empty message takes a retained one away.
      for (const leaf of ['dn/twin', 'up/state'] as const) await leave(topicOf(host, leaf), '');
      return;
    }
    if (standingTwin === undefined) return;
    const version = versionOf(standingTwin);
    // A step that began for another reason may have read a change before its notice came.
    if (left.get(uid) === version) return;
    left.delete(uid);
    if (await leave(twinTopic(host), standingTwin.jws)) left.set(uid, version);
  }

  /** Number and key: two signatures of one twin differ, and a new key signs it again. */
  function versionOf({ twin, jws }: CurrentTwin): string {
    const header = jws.slice(0, jws.indexOf('.'));
    if (!headers.includes(header)) headers.push(header);
    return `${twin.twinRev} ${headers.indexOf(header)}`;
  }

  /** Without a broker the twin waits in the database: it is published when the shard comes up. */
  async function leave(topic: string, payload: string): Promise<boolean> {
    try {
      await port.publish(topic, payload);
      return true;
    } catch (error) {
      port.log('debug', 'feed.publish_failed', 'Could not publish a twin to a host', {
        topic,
        reason: error instanceof Error ? error.message : String(error),
      });
      return false;
    }
  }

  function noticed(notice: Notice): void {
    queue.notice(notice, port.nowMs());
    schedule();
  }

  /** The owner of its shard publishes. */
  const isOwned = ({ sh }: Pick<HostRow, 'sh'>): boolean => port.owns(sh);

  function onRevision({ scope, owner }: Revision, remote: boolean): void {
    if (scope === 'host') noticed({ kind: 'host', uid: owner, isOnly: true });
    else noticed({ kind: 'scope', scope, owner, isOwn: !remote });
  }

  function schedule(): void {
    if (isPaused) return;
    const nowMs = port.nowMs();
    const dueMs = Math.max(queue.nextMs, nowMs);
    if (dueMs >= timerMs) return;
    timerMs = dueMs;
    // It is farther only where the clock was set back meanwhile.
    port.after(Math.min(dueMs - nowMs, LONGEST_REST_MS), () => {
      if (timerMs === dueMs) timerMs = Number.POSITIVE_INFINITY;
      // One after the other: two twins of one host must not overtake each other.
      work = work.then(() => announce(dueMs));
    });
  }

  /** `dueMs`: the time that its timer was set for, which may ring a little early. */
  async function announce(dueMs: number): Promise<void> {
    if (isPaused) return;
    const nowMs = () => Math.max(dueMs, port.nowMs());
    for (let step = queue.next(nowMs()); step !== undefined; step = queue.next(nowMs()))
      try {
        await take(step, nowMs);
        failing = undefined;
      } catch (cause) {
        if (onFailed(step, cause, nowMs())) return;
      }
    schedule();
  }

  /** Whether all announcements are held up. One host whose twin cannot be made waits by itself. */
  function onFailed(step: Step, cause: unknown, nowMs: number): boolean {
    const name = nameOf(step);
    const areOthers = failing !== undefined && failing !== name;
    const times = queue.failed(step, nowMs, areOthers);
    // It may fail for as long as the database is away: said once.
    if (failing === undefined && times === 1)
      port.log('warn', 'feed.step_failed', 'An announcement of the feed failed, and is made again', {
        error: String(cause),
        step: name,
      });
    failing = name;
    if (areOthers) rest();
    return areOthers;
  }

  function rest(): void {
    if (isStopped) return;
    isPaused = true;
    port.after(AGAIN_MS, () => {
      isPaused = false;
      schedule();
    });
  }

  async function take(step: Step, nowMs: () => number): Promise<void> {
    const began = nowMs();
    if (step.kind === 'host') {
      if (step.isOnly || !isStopped) await publish(step.uid);
      queue.done(step, nowMs() - began, nowMs());
      return;
    }
    const uids = await hostsFor(step);
    queue.spread(step, uids, nowMs() - began, nowMs());
  }

  /** The hosts whose twins the notice may change. */
  async function hostsFor(notice: SetNotice): Promise<readonly string[]> {
    const uids: string[] = [];
    switch (notice.kind) {
      case 'scope':
        if (!isStopped)
          for await (const { host } of concerned(notice.scope, notice.owner))
            if (isOwned(host)) uids.push(host.uid);
        // One of its hosts may have left. The replica that made the change makes the new key, once for all sites of a tenant.
        if (notice.scope === 'site' && notice.isOwn)
          noticed({ kind: 'keys', tenant: tenantOf(notice.owner) });
        break;
      case 'keys':
        await renewKeys(notice.tenant);
        break;
      case 'shard':
        for await (const { host } of hosts(notice.sh)) {
          if (isStopped) break;
          if (notice.isEmpty) left.delete(host.uid);
          if (isOwned(host)) uids.push(host.uid);
        }
    }
    return uids;
  }

  async function page(of: HostOrUid, sha256: string): Promise<Uint8Array | undefined> {
    const host = await rowOf(of);
    if (host === undefined) return undefined;
    const audiences = SCOPES.map((scope) => `${scope} ${ownerOf(host, scope)}`);
    return pageCache.get(sha256, audiences) ?? (await port.pages?.get(sha256, audiences));
  }

  return {
    start: async (platform) => {
      await bringUpPlatform(store, platform, port.nowMs());
      await keys.forgetOld();
      await renewKeys();
      stopListening = store.onChange(onRevision);
    },
    shardUp: (sh) => {
      noticed({ kind: 'shard', sh, isEmpty: true });
    },
    compareShard: (sh) => {
      noticed({ kind: 'shard', sh, isEmpty: false });
    },
    hostChanged: (uid) => {
      noticed({ kind: 'host', uid, isOnly: true });
    },
    twin: currentTwin,
    manifest: async (of, scope, since, has = since) => {
      const host = await rowOf(of);
      if (host === undefined) return undefined;
      // The feed does not offer a refused revision again, until a newer one is there, or to a host that has none.
      const refused = since > 0 ? (await readHostStatus(store, host.uid))?.nacked[scope] : undefined;
      if (refused !== undefined) {
        const { rev } = await hashes.pointer(store, scope, ownerOf(host, scope));
        if (refused === rev) return undefined;
      }
      return await manifestOf(host, scope, since, has);
    },
    keys: () => keyStatements(store),
    page,
    forgetPages: () =>
      pageCache.forget(port.nowMs() - (port.pages === undefined ? PAGE_KEPT_MS : PAGE_COPY_KEPT_MS)),
    bundle: (tenant, siteId) => {
      const parts = {
        from: store,
        twin: async (uid: string) => (await currentTwin(uid))?.jws,
        manifest: async (uid: string, scope: FeedScope) => {
          const host = await readHost(store, uid);
          return host && (await manifestOf(host, scope, 0, 0));
        },
        page,
      };
      return makeBundle(parts, tenant, siteId);
    },
    idle: async () => {
      let seen: Promise<void>;
      do {
        seen = work;
        await seen;
      } while (seen !== work);
    },
    stop: () => {
      isStopped = true;
      stopListening();
    },
  };
}

/** The owner of every scope below the platform's begins with the tenant. */
const tenantOf = (owner: string): string => owner.split('/', 1)[0] ?? '';
