import { invalid } from '#shared/contract/invalid.ts';
import type { Patch, ProvisioningWarning } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Call, ConfigurationSet, ItemRow, Page, Reader, Tx } from '../../store/index.ts';
import { deleteItems, hasItems, listItems, mutate, pageOf, readItem } from '../../store/index.ts';
import { shadowWarnings } from './competition.ts';
import { checkMatch, entityTag } from './entity-tag.ts';
import { patched } from './json-patch.ts';
import { checkPattern, checkRoom } from './pattern-budget.ts';
import type { ProvisioningPort } from './port.ts';
import { record } from './record.ts';
import { checkReferrers, checkUsers } from './reference.ts';
import { type Asked, RESOURCE_KINDS, type ResourceName, type Shown } from './resource-kind.ts';
import {
  bodyOf,
  checkRow,
  type GivenIds,
  idsOf,
  newIds,
  type Owner,
  putRow,
  shownRow,
  sipAddressOf,
} from './resource-row.ts';

/** A resource with the tag of its present state. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

export interface Stored {
  readonly id: string;
  readonly etag: string;
  /** The address, for kinds that are called. */
  readonly sipAddress?: string;
  /** Effects that may not be meant; absent: none. */
  readonly warnings?: readonly ProvisioningWarning[];
}

/** One kind of resource in its working and provisory sets: the same verbs for all of them. */
export interface Resource<Name extends ResourceName> {
  /** In order of id, those after `after`. */
  readonly list: (
    owner: Owner,
    set: ConfigurationSet,
    after: string,
    limit: number,
  ) => Promise<Page<Shown<Name>>>;
  readonly read: (owner: Owner, set: ConfigurationSet, id: string) => Promise<Result<Tagged<Shown<Name>>>>;
  readonly create: (call: Call, set: ConfigurationSet, asked: Asked<Name>) => Promise<Result<Stored>>;
  /** In the provisory set also for an id that so far is only a working one: that stores its draft. */
  readonly overwrite: (
    call: Call,
    set: ConfigurationSet,
    id: string,
    asked: Asked<Name>,
  ) => Promise<Result<Stored>>;
  /** The patch sees what GET shows, secrets masked, so that no operation can copy a secret into the open. */
  readonly patch: (call: Call, set: ConfigurationSet, id: string, patch: Patch) => Promise<Result<Stored>>;
  /** Fails with `conflict` while another working row names it. */
  readonly remove: (call: Call, set: ConfigurationSet, id: string) => Promise<Result<null>>;
}

interface Writing<Name extends ResourceName> {
  readonly set: ConfigurationSet;
  readonly ids: GivenIds;
  readonly asked: Asked<Name>;
  readonly before: ItemRow | undefined;
  readonly action: string;
}

