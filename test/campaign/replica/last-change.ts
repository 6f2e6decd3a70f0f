/** A message on `up/state` or `up/cfg` of a host, as a broker passed it on. */
export interface HostMessage {
  readonly topic: string;
  readonly text: string;
  readonly atMs: number;
}

/** How a fleet took a change. */
export interface LastChange {
  /** How many have not applied it yet. */
  readonly waiting: number;
  /** Hosts that have not applied it in time, each with its times. */
  readonly behind: readonly string[];
  /** The longest time of a host from the change, or from the connection that it got behind it, until it was applied. */
  readonly slowestMs: number;
}

/** The messages that brokers passed on until `nowMs`, and the change: its revision and when it was accepted. */
export interface ChangeHistory {
  readonly hosts: number;
  readonly rev: number;
  readonly madeMs: number;
  readonly nowMs: number;
  readonly states: readonly HostMessage[];
  readonly reports: readonly HostMessage[];
}

/**
 * A host that has a connection needs no longer than this. The feed gathers and rests for up to 10 s behind changes that came before,
 * hosts spread their fetches over 3 s where they are 300, and the machine may have other work.
 */
export const TAKEN_WITHIN_MS = 30_000;

/** Pure. A host without a connection waits for its next try, and is behind only where it has not applied the change at all. */
export function judgeLastChange(history: ChangeHistory): LastChange {
  const { hosts, madeMs, nowMs } = history;
  const applied = appliedAt(history);
  const connections = connectionsOf(history);
  const takings = [...new Set([...connections.keys(), ...applied.keys()])].map((uid) => {
    const appliedMs = applied.get(uid);
    const last = (connections.get(uid) ?? []).findLast(({ fromMs }) => fromMs <= (appliedMs ?? nowMs));
    const isWithout = appliedMs === undefined && last?.isOver !== false;
    const tookMs = isWithout ? 0 : (appliedMs ?? nowMs) - Math.max(madeMs, last?.fromMs ?? madeMs);
    return { uid, appliedMs, last, tookMs };
  });
  const behind = takings
    .filter(({ appliedMs, tookMs }) => appliedMs === undefined || tookMs > TAKEN_WITHIN_MS)
    .map(({ uid, appliedMs, last }) => {
      const connected = last === undefined ? 'never connected' : `connected ${seconds(last.fromMs - madeMs)}`;
      const lost = last?.isOver === true ? ', connection lost since' : '';
      const taken = appliedMs === undefined ? 'not applied' : `applied ${seconds(appliedMs - madeMs)}`;
      return `${uid} (${connected}${lost}, ${taken})`;
    });
  const unseen = Array.from(
    { length: Math.max(0, hosts - takings.length) },
    () => 'a host that was not seen',
  );
  return {
    waiting: takings.filter(({ appliedMs }) => appliedMs === undefined).length + unseen.length,
    behind: [...behind, ...unseen],
    slowestMs: Math.round(Math.max(0, ...takings.map(({ tookMs }) => tookMs))),
  };
}

interface Connection {
  readonly sid: string;
  readonly fromMs: number;
  isOver: boolean;
}

/** Connections of each host, from the first birth with a `sid` to the will with it. */
function connectionsOf({ states }: ChangeHistory): Map<string, Connection[]> {
  const all = new Map<string, Connection[]>();
  for (const { topic, text, atMs } of states.toSorted((a, b) => a.atMs - b.atMs)) {
    const { st, sid } = read<{ st?: string; sid?: string }>(text);
    if (sid === undefined) continue;
    const uid = uidOf(topic);
    const own = all.get(uid) ?? [];
    all.set(uid, own);
    const known = own.find((each) => each.sid === sid);
    if (st === 'off') {
      if (known !== undefined) known.isOver = true;
    } else if (known === undefined) own.push({ sid, fromMs: atMs, isOver: false });
  }
  return all;
}

/** When each host first reported a revision of the tenant that holds the change. */
function appliedAt({ reports, rev, madeMs }: ChangeHistory): Map<string, number> {
  const all = new Map<string, number>();
  for (const { topic, text, atMs } of reports) {
    const report = read<{ scope?: string; res?: string; rev?: number }>(text);
    if (report.scope !== 'tenant' || report.res !== 'applied' || (report.rev ?? 0) < rev) continue;
    const uid = uidOf(topic);
    // The report may overtake the answer to the person who made the change.
    all.set(uid, Math.min(all.get(uid) ?? Number.POSITIVE_INFINITY, Math.max(atMs, madeMs)));
  }
  return all;
}

/** The last level but two: `…/{uid}/up/state`. */
const uidOf = (topic: string): string => topic.split('/').at(-3) ?? topic;

const read = <Body extends object>(text: string): Partial<Body> =>
  text.startsWith('{') ? (JSON.parse(text) as Body) : {};

const seconds = (ms: number): string =>
  `${Math.abs(ms / 1_000).toFixed(1)} s ${ms < 0 ? 'before' : 'behind'} the change`;
