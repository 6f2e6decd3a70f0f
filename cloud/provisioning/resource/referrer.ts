import { type Referrer, referencesOf } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { allItems, type ConfigurationSet, type ItemRow, type Reader, readItem } from '../../store/index.ts';
import { RESOURCE_KINDS } from './resource-kind.ts';

/** Resources that others name by their ids. */
export type NamedResource = 'alarmEventMapper' | 'protocolProfile';

/** Kinds whose rows name others, in the order of the answer. */
const REFERRING = ['alarmBridge', 'alarmEventMapper', 'protocolProfile'] as const;
const SETS: readonly ConfigurationSet[] = ['working', 'provisory'];

/**
 * The objects that name this one, drafts among them: whoever changes or removes it changes what they do. Fails with `notFound`.
 */
export async function referrersOf(
  from: Reader,
  tenant: string,
  name: NamedResource,
  id: string,
): Promise<Result<readonly Referrer[]>> {
  const { noun } = RESOURCE_KINDS[name];
  const isThere = async (set: ConfigurationSet): Promise<boolean> =>
    (await readItem(from, name, { tenant, set }, id)) !== undefined;
  if (!(await isThere('working')) && !(await isThere('provisory')))
    return fail('notFound', `The ${noun} ${id} does not exist. Check the id.`);
  const found: Referrer[] = [];
  for (const set of SETS)
    for (const kind of REFERRING)
      for (const row of await allItems(from, kind, { tenant, set })) {
        const { entity } = RESOURCE_KINDS[kind];
        const head = { entity: entity as Referrer['entity'], id: row.id, name: nameOf(row) };
        for (const path of pathsTo(name, id, entity, row.body))
          found.push({ ...head, path, draft: set === 'provisory' });
      }
  return ok(found);
}

const nameOf = ({ id, body }: ItemRow): string => (body as { readonly name?: string }).name ?? id;

/** Fields that name a profile; a tenant's profile with the name of a built-in one stands in its place. */
interface Speaking {
  readonly protocolProfile?: string;
  readonly targetEndpoint?: { readonly siaMapping?: string };
}

function pathsTo(name: NamedResource, id: string, entity: string, body: unknown): readonly string[] {
  const referred = referencesOf(entity, body)
    .filter((each) => each.entity === RESOURCE_KINDS[name].entity && each.id === id)
    .map(({ path }) => path);
  if (name !== 'protocolProfile') return referred;
  const { protocolProfile, targetEndpoint } = body as Speaking;
  return [
    ...new Set([
      ...referred,
      ...(protocolProfile === id ? ['/protocolProfile'] : []),
      ...(targetEndpoint?.siaMapping === id ? ['/targetEndpoint/siaMapping'] : []),
    ]),
  ];
}
