import type { AlarmEvent, CodedValue } from './alarm-event.ts';
import { isSendValue, type ListField, receiveAs, type SendValue, sendAs } from './translation.ts';

/** The coded fields in words of the send list, ready to be looked up in the table of another protocol. */
export interface SendForm {
  readonly deviceType: SendValue<'deviceType'> | null;
  readonly statusCode: SendValue<'statusCode'> | null;
  readonly location?: SendValue<'location'> | null;
  readonly deviceComponent?: SendValue<'deviceComponent'> | null;
  readonly systemConfig?: SendValue<'systemConfig'> | null;
}

/** The values that forwarding looks up in the target's table; null = this field cannot be said in the send list. */
export function sendForm(event: AlarmEvent): SendForm {
  const { location, deviceComponent, systemConfig } = event;
  return {
    deviceType: sendWord('deviceType', event.deviceType),
    statusCode: sendWord('statusCode', event.statusCode),
    ...(location && { location: sendWord('location', location) }),
    ...(deviceComponent && { deviceComponent: sendWord('deviceComponent', deviceComponent) }),
    ...(systemConfig && { systemConfig: sendWord('systemConfig', systemConfig) }),
  };
}

/** One coded value in the send list: its own send word, else the translation of its receive word. */
function sendWord<F extends ListField>(field: F, value: CodedValue): SendValue<F> | null {
  if (value.send !== null && isSendValue(field, value.send)) return value.send;
  return value.receive === null ? null : sendAs(field, value.receive);
}

/**
 * A coded value from a word of either list, for values that come from configuration or from the API and not
 * from a wire. A word of neither list has no translation and stays in `native`.
 */
export function codedFrom(field: ListField, value: string): CodedValue {
  const send = sendAs(field, value);
  const receive = receiveAs(field, value);
  return { native: send === null && receive === null ? value : null, send, receive };
}
