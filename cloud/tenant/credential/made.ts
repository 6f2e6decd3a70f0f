import {
  type Call,
  deleteApiKey,
  deleteApiToken,
  deleteInvitation,
  deletePerson,
  deleteRole,
  endClaim,
  hasInvitations,
  listMemberships,
  type MadeRow,
  madeBy,
  type Reader,
  recordChange,
  setTokenPerson,
  type Tx,
} from '../../store/index.ts';
import { keyChange, tokenChange } from './replicated.ts';

/** Name under which a thing makes others; undefined for what makes nothing. */
export const refOf = ({ kind, key }: Pick<MadeRow, 'kind' | 'key'>): string | undefined =>
  kind === 'user'
    ? `person:${key}`
    : kind === 'apikey'
      ? `key:${key}`
      : kind === 'apitoken'
        ? `token:${key}`
        : undefined;

/** Whether it still opens anything. */
export const isLive = ({ endsAt, usedUp }: MadeRow, at: number): boolean =>
  !usedUp && (endsAt === null || endsAt > at);

/** Everything that `ref` made, and what that made in turn: makers before what they made. */
export async function madeTree(from: Reader, tenant: string, ref: string): Promise<MadeRow[]> {
  const rows: MadeRow[] = [];
  const seen = new Set([ref]);
  // A set hands out what is added while it is walked.
  for (const maker of seen)
    for (const row of await madeBy(from, tenant, maker)) {
      const name = refOf(row);
      if (name !== undefined && seen.has(name)) continue;
      if (name !== undefined) seen.add(name);
      rows.push(row);
    }
  return rows;
}

/** Removes one thing; what it made is the caller's to remove. */
export async function removeMade(tx: Tx, call: Call, { kind, key, id }: MadeRow): Promise<void> {
  const { tenant } = call;
  if (kind === 'user') {
    await deleteRole(tx, tenant, key);
    await forgetPerson(tx, key);
  } else if (kind === 'invitation') {
    await deleteInvitation(tx, key);
    await forgetPerson(tx, id);
  } else if (kind === 'apikey') {
    await deleteApiKey(tx, tenant, key);
    await recordChange(tx, { ...keyChange(call, key), op: 'delete' });
  } else if (kind === 'apitoken') {
    await deleteApiToken(tx, tenant, key);
    await recordChange(tx, { ...tokenChange(call, key), op: 'delete' });
  } else await endClaim(tx, key, call.actor.at);
}

/** An account stays while it has a role or an invitation somewhere. */
export async function forgetPerson(tx: Tx, id: string): Promise<void> {
  const elsewhere = (await listMemberships(tx, id, '', 1)).length > 0 || (await hasInvitations(tx, id));
  if (!elsewhere) await deletePerson(tx, id);
}

/** A token that was handed over, and the tokens made with it, act for the successor. */
export async function adoptTokens(tx: Tx, tenant: string, id: string, person: string | null): Promise<void> {
  const ids = new Set([id]);
  for (const each of ids) {
    await setTokenPerson(tx, tenant, each, person);
    for (const { kind, key } of await madeBy(tx, tenant, `token:${each}`))
      if (kind === 'apitoken') ids.add(key);
  }
}