export function resource<Name extends ResourceName>(port: ProvisioningPort, name: Name): Resource<Name> {
  const { store, sha256 } = port;
  const kind = RESOURCE_KINDS[name];
  const unknown = (id: string) => fail('notFound', `The ${kind.noun} ${id} does not exist. Check the id.`);
  const tagOf = (row: ItemRow) => entityTag(sha256, row.body);
  const find = (from: Reader, { tenant }: Owner, set: ConfigurationSet, id: string) =>
    readItem(from, name, { tenant, set }, id);

  /** `before`: the row whose secrets are kept; of a first draft the working one. */
  async function write(
    tx: Tx,
    call: Call,
    { set, ids, asked, before, action }: Writing<Name>,
  ): Promise<Result<Stored>> {
    const { id } = ids;
    const stands = await checkRow(tx, call, name, set, id, asked);
    if (!stands.ok) return stands;
    const body = bodyOf(port, name, ids, asked, before);
    if (!body.ok) return body;
    await putRow(tx, call, { name, set, id, body: body.value, before, action });
    const weight = await checkPattern(tx, { tenant: call.tenant, set }, body.value);
    if (!weight.ok) return weight;
    return ok({ id, ...sipAddressOf(name, id, call), etag: entityTag(sha256, body.value) });
  }

  /** Says whom a row that was written shadows. After its transaction: patterns of a whole tenant are looked at. */
  const withShadows = async (
    { tenant }: Owner,
    set: ConfigurationSet,
    done: Promise<Result<Stored>>,
  ): Promise<Result<Stored>> => {
    const result = await done;
    if (!result.ok) return result;
    const warnings = await shadowWarnings(store, { tenant, set }, name, result.value.id);
    return warnings.length === 0 ? result : ok({ ...result.value, warnings });
  };

  /** The name in the body is the id: it cannot become another one. */
  const renamed = (id: string, asked: Asked<Name>): Result<null> =>
    kind.key === 'name' && asked.name !== id
      ? fail(
          'invalid',
          '/name: cannot be changed; create the resource under its new name and delete this one',
          '/name',
        )
      : ok(null);

  return {
    list: async (owner, set, after, limit) =>
      pageOf(
        await listItems(store, name, { tenant: owner.tenant, set }, after, limit + 1),
        limit,
        (row) => row.id,
        (row) => shownRow(name, row, owner),
      ),

    read: async (owner, set, id) => {
      const row = await find(store, owner, set, id);
      return row === undefined ? unknown(id) : ok({ value: shownRow(name, row, owner), etag: tagOf(row) });
    },

    create: (call, set, asked) =>
      withShadows(
        call,
        set,
        mutate(store, call, async (tx) => {
          const ids = newIds(name, port, call.actor.at, asked);
          if (kind.key === 'name' && (await find(tx, call, set, ids.id)) !== undefined)
            return fail(
              'conflict',
              `/name: must be unique; the ${kind.noun} ${ids.id} exists already`,
              '/name',
            );
          const made = await write(tx, call, { set, ids, asked, before: undefined, action: 'create' });
          if (!made.ok) return made;
          const room = await checkRoom(tx, { tenant: call.tenant, set }, asked);
          return room.ok ? made : room;
        }),
      ),

    overwrite: (call, set, id, asked) =>
      withShadows(
        call,
        set,
        mutate(store, call, async (tx) => {
          const present = await find(tx, call, set, id);
          const origin = present ?? (set === 'provisory' ? await find(tx, call, 'working', id) : undefined);
          if (origin === undefined) return unknown(id);
          const match = checkMatch(call, present && tagOf(present));
          if (!match.ok) return match;
          const same = renamed(id, asked);
          if (!same.ok) return same;
          return await write(tx, call, { set, ids: idsOf(origin), asked, before: origin, action: 'put' });
        }),
      ),

    patch: (call, set, id, patch) =>
      withShadows(
        call,
        set,
        mutate(store, call, async (tx) => {
          const before = await find(tx, call, set, id);
          if (before === undefined) return unknown(id);
          const match = checkMatch(call, tagOf(before));
          if (!match.ok) return match;
          const result = patched(shownRow(name, before, call), patch);
          if (!result.ok) return result;
          const parsed = kind.request.safeParse(result.value);
          if (!parsed.success) return { ok: false, error: invalid(parsed.error) };
          const same = renamed(id, parsed.data);
          if (!same.ok) return same;
          const asked = parsed.data;
          return await write(tx, call, { set, ids: idsOf(before), asked, before, action: 'patch' });
        }),
      ),

    remove: (call, set, id) =>
      mutate(store, call, async (tx) => {
        const before = await find(tx, call, set, id);
        if (before === undefined) return unknown(id);
        const match = checkMatch(call, tagOf(before));
        if (!match.ok) return match;
        const { tenant } = call;
        const free = set === 'working' ? await checkReferrers(tx, tenant, name, id) : ok(null);
        if (!free.ok) return free;
        const spoken = name === 'protocolProfile' ? await checkUsers(tx, tenant, id) : ok(null);
        if (!spoken.ok) return spoken;
        await deleteItems(tx, name, { tenant, set }, [id]);
        await record(tx, call, {
          resource: name,
          entity: kind.entity,
          id,
          action: 'delete',
          before: before.body,
          provisory: set === 'provisory',
          // Without this the sites' brake would refuse to lose their last receiver.
          massChange: name === 'alarmBridge' && !(await hasItems(tx, name, { tenant, set })),
        });
        return ok(null);
      }),
  };
}
