import { alarmBridges } from './alarm-bridge.ts';
import { configurations } from './configuration.ts';
import { devices } from './device.ts';
import { notificationSettings } from './notification-settings.ts';
import type { ProvisioningPort } from './port.ts';

export type { Stored, Tagged } from './alarm-bridge.ts';
export type { Configuration, Promotion } from './configuration.ts';
export type { DeviceStored } from './device.ts';
export type { ProvisioningPort } from './port.ts';

/** What customers configure. */
export const createProvisioning = (port: ProvisioningPort) => ({
  alarmBridge: alarmBridges(port),
  device: devices(port),
  notificationSettings: notificationSettings(port),
  configuration: configurations(port),
});

export type Provisioning = ReturnType<typeof createProvisioning>;
