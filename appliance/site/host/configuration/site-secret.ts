import { CONFIG_KEY_ENTITY, type FeedScope, type HashedRow } from '#shared/contract/feed/index.ts';
import { KeyRing } from '../../../replica/index.ts';
import type { HostIdentity } from '../../index.ts';
import type { SitePorts } from '../site-port.ts';

/** More versions than a host is ever given. */
const MOST_KEYS = 10_000;
const BEFORE_ALL = { entity: CONFIG_KEY_ENTITY, id: '' };

/** The keys this host was given, from its own rows: the same after a restart with no network. */
export function keyRing(
  { store, keys }: Pick<SitePorts, 'store' | 'keys'>,
  { tenant }: HostIdentity,
): Promise<KeyRing> {
  const rows = store.rows('host', BEFORE_ALL, MOST_KEYS).filter(({ entity }) => entity === CONFIG_KEY_ENTITY);
  const bodies = rows.map(({ body }) => JSON.parse(body) as unknown);
  return KeyRing.from(tenant, bodies, keys);
}

/** Whether a change brings another key; only the host's own scope does. */
export function bringsKey(
  scope: FeedScope,
  before: readonly HashedRow[],
  after: readonly HashedRow[],
): boolean {
  if (scope !== 'host') return false;
  const hashesOf = (rows: readonly HashedRow[]) =>
    rows.filter(({ entity }) => entity === CONFIG_KEY_ENTITY).map(({ rowHash }) => rowHash);
  const known = new Set(hashesOf(before));
  return hashesOf(after).some((hash) => !known.has(hash));
}
