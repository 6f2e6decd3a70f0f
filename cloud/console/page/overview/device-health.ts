import type { CallFailure, Operations } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { api } from '../../client/api.ts';

type Device = Operations['getProvisioningDevice']['answer']['devices'][number];

export interface DeviceHealth {
  readonly all: number;
  readonly well: number;
  readonly overdue: number;
  /** Devices without supervision: no interval is set. */
  readonly unsupervised: number;
  /** There are more devices than were looked at. */
  readonly isCut: boolean;
}

/** Devices of a page, the most that the API gives, and pages that are looked at. */
const LIMIT = 100;
const PAGES = 50;

function healthOf(devices: readonly Pick<Device, 'heartbeatStatus'>[], isCut = false): DeviceHealth {
  const well = devices.filter(({ heartbeatStatus }) => heartbeatStatus === 'online').length;
  const overdue = devices.filter(({ heartbeatStatus }) => heartbeatStatus === 'offline').length;
  return { all: devices.length, well, overdue, unsupervised: devices.length - well - overdue, isCut };
}

/** How the supervised devices of a tenant are. */
export async function readHealth(domain: string): Promise<Result<DeviceHealth, CallFailure>> {
  const devices: Device[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const answer = await api.call('getProvisioningDevice', {
      domain,
      limit: String(LIMIT),
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    if (!answer.ok) return answer;
    devices.push(...answer.value.devices);
    ({ nextToken } = answer.value);
    if (nextToken === undefined) break;
  }
  return { ok: true, value: healthOf(devices, nextToken !== undefined) };
}
