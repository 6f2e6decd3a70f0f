import { eq } from 'drizzle-orm';
import type { Reader, Tx } from './store.ts';

export type NotificationSettingsRow = Reader['tables']['notificationSettings']['$inferSelect'];

export async function readNotificationSettings(
  from: Reader,
  tenant: string,
): Promise<NotificationSettingsRow | undefined> {
  const t = from.tables.notificationSettings;
  const [row] = await from.db.select().from(t).where(eq(t.tenant, tenant));
  return row;
}

export async function putNotificationSettings(tx: Tx, row: NotificationSettingsRow): Promise<void> {
  const t = tx.tables.notificationSettings;
  await tx.db
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: t.tenant, set: { body: row.body, updatedAt: row.updatedAt } });
}
