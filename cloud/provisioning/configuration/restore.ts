import { invalid } from '#shared/contract/invalid.ts';
import {
  keepSecrets,
  type NotificationSettings,
  notificationSettingsRequestSchema,
} from '#shared/contract/provisioning/index.ts';
import { ok, type Result } from '#shared/result.ts';
import { type Call, mutate, putNotificationSettings, type Tx } from '../../store/index.ts';
import { checkMatch, entityTag } from '../resource/entity-tag.ts';
import { checkRoom } from '../resource/pattern-budget.ts';
import type { ProvisioningPort } from '../resource/port.ts';
import { record } from '../resource/record.ts';
import { RESOURCE_NAMES } from '../resource/resource-kind.ts';
import { sectionOf } from '../resource/section.ts';
import { checkCredentials } from '../resource/signing-credential.ts';
import { below } from './below.ts';
import { configurationTag } from './configuration-tag.ts';
import { NOTIFICATION_SETTINGS, storedSettings } from './notification-settings.ts';
import { readDevices, writeDevices } from './restore-device.ts';
import { checkWhole, type GivenRow, readRows, uselessNames, writeRows } from './restore-resource.ts';

/** A whole configuration as GET gives it, by the names of its lists; what is absent stays as it is. */
export interface Restored {
  readonly [section: string]: readonly GivenRow[] | GivenRow | undefined;
  readonly devices?: readonly GivenRow[] | undefined;
  readonly notificationsettings?: GivenRow | undefined;
}

/**
 * Brings the working set to the state of a document that GET once gave: one transaction, one revision. A list that is
 * given replaces all rows of its kind; unchanged rows are not touched. Secrets are kept where the placeholder stands.
 * Fails with `invalid`, `secretUnknown` or `preconditionFailed`; then nothing is changed.
 */
export async function restore(
  port: ProvisioningPort,
  call: Call,
  restored: Restored,
): Promise<Result<{ etag: string }>> {
  // Passwords are hashed here: that takes too long for a transaction.
  const read = await readAll(port, call, restored);
  if (!read.ok) return read;
  const { kinds, devices, settings } = read.value;
  return await mutate(port.store, call, async (tx) => {
    const match = checkMatch(call, await configurationTag(tx, call.tenant));
    if (!match.ok) return match;
    const before = await uselessNames(tx, call.tenant);
    for (const { name, rows } of kinds) {
      const done = await writeRows(tx, port, call, name, rows);
      if (!done.ok) return done;
    }
    const leads = await checkWhole(tx, call.tenant, kinds, before);
    if (!leads.ok) return leads;
    const room = await checkRoom(tx, { tenant: call.tenant, set: 'working' });
    if (!room.ok) return room;
    const put = devices === undefined ? ok(null) : await writeDevices(tx, port, call, devices);
    if (!put.ok) return put;
    const set = settings === undefined ? ok(null) : await writeSettings(tx, port, call, settings);
    if (!set.ok) return set;
    return ok({ etag: await configurationTag(tx, call.tenant) });
  });
}

async function readAll(port: ProvisioningPort, call: Call, restored: Restored) {
  const kinds = [];
  for (const name of RESOURCE_NAMES) {
    const given = restored[sectionOf(name)];
    if (!Array.isArray(given)) continue;
    const rows = readRows(name, given as readonly GivenRow[]);
    if (!rows.ok) return rows;
    kinds.push({ name, rows: rows.value });
  }
  const { devices: given, notificationsettings } = restored;
  const devices = given === undefined ? ok(undefined) : await readDevices(port, call.domain, given);
  if (!devices.ok) return devices;
  const settings = readSettings(notificationsettings);
  if (!settings.ok) return settings;
  return ok({ kinds, devices: devices.value, settings: settings.value });
}

function readSettings(given: GivenRow | undefined): Result<NotificationSettings | undefined> {
  if (given === undefined) return ok(undefined);
  const parsed = notificationSettingsRequestSchema.safeParse(given);
  return parsed.success ? ok(parsed.data) : below('/notificationsettings', invalid(parsed.error));
}

async function writeSettings(
  tx: Tx,
  port: ProvisioningPort,
  call: Call,
  settings: NotificationSettings,
): Promise<Result<null>> {
  const { sha256 } = port;
  const before = await storedSettings(tx, call.tenant);
  const kept = keepSecrets('notificationSettings', settings, before);
  if (!kept.ok) return below('/notificationsettings', kept.error);
  const after = kept.value;
  const signs = checkCredentials(port, after, before);
  if (!signs.ok) return below('/notificationsettings', signs.error);
  if (entityTag(sha256, before) === entityTag(sha256, after)) return ok(null);
  await putNotificationSettings(tx, { tenant: call.tenant, body: after, updatedAt: call.actor.at });
  await record(tx, call, {
    resource: 'notificationSettings',
    entity: NOTIFICATION_SETTINGS,
    id: call.domain,
    action: 'restore',
    before,
    after,
  });
  return ok(null);
}
