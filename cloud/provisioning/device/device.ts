import { invalid } from '#shared/contract/invalid.ts';
import {
  type Device,
  type DeviceResponse,
  deviceRequestSchema,
  maskSecrets,
  type Patch,
} from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Call, DeviceRow, DeviceWithHeartbeat, Tx } from '../../store/index.ts';
import {
  countDevices,
  deleteAllDevices,
  deleteDevice,
  mutate,
  putDevice,
  putDevices,
  readDevice,
  readDeviceBodies,
  recordAudit,
  recordChanges,
} from '../../store/index.ts';
import { checkMatch, entityTag } from '../resource/entity-tag.ts';
import { patched } from '../resource/json-patch.ts';
import { checkLists, listPointer } from '../resource/list-knowledge.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { record, recordMany } from '../resource/record.ts';
import { accountConflicts } from './device-account.ts';
import {
  type NewCredential,
  newCredential,
  type StoredDevice,
  sealed,
  withPlaceholders,
} from './device-credential.ts';

export const DEVICE = 'device';

export interface DeviceStored {
  readonly etag: string;
  /** Generated for authType credentials; shown in this answer only. */
  readonly password?: string;
}

/** The effects of a load in addition to its rows. */
export interface BesideMany {
  /** Its progress: in the transaction of the rows; a failure undoes them. */
  readonly write: (tx: Tx, results: readonly Result<unknown>[]) => Promise<Result<null>>;
  /** Lets waiting requests be served: with one file for a database a large transaction would hold up everybody. */
  readonly breathe: () => Promise<void>;
}

/** Rows written between two breaths, some milliseconds of work. */
const SLICE = 25;

const storedOf = (row: DeviceRow) => row.body as unknown as StoredDevice;
const unknown = (id: string) => fail('notFound', `The device ${id} does not exist. Check the deviceId.`);

/** The device as answers show it. */
export function shownDevice({ device, heartbeat }: DeviceWithHeartbeat): DeviceResponse {
  return {
    ...maskSecrets('device', withPlaceholders(storedOf(device))),
    ...(heartbeat === null
      ? {}
      : { heartbeatStatus: heartbeat.status, heartbeatExpiration: heartbeat.expiration }),
  };
}

