import type {
  AlarmBridgeResponse,
  DeviceResponse,
  NotificationSettings,
} from '#shared/contract/provisioning/index.ts';
import { maskSecrets } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  allItems,
  type Call,
  type ConfigurationSet,
  deleteItems,
  listDevices,
  mutate,
  putItem,
  readItem,
} from '../store/index.ts';
import { ALARM_BRIDGE } from './alarm-bridge.ts';
import { shownDevice } from './device.ts';
import { storedSettings } from './notification-settings.ts';
import type { ProvisioningPort } from './port.ts';
import { record } from './record.ts';

/** Everything provisioned in a tenant, secrets masked. The provisory set holds only what can be promoted. */
export interface Configuration {
  readonly alarmbridges: AlarmBridgeResponse[];
  readonly devices?: DeviceResponse[];
  readonly notificationsettings?: NotificationSettings;
}

/** Ids to promote; absent = every provisory one, if nothing else is named either. */
export interface Promotion {
  readonly alarmbridges?: readonly string[] | undefined;
}

/** The whole of a tenant at once. */
export function configurations({ store }: ProvisioningPort) {
  return {
    read: async (tenant: string, set: ConfigurationSet): Promise<Configuration> => {
      const rows = await allItems(store, 'alarmBridge', { tenant, set });
      const alarmbridges = rows.map(
        (row) => maskSecrets('alarmBridge', row.body) as unknown as AlarmBridgeResponse,
      );
      if (set === 'provisory') return { alarmbridges };
      const devices = await listDevices(store, tenant, '', '', Number.MAX_SAFE_INTEGER);
      const settings = await storedSettings(store, tenant);
      return {
        alarmbridges,
        devices: devices.map(shownDevice),
        notificationsettings: maskSecrets('notificationSettings', settings),
      };
    },

    /**
     * Moves provisory rows into the working set: one transaction, one revision. Fails with `notFound` when an id has no
     * provisory row; then nothing is moved.
     */
    promote: (call: Call, promotion: Promotion): Promise<Result<{ alarmbridges: string[] }>> =>
      mutate(store, call, async (tx) => {
        const drafts = { tenant: call.tenant, set: 'provisory' } as const;
        const rows = await allItems(tx, 'alarmBridge', drafts);
        const named = promotion.alarmbridges ?? rows.map((row) => row.id);
        const chosen = rows.filter((row) => named.includes(row.id));
        const missing = named.find((id) => !chosen.some((row) => row.id === id));
        if (missing !== undefined)
          return fail('notFound', `There is no provisory alarm bridge ${missing}.`, '/alarmbridges');
        for (const row of chosen) {
          const before = await readItem(tx, 'alarmBridge', { tenant: call.tenant, set: 'working' }, row.id);
          await putItem(tx, 'alarmBridge', { ...row, set: 'working', updatedAt: call.actor.at });
          await record(tx, call, {
            resource: 'alarmBridge',
            entity: ALARM_BRIDGE,
            id: row.id,
            action: 'promote',
            ...(before === undefined ? {} : { before: before.body }),
            after: row.body,
            massChange: true,
          });
        }
        const ids = chosen.map((row) => row.id);
        await deleteItems(tx, 'alarmBridge', drafts, ids);
        return ok({ alarmbridges: ids });
      }),
  };
}
