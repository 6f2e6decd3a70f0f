import type { Device } from '#shared/contract/provisioning/index.ts';
import { accountKey } from '#shared/matching/index.ts';
import { type Failure, fail, type Result } from '#shared/result.ts';
import { readAccountDevices, type Tx } from '../../store/index.ts';
import type { StoredDevice } from './device-credential.ts';

type Said = Pick<Device, 'deviceId' | 'serviceData'>;

/** Whether the device says that it speaks DC-09: its id is then an account. */
function isAccount({ serviceData }: Pick<Said, 'serviceData'>): boolean {
  const { alarmProtocol, dc09 } = serviceData?.alarmBridge ?? {};
  return alarmProtocol === 'dc09' || dc09 !== undefined;
}

/**
 * The devices whose account another device of the tenant has, but for case and leading zeros, each with its failure. A frame could be of
 * either, and would be of an unknown unit. Chosen: it is enough that one of the two says that it speaks DC-09, since both are found by
 * the account. A device that is there already, and was an account before, may be changed: what has been stored stays usable.
 * @param before devices that are stored under the same ids
 */
export async function accountConflicts(
  tx: Tx,
  tenant: string,
  devices: readonly Said[],
  before: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<Said, Result<never, Failure>>> {
  const conflicts = new Map<Said, Result<never, Failure>>();
  const concerned = devices.filter((device) => isConcerned(device, before.get(device.deviceId)));
  if (concerned.length === 0) return conflicts;
  const keys = new Set(concerned.map(({ deviceId }) => accountKey(deviceId)));
  const known = new Map<string, Map<string, boolean>>();
  const remember = (id: string, account: boolean): void => {
    const key = accountKey(id);
    if (keys.has(key)) known.set(key, (known.get(key) ?? new Map<string, boolean>()).set(id, account));
  };
  for (const [id, body] of await readAccountDevices(tx, tenant, [...keys]))
    remember(id, isAccount(body as unknown as StoredDevice));
  for (const device of devices) {
    const { deviceId } = device;
    const other = concerned.includes(device) ? otherOf(device, known) : undefined;
    if (other === undefined) remember(deviceId, isAccount(device));
    else conflicts.set(device, conflict(deviceId, other));
  }
  return conflicts;
}

function isConcerned(device: Said, before: unknown): boolean {
  return before === undefined || (isAccount(device) && !isAccount(before as StoredDevice));
}

function otherOf(device: Said, known: ReadonlyMap<string, ReadonlyMap<string, boolean>>): string | undefined {
  const others = [...(known.get(accountKey(device.deviceId)) ?? [])];
  return others.find(([id, account]) => id !== device.deviceId && (account || isAccount(device)))?.[0];
}

const conflict = (id: string, other: string): Result<never, Failure> =>
  fail(
    'conflict',
    `The device ${id} is not stored: its DC-09 account is that of the device ${other}, but for case and leading zeros. Delete that device or use another deviceId.`,
    '/deviceId',
  );