/** SIP devices, alarm units and application users. */
export function devices(port: ProvisioningPort) {
  const { store, sha256 } = port;
  const tagOf = (row: DeviceRow) => entityTag(sha256, row.body);

  async function write(
    tx: Tx,
    call: Call,
    device: Device,
    credential: NewCredential,
    before: DeviceRow | undefined,
    action: string,
  ): Promise<Result<{ etag: string }>> {
    const id = device.deviceId;
    const known = new Map(before === undefined ? [] : [[id, storedOf(before)]]);
    const conflict = (await accountConflicts(tx, call.tenant, [device], known)).get(device);
    if (conflict !== undefined) return conflict;
    const knows = await checkLists(tx, call.tenant, [device]);
    if (!knows.ok) return knows;
    const body = sealed(device, credential, before && storedOf(before));
    if (!body.ok) return body;
    await putDevice(tx, { tenant: call.tenant, id, body: body.value, updatedAt: call.actor.at });
    await record(tx, call, {
      ...written(id, action),
      ...(before === undefined ? {} : { before: before.body }),
      after: body.value,
    });
    return ok({ etag: entityTag(sha256, body.value) });
  }

  async function writeMany(
    tx: Tx,
    call: Call,
    many: readonly Device[],
    credentials: readonly NewCredential[],
  ): Promise<Result<{ password?: string }>[]> {
    const ids = many.map((device) => device.deviceId);
    const before = await readDeviceBodies(tx, call.tenant, ids);
    const conflicts = await accountConflicts(tx, call.tenant, many, before);
    const knows = await checkLists(tx, call.tenant, many);
    const after = new Map<string, StoredDevice>();
    const results = many.map((device, index): Result<{ password?: string }> => {
      const credential = credentials[index] ?? {};
      const id = device.deviceId;
      const conflict = conflicts.get(device);
      if (conflict !== undefined) return conflict;
      if (!knows.ok && listPointer(device) !== undefined) return knows;
      const known = after.get(id) ?? (before.get(id) as StoredDevice | undefined);
      const body = sealed(device, credential, known);
      if (!body.ok) return body;
      after.set(id, body.value);
      const { password } = credential;
      return ok(password === undefined ? {} : { password });
    });
    const rows = [...after].map(([id, body]) => ({ id, body }));
    const updatedAt = call.actor.at;
    await putDevices(
      tx,
      rows.map(({ id, body }) => ({ tenant: call.tenant, id, body, updatedAt })),
    );
    await recordMany(tx, call, { resource: 'device', entity: DEVICE, action: 'put' }, before, rows);
    return results;
  }

  return {
    /** Adds the device or overwrites it. */
    put: async (call: Call, device: Device): Promise<Result<DeviceStored>> => {
      const credential = await newCredential(port, call.domain, device);
      return await mutate(store, call, async (tx) => {
        const before = (await readDevice(tx, call.tenant, device.deviceId))?.device;
        const match = checkMatch(call, before && tagOf(before));
        if (!match.ok) return match;
        const result = await write(
          tx,
          call,
          device,
          credential,
          before,
          before === undefined ? 'create' : 'put',
        );
        if (!result.ok) return result;
        const { password } = credential;
        return ok({ ...result.value, ...(password === undefined ? {} : { password }) });
      });
    },

    /**
     * Many at once, in one transaction and one revision: for loads in bulk, at most 500 a call. A device that cannot be
     * written has its failure at its place and does not stop the others; of two with one id the later stands.
     */
    putMany: async (
      call: Call,
      many: readonly Device[],
      beside?: BesideMany,
    ): Promise<Result<readonly Result<{ password?: string }>[]>> => {
      const credentials = await Promise.all(many.map((device) => newCredential(port, call.domain, device)));
      return await mutate(store, call, async (tx) => {
        const results: Result<{ password?: string }>[] = [];
        for (let at = 0; at < many.length; at += SLICE) {
          const end = at + SLICE;
          results.push(...(await writeMany(tx, call, many.slice(at, end), credentials.slice(at, end))));
          await beside?.breathe();
        }
        const rest = await beside?.write(tx, results);
        return rest?.ok === false ? rest : ok(results);
      });
    },

    /**
     * Works on what GET shows. The id is the device's name and cannot be patched. A patch meets the device as it is in
     * its transaction, so that two patches of different fields both hold. Only a new credential is worked out before,
     * because a hash takes too long; while another request changes its reason the patch is tried again.
     */
    patch: async (call: Call, id: string, patch: Patch): Promise<Result<DeviceStored>> => {
      for (let tries = 1; ; tries++) {
        const seen = await readDevice(store, call.tenant, id);
        if (seen === undefined) return unknown(id);
        const device = patchedDevice(seen, patch);
        if (!device.ok) return device;
        const credential = await newCredential(port, call.domain, device.value);
        const result = await mutate(store, call, async (tx) => {
          const present = await readDevice(tx, call.tenant, id);
          if (present === undefined) return unknown(id);
          const match = checkMatch(call, tagOf(present.device));
          if (!match.ok) return match;
          const now = patchedDevice(present, patch);
          if (!now.ok) return now;
          if (!isSameProof(now.value, device.value)) return CHANGED;
          const stored = await write(tx, call, now.value, credential, present.device, 'patch');
          if (!stored.ok) return stored;
          const { password } = credential;
          return ok({ ...stored.value, ...(password === undefined ? {} : { password }) });
        });
        if (result.ok || result.error.code !== CHANGED.error.code) return result;
        if (tries === MOST_TRIES)
          return fail(
            'conflict',
            `The device ${id} is not changed: other requests changed its credential at the same time. Try again.`,
          );
      }
    },

    remove: (call: Call, id: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const before = (await readDevice(tx, call.tenant, id))?.device;
        if (before === undefined) return unknown(id);
        const match = checkMatch(call, tagOf(before));
        if (!match.ok) return match;
        await deleteDevice(tx, call.tenant, id);
        await record(tx, call, { ...written(id, 'delete'), before: before.body });
        return ok(null);
      }),

    count: (tenant: string): Promise<number> => countDevices(store, tenant),

    /** Removes every device in one transaction, hence one revision; returns how many. */
    removeAll: (call: Call): Promise<Result<number>> =>
      mutate(store, call, async (tx) => {
        const ids = await deleteAllDevices(tx, call.tenant);
        const at = call.actor.at;
        const change = {
          scope: 'tenant',
          owner: call.tenant,
          entity: DEVICE,
          op: 'delete',
          massChange: true,
          at,
        } as const;
        await recordChanges(
          tx,
          ids.map((id) => ({ ...change, id })),
        );
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'delete all',
          entity: DEVICE,
          entityId: '',
          detail: { before: ids },
        });
        return ok(ids.length);
      }),
  };
}

/** `Chosen:` a credential that others change five times while one is hashed is the matter of a person. */
const MOST_TRIES = 5;

/** Inside `patch` only: the credential that was worked out is not that of the device any more. */
const CHANGED = fail('changedMeanwhile', 'the credential was changed by another request');

/** Whether both need the same credential. */
const isSameProof = (a: Device, b: Device): boolean =>
  a.authType === b.authType && a.password === b.password && a.ha1 === b.ha1;

const written = (id: string, action: string) => ({ resource: 'device', entity: DEVICE, id, action }) as const;

function patchedDevice(seen: DeviceWithHeartbeat, patch: Patch): Result<Device> {
  const result = patched(shownDevice(seen), patch);
  if (!result.ok) return result;
  const parsed = deviceRequestSchema.safeParse(result.value);
  if (!parsed.success) return { ok: false, error: invalid(parsed.error) };
  return parsed.data.deviceId === seen.device.id
    ? ok(parsed.data)
    : fail(
        'invalid',
        '/deviceId: cannot be changed; PUT the device under its new id and delete this one',
        '/deviceId',
      );
}
