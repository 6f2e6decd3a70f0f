import {
  keepSecrets,
  maskSecrets,
  type NotificationSettings,
  notificationSettingsSchema,
} from '#shared/contract/provisioning/index.ts';
import { ok, type Result } from '#shared/result.ts';
import {
  type Call,
  mutate,
  putNotificationSettings,
  type Reader,
  readNotificationSettings,
} from '../../store/index.ts';
import { checkMatch, entityTag } from '../resource/entity-tag.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { record } from '../resource/record.ts';
import type { Stored, Tagged } from '../resource/resource.ts';
import { checkCredentials } from '../resource/signing-credential.ts';

export const NOTIFICATION_SETTINGS = 'notificationsettings';

/** The defaults of the contract, for a tenant without settings. */
const INITIAL = notificationSettingsSchema.parse({});

export async function storedSettings(from: Reader, tenant: string): Promise<NotificationSettings> {
  const row = await readNotificationSettings(from, tenant);
  return row === undefined ? INITIAL : (row.body as NotificationSettings);
}

/** Where platform alarms of the tenant and unclaimed messages go: one document per tenant, empty at first. */
export function notificationSettings(port: ProvisioningPort) {
  const { store, sha256 } = port;
  return {
    read: async (tenant: string): Promise<Tagged<NotificationSettings>> => {
      const body = await storedSettings(store, tenant);
      return { value: maskSecrets('notificationSettings', body), etag: entityTag(sha256, body) };
    },

    put: (call: Call, settings: NotificationSettings): Promise<Result<Stored>> =>
      mutate(store, call, async (tx) => {
        const before = await storedSettings(tx, call.tenant);
        const match = checkMatch(call, entityTag(sha256, before));
        if (!match.ok) return match;
        const kept = keepSecrets('notificationSettings', settings, before);
        if (!kept.ok) return kept;
        const body = kept.value;
        const signs = checkCredentials(port, body, before);
        if (!signs.ok) return signs;
        await putNotificationSettings(tx, { tenant: call.tenant, body, updatedAt: call.actor.at });
        await record(tx, call, {
          resource: 'notificationSettings',
          entity: NOTIFICATION_SETTINGS,
          id: call.domain,
          action: 'put',
          before,
          after: body,
        });
        return ok({ id: call.domain, etag: entityTag(sha256, body) });
      }),
  };
}
