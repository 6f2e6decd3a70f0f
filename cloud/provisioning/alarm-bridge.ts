import { invalid } from '#shared/contract/invalid.ts';
import {
  type AlarmBridge,
  type AlarmBridgeResponse,
  alarmBridgeRequestSchema,
  type JsonPatch,
  keepSecrets,
  maskSecrets,
  type ReplicatedAlarmBridge,
} from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Call, ConfigurationSet, ItemRow, Page, Reader, Tx } from '../store/index.ts';
import {
  allItems,
  deleteItems,
  hasItems,
  listItems,
  mutate,
  pageOf,
  putItem,
  readItem,
} from '../store/index.ts';
import { type Receiver, receiverOf, type Trial, tried } from './alarm-bridge-trial.ts';
import { checkMatch, entityTag } from './entity-tag.ts';
import { patched } from './json-patch.ts';
import type { ProvisioningPort } from './port.ts';
import { record } from './record.ts';

export const ALARM_BRIDGE = 'alarmbridge';

/** A resource with the tag of its present state. */
export interface Tagged<T> {
  readonly value: T;
  readonly etag: string;
}

export interface Stored {
  readonly id: string;
  readonly etag: string;
}

/** As it stands in the table, and as a site receives it. */
type Body = ReplicatedAlarmBridge & { readonly callbackId: string };

const bodyOf = (row: ItemRow) => row.body as unknown as Body;
const shown = (row: ItemRow): AlarmBridgeResponse =>
  maskSecrets('alarmBridge', bodyOf(row)) as AlarmBridgeResponse;
const unknown = (id: string) => fail('notFound', `There is no alarm bridge ${id}.`);

/** Alarm bridges (event receivers) in their working and provisory sets. */
export function alarmBridges({ store, random, sha256 }: ProvisioningPort) {
  const tagOf = (row: ItemRow) => entityTag(sha256, row.body);
  const readRow = (from: Reader, call: Pick<Call, 'tenant'>, set: ConfigurationSet, id: string) =>
    readItem(from, 'alarmBridge', { tenant: call.tenant, set }, id);

  /** Writes `bridge` in place of `before`, or as the first of its id in the set. */
  async function write(
    tx: Tx,
    call: Call,
    set: ConfigurationSet,
    ids: Pick<Body, 'id' | 'callbackId'>,
    bridge: AlarmBridge,
    before: ItemRow | undefined,
    action: string,
  ): Promise<Result<Stored>> {
    const kept = keepSecrets('alarmBridge', bridge, before?.body);
    if (!kept.ok) return kept;
    const body = { ...kept.value, id: ids.id, callbackId: ids.callbackId };
    await putItem(tx, 'alarmBridge', {
      tenant: call.tenant,
      set,
      id: ids.id,
      body,
      updatedAt: call.actor.at,
    });
    await record(tx, call, {
      resource: 'alarmBridge',
      entity: ALARM_BRIDGE,
      id: ids.id,
      action,
      ...(before?.set === set ? { before: before.body } : {}),
      after: body,
      provisory: set === 'provisory',
    });
    return ok({ id: ids.id, etag: entityTag(sha256, body) });
  }

  return {
    list: async (
      tenant: string,
      set: ConfigurationSet,
      after: string,
      limit: number,
    ): Promise<Page<AlarmBridgeResponse>> =>
      pageOf(
        await listItems(store, 'alarmBridge', { tenant, set }, after, limit + 1),
        limit,
        (row) => row.id,
        shown,
      ),

    read: async (
      tenant: string,
      set: ConfigurationSet,
      id: string,
    ): Promise<Result<Tagged<AlarmBridgeResponse>>> => {
      const row = await readRow(store, { tenant }, set, id);
      return row === undefined ? unknown(id) : ok({ value: shown(row), etag: tagOf(row) });
    },

    create: (call: Call, set: ConfigurationSet, bridge: AlarmBridge): Promise<Result<Stored>> =>
      mutate(store, call, (tx) => {
        const id = ulid(call.actor.at, random(10));
        const callbackId = ulid(call.actor.at, random(10));
        return write(tx, call, set, { id, callbackId }, bridge, undefined, 'create');
      }),

    /** In the provisory set also for an id that so far is only a working one: that stores its draft. */
    overwrite: (
      call: Call,
      set: ConfigurationSet,
      id: string,
      bridge: AlarmBridge,
    ): Promise<Result<Stored>> =>
      mutate(store, call, async (tx) => {
        const present = await readRow(tx, call, set, id);
        const origin = present ?? (set === 'provisory' ? await readRow(tx, call, 'working', id) : undefined);
        if (origin === undefined) return unknown(id);
        const match = checkMatch(call, present && tagOf(present));
        if (!match.ok) return match;
        return await write(tx, call, set, bodyOf(origin), bridge, origin, 'put');
      }),

    /** The patch sees what GET shows, secrets masked, so that no operation can copy a secret into the open. */
    patch: (call: Call, set: ConfigurationSet, id: string, patch: JsonPatch): Promise<Result<Stored>> =>
      mutate(store, call, async (tx) => {
        const before = await readRow(tx, call, set, id);
        if (before === undefined) return unknown(id);
        const match = checkMatch(call, tagOf(before));
        if (!match.ok) return match;
        const result = patched(shown(before), patch);
        if (!result.ok) return result;
        const parsed = alarmBridgeRequestSchema.safeParse(result.value);
        if (!parsed.success) return { ok: false, error: invalid(parsed.error) };
        return await write(tx, call, set, bodyOf(before), parsed.data, before, 'patch');
      }),

    /** Who takes a call or message to `destination` now. Fails with `notFound` when nobody does. */
    testConfiguration: async (tenant: string, destination: string): Promise<Result<Receiver>> =>
      receiverOf((await allItems(store, 'alarmBridge', { tenant, set: 'working' })).map(bodyOf), destination),

    /** Runs the bridge's customEventMap over an event. */
    tryMap: async (
      tenant: string,
      set: ConfigurationSet,
      id: string,
      event: unknown,
    ): Promise<Result<Trial>> => {
      const row = await readRow(store, { tenant }, set, id);
      return row === undefined ? unknown(id) : tried(bodyOf(row), event);
    },

    remove: (call: Call, set: ConfigurationSet, id: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const before = await readRow(tx, call, set, id);
        if (before === undefined) return unknown(id);
        const match = checkMatch(call, tagOf(before));
        if (!match.ok) return match;
        const where = { tenant: call.tenant, set };
        await deleteItems(tx, 'alarmBridge', where, [id]);
        await record(tx, call, {
          resource: 'alarmBridge',
          entity: ALARM_BRIDGE,
          id,
          action: 'delete',
          before: before.body,
          provisory: set === 'provisory',
          // Without this the sites' brake would refuse to lose their last receiver.
          massChange: !(await hasItems(tx, 'alarmBridge', where)),
        });
        return ok(null);
      }),
  };
}
