import {
  canonicalJson,
  type Life,
  TWIN_TYP,
  type Twin,
  topicOf,
  twinLife,
} from '#shared/contract/feed/index.ts';
import { type HostRow, readHost, readSite, takeTwinNumber } from '../store/index.ts';
import { steadySeconds } from './jitter.ts';
import { ownersOf } from './owner.ts';
import type { FeedPort } from './port.ts';
import type { ScopeHash } from './scope-hash.ts';

/** A twin as it stands: number and signed form. */
export interface CurrentTwin {
  readonly twin: Twin;
  readonly jws: string;
}

type DesiredTwin = Omit<Twin, 'v' | 'uid' | 'twinRev'>;

/** Two replicas make the twin of one host at once only while one of them answers the host itself. */
const TRIES = 5;

/** Hosts in these states have a twin; all others have never had one, or lost their certificate. */
const WITH_TWIN: ReadonlySet<string> = new Set([
  'commissioning',
  'active',
  'draining',
  'drained',
  'quarantined',
  'decommissioning',
  'decommissioned',
]);

/**
 * Brings the twin of a host up to what the database says: a new number whenever its content changed, signed. Undefined
 * for a host without twin. `read`: its row as the caller has just read it.
 */
export async function bringUpTwin(
  port: FeedPort,
  hashes: ScopeHash,
  read: HostRow,
  spread: Pick<DesiredTwin, 'jitterS' | 'fetchS'>,
): Promise<CurrentTwin | undefined> {
  const { store } = port;
  const { uid } = read;
  for (let tried = 1; ; tried++) {
    const host = tried === 1 ? read : await readHost(store, uid);
    if (host === undefined || !WITH_TWIN.has(host.lifecycle)) return undefined;
    const desired = await desiredTwin(port, hashes, host, spread);
    const twinRev = await numberOf(port, host, desired);
    if (twinRev === undefined) {
      if (tried < TRIES) continue;
      throw new Error(`the twin of ${uid} was changed ${TRIES} times while it was made`);
    }
    const twin: Twin = { v: 1, uid, twinRev, ...desired };
    return { twin, jws: await port.sign(TWIN_TYP, twin) };
  }
}

/** The number stays while the content stays. Undefined: another replica has taken the next number meanwhile. */
async function numberOf(
  { store }: FeedPort,
  host: HostRow,
  desired: DesiredTwin,
): Promise<number | undefined> {
  if (host.twinBody !== null && canonicalJson(host.twinBody) === canonicalJson(desired)) return host.twinRev;
  const isTaken = await store.withTx((tx) => takeTwinNumber(tx, host, { ...desired }));
  return isTaken ? host.twinRev + 1 : undefined;
}

async function desiredTwin(
  { store: from, brokers }: Pick<FeedPort, 'store' | 'brokers'>,
  hashes: ScopeHash,
  host: HostRow,
  spread: Pick<DesiredTwin, 'jitterS' | 'fetchS'>,
): Promise<DesiredTwin> {
  const site = await readSite(from, host.tenant, host.siteId);
  return {
    life: twinLife(host.lifecycle as Life),
    op: host.operation,
    ...orderOf(host),
    net: host.network,
    hb: { profile: site?.profile ?? 'standard' },
    ...steadySpread(host, spread),
    ...(brokers !== undefined && { brokers: [...brokers] }),
    // The twin of a host that is shut out does not name revisions that it may not fetch.
    cfg: frozenPointers(host) ?? (await hashes.pointers(from, ownersOf(host))),
  };
}

/** A twin changes by its spread only when that is far from the one that the host knows. */
function steadySpread(
  { twinBody }: HostRow,
  { jitterS, fetchS }: Pick<DesiredTwin, 'jitterS' | 'fetchS'>,
): Pick<DesiredTwin, 'jitterS' | 'fetchS'> {
  const known = twinBody as Partial<DesiredTwin> | null;
  return {
    jitterS: steadySeconds(known?.jitterS, jitterS),
    ...(fetchS !== undefined && { fetchS: steadySeconds(known?.fetchS, fetchS) }),
  };
}

/** How it is to be drained, where it is. */
function orderOf({
  lifecycle,
  course,
}: HostRow): Pick<Twin, 'doNotReschedule' | 'deadline' | 'force' | 'reason'> {
  const drain = lifecycle === 'draining' ? (course?.drain ?? null) : null;
  if (drain === null) return { doNotReschedule: false, deadline: null, force: false };
  const { doNotReschedule, deadline, force, reason } = drain;
  return { doNotReschedule, deadline, force, ...(reason === '' ? {} : { reason }) };
}

const SHUT_OUT: ReadonlySet<string> = new Set(['quarantined', 'decommissioning', 'decommissioned']);

const frozenPointers = ({ lifecycle, twinBody }: HostRow): Twin['cfg'] | undefined =>
  SHUT_OUT.has(lifecycle) ? (twinBody as Partial<Twin> | null)?.cfg : undefined;

export const twinTopic = (host: Pick<HostRow, 'sh' | 'tenant' | 'siteId' | 'uid'>): string =>
  topicOf(host, 'dn/twin');
