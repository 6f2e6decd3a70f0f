import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { AlarmEvent } from './alarm-event.ts';
import { isAlarmState } from './alarm-state.ts';
import { BS8521_SYSTEM_CONFIG, type Bs8521Fields, bs8521Table } from './bs8521-digits.ts';
import type { CodeTable } from './code-table.ts';
import { type EventRow, type EventTable, wordsIn } from './event-table.ts';
import { type SendForm, sendForm } from './send-form.ts';

/** Events that are states themselves. */
const STATE_EVENTS: readonly string[] = ['054', '057', '058'];
const FALLBACK_ALARM = '010';
const FALLBACK_STATE = '057';
/** The send list has no word for a test call. */
const TEST_CALL = '058';

export interface Bs8521SendSetting {
  /** Sends the states for `no speech` (02, 03) with an alarm without speech. */
  readonly nonSpeechStatus?: boolean;
  /** Instead of the built-in ones. */
  readonly tables?: { readonly event: EventTable; readonly location: CodeTable; readonly status: CodeTable };
}

/** An internal event as the 24 digits. `NotExpressible`: the identity is not digits or too long. */
export function bs8521Fields(
  event: AlarmEvent,
  setting: Bs8521SendSetting = {},
): Result<Bs8521Fields, Failure<'NotExpressible'>> {
  const identity = identityOf(event);
  if (identity === undefined) {
    return fail(
      'NotExpressible',
      'controllerId and deviceId are not at most 8 and 4 digits',
      '/controllerId',
    );
  }
  const form = sendForm(event);
  const { tables = bs8521Table } = setting;
  const status = nonSpeech(event, form, setting) ?? tables.status.rowFor(form.statusCode ?? '')?.code ?? '00';
  return ok({
    systemConfig: configOf(form),
    speechType: event.audio === 'none' ? '0' : event.audio === 'simplex' ? '2' : '1',
    conformance: '00',
    ...identity,
    event: event.statusCode.receive === 'alarmTest' ? TEST_CALL : eventOf(form, status, tables.event),
    location: tables.location.rowFor(form.location ?? '')?.code ?? '00',
    priority: String(Math.min(9, Math.max(0, Math.trunc(event.priority)))),
    status,
  });
}

/** 12 digits without deviceId, or at most 8 and 4, filled with zeros in front. */
function identityOf({
  controllerId,
  deviceId,
}: AlarmEvent): Pick<Bs8521Fields, 'controllerId' | 'unitId'> | undefined {
  if (deviceId === undefined && /^\d{9,12}$/.test(controllerId)) {
    const whole = controllerId.padStart(12, '0');
    return { controllerId: whole.slice(0, 8), unitId: whole.slice(8) };
  }
  if (!/^\d{1,8}$/.test(controllerId) || !/^\d{0,4}$/.test(deviceId ?? '')) return undefined;
  return { controllerId: controllerId.padStart(8, '0'), unitId: (deviceId ?? '').padStart(4, '0') };
}

const configOf = ({ systemConfig }: SendForm): string =>
  Object.entries(BS8521_SYSTEM_CONFIG).find(([, word]) => word === systemConfig)?.[0] ?? '0';

function nonSpeech(
  { audio }: AlarmEvent,
  { statusCode }: SendForm,
  setting: Bs8521SendSetting,
): string | undefined {
  if (setting.nonSpeechStatus !== true || audio !== 'none') return undefined;
  return statusCode === 'alarmManual' ? '02' : statusCode === 'alarm' ? '03' : undefined;
}

function eventOf(form: SendForm, status: string, table: EventTable): string {
  const isAlarm = isAlarmState(form.statusCode);
  const row = rowOf(form, table);
  if (row === undefined) return isAlarm ? FALLBACK_ALARM : FALLBACK_STATE;
  const saysState = row.sendStatusCode !== undefined || status !== '00' || STATE_EVENTS.includes(row.code);
  return isAlarm || saysState ? row.code : FALLBACK_STATE;
}

/** The row that fits best: one that names the status, then the place, then the device type; else file order. */
function rowOf({ deviceType, statusCode, location }: SendForm, table: EventTable): EventRow | undefined {
  let best: EventRow | undefined;
  let bestRank = -1;
  for (const row of table.rows) {
    if (row.sendDeviceType === undefined) continue;
    const fits =
      (row.sendDeviceType === '*' || holds(row.sendDeviceType, deviceType)) &&
      (row.sendStatusCode === undefined || holds(row.sendStatusCode, statusCode)) &&
      (row.sendLocation === undefined || holds(row.sendLocation, location));
    const rank =
      (row.sendStatusCode === undefined ? 0 : 4) +
      (row.sendLocation === undefined ? 0 : 2) +
      (row.sendDeviceType === '*' ? 0 : 1);
    if (fits && rank > bestRank) [best, bestRank] = [row, rank];
  }
  return best;
}

const holds = (column: string, word: string | null | undefined): boolean =>
  word != null && wordsIn(column).includes(word);
