import type { ConfigurationSet } from '../store/index.ts';
import { configurations } from './configuration/configuration.ts';
import { notificationSettings } from './configuration/notification-settings.ts';
import { devices } from './device/device.ts';
import { deviceTexts } from './device/device-text.ts';
import { type ResourceHistory, resourceHistory } from './resource/history.ts';
import type { ProvisioningPort } from './resource/port.ts';
import { type NamedResource, referrersOf } from './resource/referrer.ts';
import { type Resource, resource } from './resource/resource.ts';
import type { ResourceName } from './resource/resource-kind.ts';
import { takerReport } from './resource/taker.ts';
import { trials } from './resource/trial.ts';

export type { Configuration } from './configuration/configuration.ts';
export { type CredentialWatchPort, createCredentialWatch } from './configuration/credential-watch.ts';
export type { Promotion } from './configuration/promotion.ts';
export { errorGroups, progressText } from './device/bulk-error.ts';
export type { DeviceStored } from './device/device.ts';
export { type BulkPort, type CsvRecords, type DeviceBulk, deviceBulk } from './device/device-bulk.ts';
export {
  createHistoryTrials,
  type HistoryTrialPort,
  type HistoryTrials,
} from './history/history-trial.ts';
export { mediaTypeOf, type PromptFiles, promptFiles } from './prompt-file.ts';
export type { BlobStore, ObjectStore, TakenBytes } from './prompt-port.ts';
export type { ResourceHistory } from './resource/history.ts';
export type { ProvisioningPort } from './resource/port.ts';
export type { NamedResource } from './resource/referrer.ts';
export type { Resource, Stored, Tagged } from './resource/resource.ts';
export type { Asked, ResourceName, Shown } from './resource/resource-kind.ts';

const withHistory = <Name extends ResourceName>(
  port: ProvisioningPort,
  name: Name,
): Resource<Name> & ResourceHistory => {
  const core = resource(port, name);
  return { ...core, ...resourceHistory(port, name, core) };
};

/** The configuration of customers. */
export const createProvisioning = (port: ProvisioningPort) => ({
  protocolProfile: withHistory(port, 'protocolProfile'),
  alarmEventMapper: withHistory(port, 'alarmEventMapper'),
  alarmBridge: withHistory(port, 'alarmBridge'),
  cloudSipUa: withHistory(port, 'cloudSipUa'),
  trunk: withHistory(port, 'trunk'),
  mediaService: withHistory(port, 'mediaService'),
  recordingService: withHistory(port, 'recordingService'),
  trial: trials(port),
  /** Receivers of a destination, with the reasons for and against each. */
  takers: (tenant: string, set: ConfigurationSet, destination: string) =>
    takerReport(port.store, { tenant, set }, destination),
  /** Objects that name a resource, drafts among them. */
  referrers: (tenant: string, name: NamedResource, id: string) => referrersOf(port.store, tenant, name, id),
  device: { ...devices(port), ...deviceTexts(port) },
  notificationSettings: notificationSettings(port),
  configuration: configurations(port),
});

export type Provisioning = ReturnType<typeof createProvisioning>;
