import type { Account, Directory, StoredHa1 } from '../sip/auth/index.ts';
import type { RuntimePorts } from './port.ts';

/** Whom authentication asks: the replica of the tenant. This appliance serves one tenant, whatever host is named. */
export const directory = (ports: RuntimePorts): Directory => ({
  tenant: () => ports.tenant().domain,
  device: (domain, deviceId) => {
    const device = ports.tenant().byId(deviceId);
    return device === undefined ? undefined : account(domain, device);
  },
  // Trunks are not part of the replica yet: whoever is no device is unknown.
  trunk: () => undefined,
  bearer: () => undefined,
});

type ReplicatedDevice = NonNullable<ReturnType<ReturnType<RuntimePorts['tenant']>['byId']>>;

function account(domain: string, device: ReplicatedDevice): Account {
  const { deviceId, authType, digest } = device;
  if (authType === 'deviceid' || authType === 'disabled') return { domain, deviceId, authType };
  if (authType === 'credentials') {
    const ha1: StoredHa1 = {
      ...(digest?.sha256 !== undefined && { 'SHA-256': digest.sha256 }),
      ...(digest?.md5 !== undefined && { MD5: digest.md5 }),
    };
    return { domain, deviceId, authType, ha1 };
  }
  // Bearer tokens open SIP over WebSocket only, which this appliance does not listen for yet.
  return { domain, deviceId, authType, authorized: { invite: () => false, register: false } };
}
