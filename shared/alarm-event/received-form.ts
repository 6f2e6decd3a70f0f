import type { AlarmEvent, CodedValue } from './alarm-event.ts';
import { isReceiveValue, type ListField, type ReceiveValue } from './translation.ts';

/** The alarm event as callbacks carry it (runtime API document 2.2). */
export interface ReceivedAlarmEvent {
  readonly eventType: 'common';
  readonly controllerId: string;
  readonly deviceId?: string;
  readonly deviceType: ReceiveValue<'deviceType'> | 'unknown';
  readonly statusCode: ReceiveValue<'statusCode'>;
  readonly location?: ReceiveValue<'location'>;
  readonly deviceComponent?: ReceiveValue<'deviceComponent'>;
  readonly systemConfig?: ReceiveValue<'systemConfig'>;
  readonly audio: ReceiveValue<'audio'>;
  readonly priority: number;
}

/**
 * Device types that say themselves what happened: a plain alarm of such a device shows this status, because
 * the receive list has no device type for it.
 */
const STATUS_OF_DEVICE_TYPE: Readonly<Record<string, ReceiveValue<'statusCode'>>> = {
  wanderingSensor: 'wanderingSensor',
  tamper: 'tamper',
};

/**
 * The event in words of the receive list. A value without such a word is `unknown` (`unspecified` for a
 * component), never an error: the native code stays in `sourceAlarmEvent`. Absent fields stay absent.
 *
 * Chosen: `unknown` is no device type of the list, so `unknownDeviceType` lets a destination name one.
 * Chosen: `callerId` and `customerSiteId` are not fields of the received event; the callback itself carries
 * the site, the native event the numbers.
 */
export function receivedForm(
  event: AlarmEvent,
  setting: { readonly unknownDeviceType?: string } = {},
): ReceivedAlarmEvent {
  const { location, deviceComponent, systemConfig } = event;
  const systemConfigWord = systemConfig && word('systemConfig', systemConfig);
  return {
    eventType: 'common',
    controllerId: event.controllerId,
    ...(event.deviceId !== undefined && { deviceId: event.deviceId }),
    deviceType: word('deviceType', event.deviceType) ?? unknownDeviceType(setting.unknownDeviceType),
    statusCode: statusWord(event),
    ...(location && { location: word('location', location) ?? 'unknown' }),
    ...(deviceComponent && { deviceComponent: word('deviceComponent', deviceComponent) ?? 'unspecified' }),
    ...(systemConfigWord && { systemConfig: systemConfigWord }),
    audio: event.audio,
    priority: event.priority,
  };
}

function statusWord({ deviceType, statusCode }: AlarmEvent): ReceiveValue<'statusCode'> {
  const status = word('statusCode', statusCode);
  const plainAlarm = status === 'alarm' || status === 'alarmManual';
  return (plainAlarm && STATUS_OF_DEVICE_TYPE[deviceType.send ?? '']) || (status ?? 'unknown');
}

function word<F extends ListField>(field: F, value: CodedValue): ReceiveValue<F> | null {
  return value.receive !== null && isReceiveValue(field, value.receive) ? value.receive : null;
}

function unknownDeviceType(wanted: string | undefined): ReceivedAlarmEvent['deviceType'] {
  return wanted !== undefined && isReceiveValue('deviceType', wanted) ? wanted : 'unknown';
}
