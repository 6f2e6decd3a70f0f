import { invalid } from '#shared/contract/invalid.ts';
import { maskSecrets } from '#shared/contract/provisioning/index.ts';
import type { ResourceVersion, VersionDifference } from '#shared/contract/record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type AuditRow, auditOf, type Call, type Page, pageOf, readItem } from '../../store/index.ts';
import type { ProvisioningPort } from './port.ts';
import type { Resource, Stored } from './resource.ts';
import { RESOURCE_KINDS, type ResourceName } from './resource-kind.ts';

/** Chosen: a person reads a few places; a body that differs in more is another body. */
const MOST_DIFFERENCES = 200;

export interface ResourceHistory {
  /** Versions of a resource, newest first, each with its difference to today. Fails with `invalid` for a token of another list. */
  readonly history: (
    tenant: string,
    id: string,
    after: string,
    limit: number,
  ) => Promise<Result<Page<ResourceVersion>>>;
  /** Stores the version of this audit entry again; its secrets are those of today. Fails with `notFound` and like PUT. */
  readonly restore: (call: Call, id: string, seq: number) => Promise<Result<Stored>>;
}

/** The history of one kind of resource, read from the audit log: every write stands there with the values after it. */
export function resourceHistory<Name extends ResourceName>(
  { store }: Pick<ProvisioningPort, 'store'>,
  name: Name,
  core: Resource<Name>,
): ResourceHistory {
  const { entity, noun, request } = RESOURCE_KINDS[name];
  return {
    history: async (tenant, id, after, limit) => {
      const before = after === '' ? undefined : Number(after);
      if (before !== undefined && !Number.isSafeInteger(before))
        return fail(
          'invalid',
          '/nextToken: must be the nextToken of a previous page of this list',
          '/nextToken',
        );
      const row = await readItem(store, name, { tenant, set: 'working' }, id);
      const today = row === undefined ? undefined : maskSecrets(name, row.body);
      const rows = await auditOf(store, tenant, { entity, id }, before, limit + 1);
      return ok(
        pageOf(
          rows,
          limit,
          ({ seq }) => String(seq),
          (each) => versionOf(each, today, name),
        ),
      );
    },

    restore: async (call, id, seq) => {
      const [entry] = await auditOf(store, call.tenant, { entity, id }, seq + 1, 1);
      const { after } = (entry?.seq === seq ? entry.detail : {}) as { after?: unknown };
      if (after === undefined)
        return fail(
          'notFound',
          `The version ${seq} of the ${noun} ${id} does not exist, or it was a deletion. List the history for its versions.`,
        );
      const asked = request.safeParse(after);
      if (!asked.success) return { ok: false, error: invalid(asked.error) };
      return await core.overwrite(call, 'working', id, asked.data as Parameters<typeof core.overwrite>[3]);
    },
  };
}

function versionOf(
  { seq, at, actor, action, detail }: AuditRow,
  today: unknown,
  name: ResourceName,
): ResourceVersion {
  const noted = detail as { before?: unknown; after?: unknown };
  // An entry of an earlier program may show a member that counts as a secret now.
  const [before, after] = [maskSecrets(name, noted.before), maskSecrets(name, noted.after)];
  return {
    ...{ seq, at, actor, action },
    ...(after !== undefined && { body: after as Record<string, unknown> }),
    changed: differences(before, after),
    toToday: differences(after, today),
  };
}

/** Places at which two bodies differ, objects place by place and lists as a whole; a body that is not there has no place. */
function differences(before: unknown, after: unknown): VersionDifference[] {
  const found: VersionDifference[] = [];
  const walk = (path: string, a: unknown, b: unknown): void => {
    if (found.length >= MOST_DIFFERENCES || JSON.stringify(a) === JSON.stringify(b)) return;
    if (isObject(a) && isObject(b)) {
      const names = new Set([...Object.keys(a), ...Object.keys(b)]);
      for (const each of [...names].toSorted()) walk(`${path}/${pointerOf(each)}`, a[each], b[each]);
      return;
    }
    found.push({ path, ...(a !== undefined && { before: a }), ...(b !== undefined && { after: b }) });
  };
  walk('', before ?? {}, after ?? {});
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name in a JSON pointer (RFC 6901 3). */
const pointerOf = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
