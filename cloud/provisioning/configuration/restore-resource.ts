import { invalid } from '#shared/contract/invalid.ts';
import { isPathStep } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { allItems, type Call, deleteItems, type ItemRow, putItems, type Tx } from '../../store/index.ts';
import { entityTag } from '../resource/entity-tag.ts';
import { checkLists } from '../resource/list-knowledge.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { recordMany } from '../resource/record.ts';
import { checkReferences, checkUse, profilesOf } from '../resource/reference.ts';
import { type Asked, RESOURCE_KINDS, type ResourceName } from '../resource/resource-kind.ts';
import { bodyOf, type GivenIds, newIds } from '../resource/resource-row.ts';
import { sectionOf } from '../resource/section.ts';
import { below } from './below.ts';

/** A resource as GET gives it. */
export type GivenRow = Readonly<Record<string, unknown>>;

export interface ReadRow {
  readonly asked: Asked<ResourceName>;
  /** Absent: the row is new and the service names it. */
  readonly id: string | undefined;
  readonly callbackId: string | undefined;
}

/** Rows of one kind that are there now. */
export interface ReadKind {
  readonly name: ResourceName;
  readonly rows: readonly ReadRow[];
}

const ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** Every row by the schema of its POST. Fails with `invalid` and the place in the whole document. */
export function readRows(name: ResourceName, given: readonly GivenRow[]): Result<ReadRow[]> {
  const { key, request } = RESOURCE_KINDS[name];
  const section = sectionOf(name);
  const seen = new Set<string>();
  const rows: ReadRow[] = [];
  for (const [index, row] of given.entries()) {
    const place = `/${section}/${index}`;
    const parsed = request.safeParse(row);
    if (!parsed.success) return below(place, invalid(parsed.error));
    const id = row[key];
    if (id !== undefined && !(typeof id === 'string' && ID.test(id) && !isPathStep(id)))
      return below(place, fail('invalid', `/${key}: must be an id`, `/${key}`).error);
    if (id !== undefined && seen.has(id))
      return below(
        place,
        fail('invalid', `/${key}: must be unique; the list has ${id} twice`, `/${key}`).error,
      );
    if (id !== undefined) seen.add(id);
    const { callbackId } = row;
    rows.push({
      asked: parsed.data,
      id,
      callbackId: typeof callbackId === 'string' ? callbackId : undefined,
    });
  }
  return ok(rows);
}

/** Puts the rows in place of all that were there; what has not changed is not touched. One audit entry for all. */
export async function writeRows(
  tx: Tx,
  port: ProvisioningPort,
  call: Call,
  name: ResourceName,
  rows: readonly ReadRow[],
): Promise<Result<null>> {
  const where = { tenant: call.tenant, set: 'working' } as const;
  const left = new Map((await allItems(tx, name, where)).map((row) => [row.id, row]));
  const before = new Map<string, unknown>();
  const put: ItemRow[] = [];
  for (const [index, row] of rows.entries()) {
    const present = row.id === undefined ? undefined : left.get(row.id);
    const ids = idsFor(port, call, name, row, present);
    const body = bodyOf(port, name, ids, row.asked as never, present);
    if (!body.ok) return below(`/${sectionOf(name)}/${index}`, body.error);
    left.delete(ids.id);
    if (present !== undefined && tag(port, present.body) === tag(port, body.value)) continue;
    if (present !== undefined) before.set(ids.id, present.body);
    put.push({ ...where, id: ids.id, body: body.value, updatedAt: call.actor.at });
  }
  for (const { id, body } of left.values()) before.set(id, body);
  const knows = await checkLists(
    tx,
    call.tenant,
    put.map(({ body }) => body),
  );
  if (!knows.ok) return knows;
  await putItems(tx, name, put);
  await deleteItems(tx, name, where, [...left.keys()]);
  const { entity } = RESOURCE_KINDS[name];
  await recordMany(tx, call, { resource: name, entity, action: 'restore', massChange: true }, before, put);
  return ok(null);
}

const tag = ({ sha256 }: ProvisioningPort, body: unknown) => entityTag(sha256, body);

function idsFor(
  port: ProvisioningPort,
  call: Call,
  name: ResourceName,
  row: ReadRow,
  before: ItemRow | undefined,
): GivenIds {
  const made = newIds(name, port, call.actor.at, row.asked as never);
  const known = row.callbackId ?? (before?.body as { callbackId?: string } | undefined)?.callbackId;
  return {
    id: row.id ?? made.id,
    ...(made.callbackId === undefined ? {} : { callbackId: known ?? made.callbackId }),
  };
}

/** Bridges and mappers of the working set whose profile says nothing to them: from before this was refused. */
export async function uselessNames(tx: Tx, tenant: string): Promise<ReadonlySet<string>> {
  const profiles = await profilesOf(tx, tenant);
  const found = new Set<string>();
  for (const name of ['alarmEventMapper', 'alarmBridge'] as const)
    for (const { id, body } of await allItems(tx, name, { tenant, set: 'working' }))
      if (!checkUse(name, body, profiles).ok) found.add(nameOf(name, id, body));
  return found;
}

const nameOf = (name: ResourceName, id: string, body: unknown): string =>
  `${name} ${id} ${(body as { readonly protocolProfile?: string }).protocolProfile}`;

/**
 * Whether every row of the working set names only rows that are there, and profiles that say something to it. `before`: those that did
 * not when the document came; one that still names the same is not in the way of the others.
 */
export async function checkWhole(
  tx: Tx,
  tenant: string,
  kinds: readonly ReadKind[],
  before: ReadonlySet<string>,
): Promise<Result<null>> {
  const profiles = await profilesOf(tx, tenant);
  for (const name of ['protocolProfile', 'alarmEventMapper', 'alarmBridge'] as const) {
    const given = kinds.find((kind) => kind.name === name)?.rows ?? [];
    for (const { id, body } of await allItems(tx, name, { tenant, set: 'working' })) {
      const there = await checkReferences(tx, { tenant, set: 'working' }, name, body);
      const isOld = before.has(nameOf(name, id, body));
      const leads = there.ok && !isOld ? checkUse(name, body, profiles) : there;
      if (leads.ok) continue;
      const index = given.findIndex((row) => row.id === id);
      return below(`/${sectionOf(name)}/${index === -1 ? id : index}`, leads.error);
    }
  }
  return ok(null);
}
