import { type FeedScope, SCOPES } from '#shared/contract/feed/index.ts';
import { HASH_SALT, mapSecrets, SECRET_PLACEHOLDER } from '#shared/contract/provisioning/index.ts';
import type { ChangedEntity } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type ChangeRow,
  changeAt,
  changesSince,
  type HostRow,
  type HostStatusRow,
  hostByName,
  readHostStatus,
} from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import type { LifecyclePort } from '../lifecycle/port.ts';
import { appliedOf, ownersOf } from './lag.ts';

/** Revisions looked through for one scope, and entities shown of all. */
const LOOKED_AT = 1_000;
const MOST = 50;

/** The replicated entities that may be read: keys, tokens and sealing keys are named and never shown. */
const SHOWN: ReadonlySet<string> = new Set([
  'alarmbridge',
  'alarmeventmapper',
  'callrecording',
  'cloudsipua',
  'device',
  'host',
  'maintenance',
  'mediaservice',
  'notificationsettings',
  'promptfile',
  'protocolprofile',
  'site',
  'trunk',
]);

/**
 * The state of each entity at the revision that the host has, and at the one it is offered or has refused, secrets masked;
 * entities that a refusal names come first. The former state is unknown where that change is kept no more.
 */
export function configurationDiff({ store }: Pick<LifecyclePort, 'store'>) {
  async function ofScope(scope: FeedScope, host: HostRow, status: HostStatusRow): Promise<ChangedEntity[]> {
    const owner = ownersOf(host)[scope];
    const since = appliedOf(status)[scope];
    const last = new Map<string, ChangeRow>();
    for (const row of await changesSince(store, scope, owner, since, LOOKED_AT))
      last.set(`${row.entity}/${row.id}`, row);
    const named = new Set(
      (status.refusals[scope]?.errors ?? []).map(({ path }) => path.split('/').slice(1, 3).join('/')),
    );
    const rows = [...last.values()].toSorted(
      (a, b) => Number(named.has(nameOf(b))) - Number(named.has(nameOf(a))) || a.rev - b.rev,
    );
    const shown: ChangedEntity[] = [];
    for (const row of rows.slice(0, MOST))
      shown.push({ ...(await changedEntity(store, scope, row, since)), refused: named.has(nameOf(row)) });
    return shown;
  }

  return async (tenant: string, { siteId, hostId }: HostName): Promise<Result<ChangedEntity[]>> => {
    const host = await hostByName(store, tenant, siteId, hostId);
    const status = host === undefined ? undefined : await readHostStatus(store, host.uid);
    if (host === undefined || status === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    const all: ChangedEntity[] = [];
    for (const scope of SCOPES) all.push(...(await ofScope(scope, host, status)));
    return ok(all.toSorted((a, b) => Number(b.refused) - Number(a.refused)).slice(0, MOST));
  };
}

/** The state of an entity at revision `since`, and as a later change has made it. */
async function changedEntity(
  store: LifecyclePort['store'],
  scope: FeedScope,
  row: ChangeRow,
  since: number,
): Promise<ChangedEntity> {
  const { entity, id, op, at, rev, owner } = row;
  const what = { scope, revision: rev, entity, id, op, at, refused: false };
  if (!SHOWN.has(entity)) return { ...what, hidden: true };
  const was = await changeAt(store, scope, owner, row, since);
  const before = was === undefined || was.op === 'delete' ? undefined : masked(was.body);
  const after = op === 'delete' ? undefined : masked(row.body);
  return {
    ...what,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/**
 * The entities of a tenant that changed behind revision `from` and up to `upTo`, the newest change first, secrets masked. At most
 * 50 of 1,000 changes: a record names the revision by which its session was treated.
 */
export const revisionChanges =
  ({ store }: Pick<LifecyclePort, 'store'>) =>
  async (tenant: string, from: number, upTo: number): Promise<ChangedEntity[]> => {
    const last = new Map<string, ChangeRow>();
    for (const row of await changesSince(store, 'tenant', tenant, from, LOOKED_AT))
      if (row.rev <= upTo) last.set(nameOf(row), row);
    const rows = [...last.values()].toSorted((a, b) => b.rev - a.rev).slice(0, MOST);
    const shown: ChangedEntity[] = [];
    for (const row of rows) shown.push(await changedEntity(store, 'tenant', row, from));
    return shown;
  };

const nameOf = ({ entity, id }: Pick<ChangeRow, 'entity' | 'id'>): string => `${entity}/${id}`;

function masked(body: unknown): Record<string, unknown> {
  const { [HASH_SALT]: _, ...shown } = mapSecrets(body ?? {}, () => SECRET_PLACEHOLDER) as Record<
    string,
    unknown
  >;
  return shown;
}
