import { eq } from 'drizzle-orm';
import type { Reader, Tx } from '../sql/store.ts';

export type NotificationSettingsRow = Reader['tables']['notificationSettings']['$inferSelect'];

export const settingsPlace = (tenant: string) => ({ tenant, table: 'notification_settings', row: tenant });

export async function readNotificationSettings(
  from: Reader,
  tenant: string,
): Promise<NotificationSettingsRow | undefined> {
  const t = from.tables.notificationSettings;
  const [row] = await from.db.select().from(t).where(eq(t.tenant, tenant));
  return row && { ...row, body: from.seal.opened(settingsPlace(tenant), row.body) };
}

export async function putNotificationSettings(tx: Tx, row: NotificationSettingsRow): Promise<void> {
  const t = tx.tables.notificationSettings;
  const body = tx.seal.sealed(settingsPlace(row.tenant), row.body);
  await tx.db
    .insert(t)
    .values({ ...row, body })
    .onConflictDoUpdate({ target: t.tenant, set: { body, updatedAt: row.updatedAt } });
}
