import { type Bs8521Fields, isBs8521Group } from '#shared/alarm-event/index.ts';
import type { AlarmReceiver, ReceiverBridge } from '../receiver/index.ts';

/** C of a group scheme whose warden is off duty: the centre selects its units. */
const SCHEME = '1';

/**
 * The fields of a unit, with the scheme that it is provisioned in (protocols 14): a controller that says C = 0 has its
 * units selected as well. The event keeps the fields as the unit has said them.
 */
export function asProvisioned(
  fields: Bs8521Fields,
  bridge: ReceiverBridge,
  receiver: AlarmReceiver,
): Bs8521Fields {
  const { controllerId, unitId: deviceId } = fields;
  if (isBs8521Group(fields) || !receiver.isScheme(bridge, { controllerId, deviceId })) return fields;
  return { ...fields, systemConfig: SCHEME };
}
