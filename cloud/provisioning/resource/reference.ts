import { contentFault, type ProfileRows, profileUseFault } from '#shared/contract/profile/index.ts';
import {
  type AlarmBridge,
  type AlarmEventMapper,
  type ProtocolProfile,
  type RowReference,
  referencesOf,
} from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { allItems, type ConfigurationSet, type ItemRow, type Reader, readItem } from '../../store/index.ts';
import { RESOURCE_KINDS, RESOURCE_NAMES, type ResourceName } from './resource-kind.ts';

/** Rows that others can name. */
const NAMED: { readonly [entity in RowReference['entity']]: ResourceName } = {
  alarmeventmapper: 'alarmEventMapper',
  protocolprofile: 'protocolProfile',
};

/**
 * Whether everything that `body` names is there: in the working set, and for a draft also among the drafts. Fails with
 * `invalid` and the pointer of the field, because an alarm would find out otherwise.
 */
export async function checkReferences(
  from: Reader,
  where: { readonly tenant: string; readonly set: ConfigurationSet },
  name: ResourceName,
  body: unknown,
): Promise<Result<null>> {
  for (const reference of referencesOf(RESOURCE_KINDS[name].entity, body)) {
    const table = NAMED[reference.entity];
    const sets: ConfigurationSet[] = where.set === 'working' ? ['working'] : ['provisory', 'working'];
    let row: ItemRow | undefined;
    for (const set of sets) row ??= await readItem(from, table, { tenant: where.tenant, set }, reference.id);
    const fault =
      row === undefined ? `is not the id of a ${RESOURCE_KINDS[table].noun}` : kindFault(row, reference);
    if (fault !== undefined)
      return fail('invalid', `${reference.path}: ${reference.id} ${fault}.`, reference.path);
  }
  return name === 'protocolProfile'
    ? await checkExtension(from, where.tenant, body as ProtocolProfile)
    : ok(null);
}

/** Profiles of the working set, by name. */
export type Profiles = ReadonlyMap<string, ProtocolProfile>;

export async function profilesOf(from: Reader, tenant: string): Promise<Profiles> {
  const rows = await allItems(from, 'protocolProfile', { tenant, set: 'working' });
  return new Map(rows.map(({ id, body }) => [id, body as ProtocolProfile]));
}

/**
 * Whether the profile that a bridge or mapper names says anything to it: one that is off, or that nothing here reads or sends, would
 * have no effect, and an alarm would find out. Fails with `invalid` and the pointer of the field.
 */
export function checkUse(name: ResourceName, body: unknown, profiles: Profiles): Result<null> {
  const fault = faultOfUse(name, body, (id) => profiles.get(id));
  if (fault === undefined) return ok(null);
  return fail('invalid', `${USED_BY}: ${(body as Naming).protocolProfile} ${fault}.`, USED_BY);
}

/** Field of a bridge or mapper that names how it speaks. */
const USED_BY = '/protocolProfile';
type Naming = Pick<AlarmBridge, 'protocolProfile'> & Pick<AlarmEventMapper, 'protocolProfile'>;

function faultOfUse(name: ResourceName, body: unknown, rowOf: ProfileRows): string | undefined {
  const { protocolProfile: named, protocol } = body as Naming & { readonly protocol?: string };
  if (named === undefined || (name !== 'alarmBridge' && name !== 'alarmEventMapper')) return undefined;
  return profileUseFault({ as: name === 'alarmBridge' ? 'receiver' : 'sender', protocol, named }, rowOf);
}

function kindFault(row: ItemRow, { kinds }: RowReference): string | undefined {
  const { kind } = row.body as { kind?: ProtocolProfile['kind'] };
  if (kind === undefined || kinds.includes(kind)) return undefined;
  return `is a protocol profile of kind ${kind}, and this field takes ${kinds.join(', ')}`;
}

