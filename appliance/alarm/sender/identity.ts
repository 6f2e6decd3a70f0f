import type { AlarmEvent } from '#shared/alarm-event/index.ts';

/** How a mapper wants controller and unit to be said. */
export interface IdentitySetting {
  /** Filled with 0 from the left to this length; 0 = as it is. */
  readonly controllerIdPadLength: number;
  readonly deviceIdPadLength: number;
  /** The deviceId is sent as controllerId; without a deviceId the controllerId stays. */
  readonly mapDeviceIdToControllerId: boolean;
}

/** The event as the receiver knows its sender: shaped once, before any protocol puts it in its own words. */
export function shapedIdentity(event: AlarmEvent, setting: IdentitySetting): AlarmEvent {
  const { controllerId, deviceId, ...rest } = event;
  const moved = setting.mapDeviceIdToControllerId && deviceId !== undefined && deviceId !== '';
  const controller = moved ? deviceId : controllerId;
  const unit = moved ? undefined : deviceId;
  return {
    ...rest,
    controllerId: controller.padStart(setting.controllerIdPadLength, '0'),
    ...(unit !== undefined && { deviceId: unit.padStart(setting.deviceIdPadLength, '0') }),
  };
}
