import { type AlarmEvent, type CodedValue, codedFrom, type ListField } from '../alarm-event/index.ts';

/** `serviceData.alarmBridge.overrideInAlarmEvent` of a device; words of the send list or of the receive list. */
export interface EventOverride {
  readonly controllerId?: string | undefined;
  readonly deviceId?: string | undefined;
  readonly deviceType?: string | undefined;
  readonly statusCode?: string | undefined;
  readonly location?: string | undefined;
  readonly deviceComponent?: string | undefined;
  readonly systemConfig?: string | undefined;
  readonly audio?: AlarmEvent['audio'] | undefined;
  readonly priority?: number | undefined;
}

/**
 * The event with the values of the device in place of its own. The native codes stay: the wire said them. The
 * device is looked up before, under the identity the wire gave.
 */
export function overrideEvent(event: AlarmEvent, override: EventOverride | undefined): AlarmEvent {
  if (override === undefined) return event;
  const { controllerId, deviceId, audio, priority } = override;
  return {
    ...event,
    ...(controllerId !== undefined && { controllerId }),
    ...(deviceId !== undefined && { deviceId }),
    ...(audio !== undefined && { audio }),
    ...(priority !== undefined && { priority }),
    ...coded('deviceType', override.deviceType, event.deviceType),
    ...coded('statusCode', override.statusCode, event.statusCode),
    ...coded('location', override.location, event.location),
    ...coded('deviceComponent', override.deviceComponent, event.deviceComponent),
    ...coded('systemConfig', override.systemConfig, event.systemConfig),
  };
}

function coded<F extends ListField>(
  field: F,
  word: string | undefined,
  original: CodedValue | undefined,
): { readonly [K in F]?: CodedValue } {
  if (word === undefined) return {};
  const value: CodedValue = { ...codedFrom(field, word), native: original?.native ?? null };
  return { [field]: value } as { [K in F]: CodedValue };
}
