import type { AlarmEvent } from './alarm-event.ts';
import { CONTACT_ID_EVENTS } from './contact-id-event.codes.ts';
import { type CodedEvent, eventTable } from './event-table.ts';
import { codedFrom } from './send-form.ts';

export const contactIdTable = eventTable(CONTACT_ID_EVENTS);

/** One message of Contact ID, whether it came as tones (SIA DC-05) or in a frame (ADM-CID of ANSI/SIA DC-09). */
export interface ContactIdMessage {
  /** 1 new event or opening, 3 restore or closing, 6 still so (status report). */
  readonly qualifier: string;
  /** Three digits. */
  readonly event: string;
  readonly group: string;
  readonly zone: string;
}

/** States whose end means that everything is normal; the end of any other state is a fault that was mended. */
const ENDS_AS_NORMAL: readonly string[] = [
  'alarm',
  'alarmManual',
  'tamper',
  'temperatureHigh',
  'temperatureLow',
  'temperatureRateOfRise',
];

/** The meaning of event and qualifier together; an event of the table without a state, or not in it, stays without one. */
function contactIdCoded({ qualifier, event }: Pick<ContactIdMessage, 'qualifier' | 'event'>): CodedEvent {
  const native = `${qualifier}${event}`;
  const { deviceType, statusCode } = contactIdTable.coded(event);
  const named = { deviceType: { ...deviceType, native }, statusCode: { ...statusCode, native } };
  if (qualifier !== '3' || statusCode.receive === null) return named;
  const ended = ENDS_AS_NORMAL.includes(statusCode.receive) ? 'normal' : 'faultRectified';
  return { ...named, statusCode: { ...codedFrom('statusCode', ended), native } };
}

/** Account and zone name controller and unit. Contact ID says nothing of speech, place and priority. */
export function contactIdAlarm(
  account: string,
  message: ContactIdMessage,
  audio: AlarmEvent['audio'],
): AlarmEvent {
  return {
    controllerId: account,
    deviceId: message.zone,
    ...contactIdCoded(message),
    audio,
    priority: 0,
  };
}

export function contactIdWarnings({ qualifier, event }: ContactIdMessage): readonly string[] {
  const warnings: string[] = [];
  if (contactIdTable.lookup(event) === undefined) warnings.push('unknownCode:event');
  if (qualifier === '6') warnings.push('statusReport');
  else if (qualifier !== '1' && qualifier !== '3') warnings.push('unknownCode:qualifier');
  return warnings;
}
