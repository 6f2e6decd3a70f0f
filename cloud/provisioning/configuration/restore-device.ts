import { invalid } from '#shared/contract/invalid.ts';
import { type Device, deviceRequestSchema } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  allDevices,
  type Call,
  type DeviceRow,
  deleteDevices,
  putDevices,
  type Tx,
} from '../../store/index.ts';
import { DEVICE } from '../device/device.ts';
import { type NewCredential, newCredential, type StoredDevice, sealed } from '../device/device-credential.ts';
import { entityTag } from '../resource/entity-tag.ts';
import { checkLists } from '../resource/list-knowledge.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { recordMany } from '../resource/record.ts';
import { below } from './below.ts';
import type { GivenRow } from './restore-resource.ts';

export interface ReadDevice {
  readonly device: Device;
  readonly credential: NewCredential;
}

/**
 * Every device by the schema of its PUT, passwords hashed. A generated password has no answer to be shown in, so
 * `credentials` must come with `ha1` or the placeholder.
 */
export async function readDevices(
  port: ProvisioningPort,
  domain: string,
  given: readonly GivenRow[],
): Promise<Result<ReadDevice[]>> {
  const seen = new Set<string>();
  const devices: ReadDevice[] = [];
  for (const [index, row] of given.entries()) {
    const place = `/devices/${index}`;
    const parsed = deviceRequestSchema.safeParse(row);
    if (!parsed.success) return below(place, invalid(parsed.error));
    const device = parsed.data;
    const { deviceId, authType, ha1 } = device;
    if (authType === 'credentials' && ha1 === undefined)
      return below(
        place,
        fail(
          'invalid',
          '/ha1: is mandatory in a configuration; send "<secret>" to keep the stored one',
          '/ha1',
        ).error,
      );
    if (seen.has(deviceId))
      return below(
        place,
        fail('invalid', `/deviceId: must be unique; the list has ${deviceId} twice`, '/deviceId').error,
      );
    seen.add(deviceId);
    devices.push({ device, credential: await newCredential(port, domain, device) });
  }
  return ok(devices);
}

/** Puts the devices in place of all that were there; what has not changed is not touched. One audit entry for all. */
export async function writeDevices(
  tx: Tx,
  { sha256 }: ProvisioningPort,
  call: Call,
  devices: readonly ReadDevice[],
): Promise<Result<null>> {
  const { tenant, actor } = call;
  const rows = await allDevices(tx, tenant);
  const left = new Map(rows.map(({ device }) => [device.id, device]));
  const before = new Map<string, unknown>();
  const put: DeviceRow[] = [];
  for (const [index, { device, credential }] of devices.entries()) {
    const id = device.deviceId;
    const present = left.get(id);
    const body = sealed(device, credential, present?.body as StoredDevice | undefined);
    if (!body.ok) return below(`/devices/${index}`, body.error);
    left.delete(id);
    if (present !== undefined && entityTag(sha256, present.body) === entityTag(sha256, body.value)) continue;
    if (present !== undefined) before.set(id, present.body);
    put.push({ tenant, id, body: body.value, updatedAt: actor.at });
  }
  for (const { id, body } of left.values()) before.set(id, body);
  const knows = await checkLists(
    tx,
    tenant,
    put.map(({ body }) => body),
  );
  if (!knows.ok) return knows;
  await putDevices(tx, put);
  await deleteDevices(tx, tenant, [...left.keys()]);
  const written = { resource: 'device', entity: DEVICE, action: 'restore', massChange: true } as const;
  await recordMany(tx, call, written, before, put);
  return ok(null);
}
