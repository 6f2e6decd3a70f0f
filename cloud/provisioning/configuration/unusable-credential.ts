import { allItems, type Reader } from '../../store/index.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { RESOURCE_KINDS, RESOURCE_NAMES } from '../resource/resource-kind.ts';
import { unusableIn } from '../resource/signing-credential.ts';
import { NOTIFICATION_SETTINGS, storedSettings } from './notification-settings.ts';

/** A stored credential that cannot sign. */
export interface UnusableCredential {
  /** As paths spell the resource: `alarmbridge`, `notificationsettings` … */
  readonly entity: string;
  /** Absent: the tenant has one such document. */
  readonly id?: string;
  /** Pointer of the secret in its resource. */
  readonly path: string;
  readonly reason: string;
}

/** Credentials of the working set that cannot sign: rows from before the check, or from another program. */
export async function unusableCredentials(
  port: Pick<ProvisioningPort, 'signingFault'>,
  from: Reader,
  tenant: string,
): Promise<readonly UnusableCredential[]> {
  const found: UnusableCredential[] = [];
  for (const name of RESOURCE_NAMES)
    for (const { id, body } of await allItems(from, name, { tenant, set: 'working' }))
      for (const fault of unusableIn(port, body))
        found.push({ entity: RESOURCE_KINDS[name].entity, id, ...fault });
  for (const fault of unusableIn(port, await storedSettings(from, tenant)))
    found.push({ entity: NOTIFICATION_SETTINGS, ...fault });
  return found;
}
