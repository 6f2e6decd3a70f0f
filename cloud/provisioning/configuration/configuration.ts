import type {
  AlarmBridgeResponse,
  AlarmEventMapperResponse,
  CloudSipUaResponse,
  DeviceResponse,
  MediaServiceResponse,
  NotificationSettings,
  ProtocolProfile,
  RecordingServiceResponse,
  TrunkResponse,
} from '#shared/contract/provisioning/index.ts';
import { maskSecrets } from '#shared/contract/provisioning/index.ts';
import { allDevices, allItems, type Call, type ConfigurationSet } from '../../store/index.ts';
import { shownDevice } from '../device/device.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import type { Tagged } from '../resource/resource.ts';
import type { ResourceName, Shown } from '../resource/resource-kind.ts';
import { type Owner, shownRow } from '../resource/resource-row.ts';
import { configurationTag } from './configuration-tag.ts';
import { storedSettings } from './notification-settings.ts';
import { type Promotion, promote } from './promotion.ts';
import { type Restored, restore } from './restore.ts';

/** Everything provisioned in a tenant, secrets masked. The provisory set holds only what can be promoted. */
export interface Configuration {
  readonly alarmbridges: AlarmBridgeResponse[];
  readonly alarmeventmappers: AlarmEventMapperResponse[];
  readonly cloudsipuas: CloudSipUaResponse[];
  readonly trunks: TrunkResponse[];
  readonly mediaservices?: MediaServiceResponse[];
  readonly callrecordings?: RecordingServiceResponse[];
  readonly protocolprofiles?: ProtocolProfile[];
  readonly devices?: DeviceResponse[];
  readonly notificationsettings?: NotificationSettings;
}

/** The whole of a tenant at once. */
export function configurations(port: ProvisioningPort) {
  const { store } = port;

  async function all<Name extends ResourceName>(
    owner: Owner,
    set: ConfigurationSet,
    name: Name,
  ): Promise<Shown<Name>[]> {
    const rows = await allItems(store, name, { tenant: owner.tenant, set });
    return rows.map((row) => shownRow(name, row, owner));
  }

  return {
    /** The tag is the tenant's revision: it changes with every change of the working set. */
    read: async (owner: Owner, set: ConfigurationSet): Promise<Tagged<Configuration>> => {
      const { tenant } = owner;
      const etag = await configurationTag(store, tenant);
      const promotable = {
        alarmbridges: await all(owner, set, 'alarmBridge'),
        alarmeventmappers: await all(owner, set, 'alarmEventMapper'),
        cloudsipuas: await all(owner, set, 'cloudSipUa'),
        trunks: await all(owner, set, 'trunk'),
      };
      if (set === 'provisory') return { value: promotable, etag };
      const devices = await allDevices(store, tenant);
      const value = {
        ...promotable,
        mediaservices: await all(owner, set, 'mediaService'),
        callrecordings: await all(owner, set, 'recordingService'),
        protocolprofiles: await all(owner, set, 'protocolProfile'),
        devices: devices.map(shownDevice),
        notificationsettings: maskSecrets('notificationSettings', await storedSettings(store, tenant)),
      };
      return { value, etag };
    },

    promote: (call: Call, promotion: Promotion) => promote(port, call, promotion),

    restore: (call: Call, restored: Restored) => restore(port, call, restored),
  };
}
