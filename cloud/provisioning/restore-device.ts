import { invalid } from '#shared/contract/invalid.ts';
import { type Device, deviceRequestSchema } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  type DeviceRow,
  deleteDevices,
  listDevices,
  putDevices,
  recordAudit,
  recordChanges,
  type Tx,
} from '../store/index.ts';
import { below } from './below.ts';
import { DEVICE } from './device.ts';
import { type NewCredential, newCredential, type StoredDevice, sealed } from './device-credential.ts';
import { entityTag } from './entity-tag.ts';
import type { ProvisioningPort } from './port.ts';
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
      return below(place, fail('invalid', '/ha1: is mandatory here, or "<secret>" to keep it', '/ha1').error);
    if (seen.has(deviceId))
      return below(place, fail('invalid', `/deviceId: ${deviceId} stands here twice`, '/deviceId').error);
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
  const rows = await listDevices(tx, tenant, '', '', Number.MAX_SAFE_INTEGER);
  const left = new Map(rows.map(({ device }) => [device.id, device]));
  const put: DeviceRow[] = [];
  for (const [index, { device, credential }] of devices.entries()) {
    const id = device.deviceId;
    const before = left.get(id);
    const body = sealed(device, credential, before?.body as StoredDevice | undefined);
    if (!body.ok) return below(`/devices/${index}`, body.error);
    left.delete(id);
    if (before !== undefined && entityTag(sha256, before.body) === entityTag(sha256, body.value)) continue;
    put.push({ tenant, id, body: body.value, updatedAt: actor.at });
  }
  if (put.length === 0 && left.size === 0) return ok(null);
  await putDevices(tx, put);
  const gone = [...left.keys()];
  await deleteDevices(tx, tenant, gone);
  const change = { scope: 'tenant', owner: tenant, entity: DEVICE, massChange: true, at: actor.at } as const;
  await recordChanges(tx, [
    ...put.map(({ id, body }) => ({ ...change, op: 'put' as const, id, body })),
    ...gone.map((id) => ({ ...change, op: 'delete' as const, id })),
  ]);
  await recordAudit(tx, actor, {
    tenant,
    action: 'restore',
    entity: DEVICE,
    entityId: '',
    detail: { put: put.map(({ id }) => id), deleted: gone },
  });
  return ok(null);
}
