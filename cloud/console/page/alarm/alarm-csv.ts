import type { Operations } from '#shared/client/index.ts';
import { csvText } from '#shared/contract/record/index.ts';

type Alarm = Operations['getSiteByDomainAlarm']['answer']['alarms'][number];

const COLUMNS = [
  'alarmId',
  'raised',
  'cleared',
  'acknowledged',
  'status',
  'severity',
  'error',
  'site',
  'host',
  'message',
  'late',
  'told',
  'remarks',
] as const;

/** Alarms for a spreadsheet; times in UTC (ISO 8601). */
export function alarmsAsCsv(alarms: readonly Alarm[]): string {
  const time = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString());
  const word = (value: unknown): string => (typeof value === 'string' ? value : '');
  const rows = alarms.map((alarm) => [
    alarm.alarmId,
    time(alarm.raisedAt),
    time(alarm.clearedAt),
    time(alarm.acknowledgedAt),
    alarm.status,
    word(alarm.errorDetails.severity),
    alarm.error,
    alarm.siteId,
    alarm.hostId ?? '',
    word(alarm.errorDetails.message),
    alarm.late === true ? 'late' : '',
    alarm.untold === true ? 'no: maintenance' : 'yes',
    (alarm.notes ?? []).map(({ at, by, text }) => `${time(at)} ${by}: ${text}`).join('\n'),
  ]);
  return csvText([COLUMNS, ...rows]);
}
