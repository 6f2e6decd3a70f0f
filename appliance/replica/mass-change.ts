import type { ConfigFault, HashedRow } from '#shared/contract/feed/index.ts';

const LEAST_DEVICES = 20;
const SHARE = 0.3;

/**
 * The brake: a change that takes away more than 30 % and at least 20 of the devices, or every alarm bridge, must say so
 * (`massChange` of the manifest). A table wiped by mistake in the cloud does not empty the sites.
 */
export function massChangeFault(
  before: readonly HashedRow[],
  after: readonly HashedRow[],
): ConfigFault | undefined {
  const devices = removedOf('device', before, after);
  if (devices.removed >= LEAST_DEVICES && devices.removed > SHARE * devices.before) {
    return fault('/device', `${devices.removed} of ${devices.before} devices would go`);
  }
  const bridges = removedOf('alarmbridge', before, after);
  if (bridges.before > 0 && bridges.removed === bridges.before) {
    return fault('/alarmbridge', 'every alarm bridge would go');
  }
  return undefined;
}

const fault = (path: string, msg: string): ConfigFault => ({ code: 'safetyLimit', path, msg });

function removedOf(entity: string, before: readonly HashedRow[], after: readonly HashedRow[]) {
  const ofEntity = (rows: readonly HashedRow[]) => rows.filter((row) => row.entity === entity);
  const stays = new Set(ofEntity(after).map(({ id }) => id));
  const known = ofEntity(before);
  return { before: known.length, removed: known.filter(({ id }) => !stays.has(id)).length };
}
