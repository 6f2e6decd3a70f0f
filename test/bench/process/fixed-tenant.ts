import { TenantModel } from '#appliance/replica/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedDeviceSchema,
  replicatedMediaServiceSchema,
  replicatedTrunkSchema,
} from '#shared/contract/provisioning/index.ts';
import type { ApplianceSetting } from './appliance-setting.ts';

/** The tenant of a test, through the same schemas a replica passes. Throws when a row is no good. */
export function fixedTenant(setting: ApplianceSetting): TenantModel {
  const tenant = new TenantModel(setting.domain);
  for (const fields of setting.bridges) {
    const body = replicatedAlarmBridgeSchema.parse({ protocol: 'scaip', ...fields });
    tenant.put('alarmbridge', body.id, body);
  }
  for (const fields of setting.trunks ?? []) {
    const body = replicatedTrunkSchema.parse({
      name: fields.id,
      optionsInterval: 0,
      srtp: 'never',
      ...fields,
    });
    tenant.put('trunk', body.id, body);
  }
  for (const fields of setting.mediaServices ?? []) {
    const body = replicatedMediaServiceSchema.parse({ name: fields.id, ...fields });
    tenant.put('mediaservice', body.id, body);
  }
  const { fleet } = setting;
  const numbers = Array.from({ length: fleet?.count ?? 0 }, (_, number) => number);
  const members = numbers.map((number) => ({ deviceId: `${fleet?.prefix}${number}`, ...fleet?.fields }));
  for (const fields of [...setting.devices, ...members]) {
    const body = replicatedDeviceSchema.parse({ authType: 'deviceid', srtp: 'never', ...fields });
    tenant.put('device', body.deviceId, body);
  }
  if (setting.notifyUrl !== undefined) {
    tenant.put('notificationsettings', setting.domain, {
      alarmFromEdge: true,
      alarmEventsRestEndpoint: setting.notifyUrl,
      ...(setting.messageUrl !== undefined && { messageCallbackBaseUrl: setting.messageUrl }),
    });
  }
  return tenant;
}