/** Following `extends` must end at a built-in profile, which says what the content may hold. */
async function checkExtension(from: Reader, tenant: string, profile: ProtocolProfile): Promise<Result<null>> {
  const seen = new Set<string>();
  let at: ProtocolProfile | undefined = profile;
  while (at !== undefined && !seen.has(at.name)) {
    seen.add(at.name);
    const [origin] = referencesOf('protocolprofile', at);
    if (origin === undefined) return checkContent(profile, at.extends);
    const row = await readItem(from, 'protocolProfile', { tenant, set: 'working' }, origin.id);
    at = origin.id === profile.name ? profile : (row?.body as ProtocolProfile | undefined);
  }
  const path = [...seen, profile.name].join(', ');
  return fail('invalid', `/extends: ends at no built-in profile: ${path}.`, '/extends');
}

function checkContent({ kind, content }: ProtocolProfile, root: string): Result<null> {
  const fault = contentFault(kind, root, content);
  if (fault === undefined) return ok(null);
  const path = `/content${fault.path}`;
  return fail('invalid', `${path}: ${fault.reason.replace(/^[^:]*: /, '')}`, path);
}

/**
 * Whether a working row can go, or `kept` its new body stand in its place: fails with `conflict` while another working
 * row names it and would find nothing, or something of another kind.
 */
export async function checkReferrers(
  from: Reader,
  tenant: string,
  name: ResourceName,
  id: string,
  kept?: unknown,
): Promise<Result<null>> {
  const { entity, noun } = RESOURCE_KINDS[name];
  // A mapper that stays is as good as before; a profile may have become one of another kind.
  const isConcerned = kept === undefined ? Object.hasOwn(NAMED, entity) : name === 'protocolProfile';
  if (!isConcerned) return ok(null);
  const { kind } = (kept ?? {}) as { kind?: ProtocolProfile['kind'] };
  for (const other of RESOURCE_NAMES) {
    for (const row of await referring(from, tenant, other)) {
      const holds = referencesOf(RESOURCE_KINDS[other].entity, row.body).find(
        (reference) => reference.entity === entity && reference.id === id,
      );
      if (holds === undefined || (other === name && row.id === id)) continue;
      if (kind !== undefined && holds.kinds.includes(kind)) continue;
      const by = `${RESOURCE_KINDS[other].noun} ${row.id} (${holds.path})`;
      return fail('conflict', `The ${noun} ${id} cannot be deleted: ${by} uses it. Change that first.`);
    }
  }
  return ok(null);
}

/**
 * Whether the bridges and mappers that speak by a profile still would, were `kept` in its place or, without it, the profile
 * removed: fails with `conflict` where one could and no longer can. They may name it, what extends it, or the built-in one
 * whose name it has.
 */
export async function checkUsers(
  from: Reader,
  tenant: string,
  id: string,
  kept?: ProtocolProfile,
): Promise<Result<null>> {
  const before = await profilesOf(from, tenant);
  const after = new Map(before);
  if (kept === undefined) after.delete(id);
  else after.set(id, kept);
  for (const name of ['alarmBridge', 'alarmEventMapper'] as const) {
    for (const { id: user, body } of await allItems(from, name, { tenant, set: 'working' })) {
      const fault = faultOfUse(name, body, (named) => after.get(named));
      if (fault === undefined || faultOfUse(name, body, (named) => before.get(named)) !== undefined) continue;
      const { noun } = RESOURCE_KINDS[name];
      const by = `${noun} ${user} (${USED_BY} ${(body as Naming).protocolProfile})`;
      return fail('conflict', `The protocol profile ${id} is used by ${by}, which then ${fault}.`);
    }
  }
  return ok(null);
}

/** Rows that may name others; of the rest nothing is read. */
async function referring(from: Reader, tenant: string, name: ResourceName): Promise<ItemRow[]> {
  const names = ['alarmBridge', 'alarmEventMapper', 'protocolProfile'];
  return names.includes(name) ? await allItems(from, name, { tenant, set: 'working' }) : [];
}
