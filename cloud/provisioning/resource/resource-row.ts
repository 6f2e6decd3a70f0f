import { keepSecrets, maskSecrets, type ProtocolProfile } from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { serviceAddress } from '#shared/matching/index.ts';
import { ok, type Result } from '#shared/result.ts';
import { type Call, type ConfigurationSet, type ItemRow, putItem, type Tx } from '../../store/index.ts';
import { checkLists } from './list-knowledge.ts';
import type { ProvisioningPort } from './port.ts';
import { record } from './record.ts';
import { checkReferences, checkReferrers, checkUse, checkUsers, profilesOf } from './reference.ts';
import { type Asked, RESOURCE_KINDS, type ResourceName, type Shown } from './resource-kind.ts';
import { checkCredentials } from './signing-credential.ts';

/** Whose rows. */
export type Owner = Pick<Call, 'tenant' | 'domain'>;

/** The ids that the service adds to a body; they are in the row and in the rows that sites receive. */
export interface GivenIds {
  readonly id: string;
  readonly callbackId?: string;
}

/** The resource as answers show it: secrets masked. */
export function shownRow<Name extends ResourceName>(name: Name, row: ItemRow, owner: Owner): Shown<Name> {
  const masked = maskSecrets(name, row.body);
  return { ...masked, ...sipAddressOf(name, row.id, owner) } as unknown as Shown<Name>;
}

/** The SIP address of a kind that is called; nothing of the others. */
export const sipAddressOf = (name: ResourceName, id: string, { domain }: Owner): { sipAddress?: string } =>
  RESOURCE_KINDS[name].isCalled ? { sipAddress: serviceAddress(id, domain) } : {};

/** Ids of a new resource. */
export function newIds<Name extends ResourceName>(
  name: Name,
  { random }: Pick<ProvisioningPort, 'random'>,
  at: number,
  asked: Asked<Name>,
): GivenIds {
  const { key, hasCallbackId } = RESOURCE_KINDS[name];
  const id = key === 'name' ? asked.name : ulid(at, random(10));
  return hasCallbackId ? { id, callbackId: ulid(at, random(10)) } : { id };
}

/** Ids of a row that is there. */
export function idsOf({ id, body }: ItemRow): GivenIds {
  const { callbackId } = body as { callbackId?: string };
  return callbackId === undefined ? { id } : { id, callbackId };
}

/**
 * The body as it will be stored: with its ids, and with the secrets of `before` where the placeholder stands. Fails with
 * `secretUnknown` where there is none to keep, and with `invalid` where a new one cannot sign.
 */
export function bodyOf<Name extends ResourceName>(
  port: Pick<ProvisioningPort, 'signingFault'>,
  name: Name,
  ids: GivenIds,
  asked: Asked<Name>,
  before: ItemRow | undefined,
): Result<Record<string, unknown>> {
  const kept = keepSecrets(name, asked, before?.body);
  if (!kept.ok) return kept;
  const signs = checkCredentials(port, kept.value, before?.body);
  if (!signs.ok) return signs;
  return ok(RESOURCE_KINDS[name].key === 'name' ? { ...kept.value } : { ...kept.value, ...ids });
}

export interface Written {
  readonly name: ResourceName;
  readonly set: ConfigurationSet;
  readonly id: string;
  readonly body: Record<string, unknown>;
  /** The former row; a row of the other set counts as nothing. */
  readonly before: ItemRow | undefined;
  readonly action: string;
}

/** Writes the body in place of `before`, with change and audit entry. References are the caller's business. */
export async function putRow(tx: Tx, call: Call, written: Written): Promise<void> {
  const { name, set, id, body, before, action } = written;
  const { tenant, actor } = call;
  await putItem(tx, name, { tenant, set, id, body, updatedAt: actor.at });
  await record(tx, call, {
    resource: name,
    entity: RESOURCE_KINDS[name].entity,
    id,
    action,
    ...(before?.set === set ? { before: before.body } : {}),
    after: body,
    provisory: set === 'provisory',
  });
}

/** Whether `body` may stand in the set: what it names is there, and whoever names it can live with it. */
export async function checkRow(
  tx: Tx,
  { tenant }: Owner,
  name: ResourceName,
  set: ConfigurationSet,
  id: string,
  body: unknown,
): Promise<Result<null>> {
  const leads = await checkReferences(tx, { tenant, set }, name, body);
  if (!leads.ok) return leads;
  if (set === 'working') {
    const known = await checkLists(tx, tenant, [body]);
    if (!known.ok) return known;
  }
  const speaks = checkUse(name, body, await profilesOf(tx, tenant));
  if (!speaks.ok || set !== 'working') return speaks;
  const free = await checkReferrers(tx, tenant, name, id, body);
  return free.ok && name === 'protocolProfile'
    ? await checkUsers(tx, tenant, id, body as ProtocolProfile)
    : free;
}
