import { configurations } from './configuration.ts';
import { devices } from './device.ts';
import { deviceTexts } from './device-text.ts';
import { notificationSettings } from './notification-settings.ts';
import type { ProvisioningPort } from './port.ts';
import { resource } from './resource.ts';
import { trials } from './trial.ts';

export type { Configuration } from './configuration.ts';
export type { DeviceStored } from './device.ts';
export { type BulkPort, type CsvRecords, type DeviceBulk, deviceBulk } from './device-bulk.ts';
export type { ProvisioningPort } from './port.ts';
export type { Promotion } from './promotion.ts';
export {
  type BlobStore,
  mediaTypeOf,
  type ObjectStore,
  type PromptFiles,
  promptFiles,
  type TakenBytes,
} from './prompt-file.ts';
export type { Resource, Stored, Tagged } from './resource.ts';
export type { Asked, ResourceName, Shown } from './resource-kind.ts';

/** What customers configure. */
export const createProvisioning = (port: ProvisioningPort) => ({
  protocolProfile: resource(port, 'protocolProfile'),
  alarmEventMapper: resource(port, 'alarmEventMapper'),
  alarmBridge: resource(port, 'alarmBridge'),
  cloudSipUa: resource(port, 'cloudSipUa'),
  trunk: resource(port, 'trunk'),
  mediaService: resource(port, 'mediaService'),
  recordingService: resource(port, 'recordingService'),
  trial: trials(port),
  device: { ...devices(port), ...deviceTexts(port) },
  notificationSettings: notificationSettings(port),
  configuration: configurations(port),
});

export type Provisioning = ReturnType<typeof createProvisioning>;
