import { isAllowed, type Rights } from '#shared/access/index.ts';
import type { Scope } from '#shared/contract/provisioning/index.ts';
import {
  type ApiKeyRow,
  type ApiTokenRow,
  type Call,
  madeBy,
  readApiKey,
  readApiToken,
  recordChange,
  type Tx,
} from '../../store/index.ts';
import { rightsOf } from './maker.ts';
import { shownKey, shownToken } from './shown.ts';

const changeOf = (call: Call, entity: 'apikey' | 'apitoken', id: string) =>
  ({ scope: 'tenant', owner: call.tenant, entity, id, at: call.actor.at }) as const;

export const keyChange = (call: Call, kid: string) => changeOf(call, 'apikey', kid);
export const tokenChange = (call: Call, id: string) => changeOf(call, 'apitoken', id);

/**
 * Words that every site reads. A site refuses a configuration with a row that it cannot read, and a word that came later opens
 * nothing there: it stays here.
 */
const SITE_WORDS: ReadonlySet<Scope> = new Set(['provisioning', 'runtime', 'site', 'read']);

/** Scopes without the words that sites do not read; null = everything. */
const siteScopes = ({ scopes }: Rights): readonly Scope[] | null =>
  scopes?.filter((word) => SITE_WORDS.has(word)) ?? null;

/** Scope as rows carry it; an empty one has no form there. */
function scopeField(rights: Rights): { scope?: string } {
  const scopes = siteScopes(rights);
  return scopes === null ? {} : { scope: scopes.join(' ') };
}

const opensNothing = (rights: Rights): boolean => siteScopes(rights)?.length === 0;

/** A key as sites get it: a site takes every key for an admin, so what its makers lack is taken from its scope. */
function replicatedKey(row: ApiKeyRow, rights: Rights) {
  const { maker: _, scope: __, ...shown } = shownKey(row);
  const calls = isAllowed({ role: rights.role, scopes: null }, 'runtime', 'operation');
  return { ...shown, ...(calls ? scopeField(rights) : { scope: 'read' }) };
}

/** A token as sites get it: they check it by hash, and let its holder do what it may do now. */
function replicatedToken(row: ApiTokenRow, rights: Rights) {
  const { maker: _, scope: __, expiresAt: ___, ...shown } = shownToken(row);
  return {
    ...shown,
    ...scopeField(rights),
    ...(rights.endsAt === null ? {} : { expiresAt: rights.endsAt }),
    hash: row.hash,
    role: rights.role,
  };
}

/** Says to the sites what a key may do now. */
export async function recordKey(tx: Tx, call: Call, row: ApiKeyRow): Promise<void> {
  const rights = await rightsOf(tx, call.tenant, `key:${row.kid}`, call.actor.at);
  const change = keyChange(call, row.kid);
  if (rights === undefined || opensNothing(rights)) await recordChange(tx, { ...change, op: 'delete' });
  else await recordChange(tx, { ...change, op: 'put', body: replicatedKey(row, rights) });
}

/** Says to the sites what a token may do now. */
export async function recordToken(tx: Tx, call: Call, row: ApiTokenRow): Promise<void> {
  const rights = await rightsOf(tx, call.tenant, `token:${row.id}`, call.actor.at);
  const change = tokenChange(call, row.id);
  if (rights === undefined || opensNothing(rights)) await recordChange(tx, { ...change, op: 'delete' });
  else await recordChange(tx, { ...change, op: 'put', body: replicatedToken(row, rights) });
}

/** Says it of everything that this maker made, and of what that made in turn. */
export async function recordMade(tx: Tx, call: Call, ref: string): Promise<void> {
  const seen = new Set([ref]);
  for (const maker of seen)
    for (const { kind, key } of await madeBy(tx, call.tenant, maker)) {
      const made = kind === 'apikey' ? `key:${key}` : kind === 'apitoken' ? `token:${key}` : `person:${key}`;
      if (kind === 'invitation' || kind === 'claim' || seen.has(made)) continue;
      seen.add(made);
      const keyRow = kind === 'apikey' ? await readApiKey(tx, call.tenant, key) : undefined;
      const tokenRow = kind === 'apitoken' ? await readApiToken(tx, call.tenant, key) : undefined;
      if (keyRow !== undefined) await recordKey(tx, call, keyRow);
      if (tokenRow !== undefined) await recordToken(tx, call, tokenRow);
    }
}
