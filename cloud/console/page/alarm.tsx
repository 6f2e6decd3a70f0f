import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Act } from '../part/act.tsx';
import { Ago, span } from '../part/age.tsx';
import { Badge } from '../part/badge.tsx';
import { Choice } from '../part/choice.tsx';
import { Head } from '../part/head.tsx';
import { Empty, Stale } from '../part/notice.tsx';
import { domain, mayOperate } from '../session.ts';

type Alarm = Operations['getSiteByDomainAlarm']['answer']['alarms'][number];

const STEP_MS = 5_000;
const STATES = ['active', 'acknowledged', 'cleared'] as const;

/** Alarms of supervision, one state at a time: what nobody has looked at comes first. */
export function AlarmPage() {
  const state = useSignal<(typeof STATES)[number]>('active');
  const live = useLive(
    () => api.call('getSiteByDomainAlarm', { domain: domain.value, status: state.value, limit: '100' }),
    [domain.value, state.value],
    STEP_MS,
    ['alarm'],
  );
  const { value, at, failure, again } = live.value;
  const alarms = value?.alarms.toSorted((a, b) => b.raisedAt - a.raisedAt);
  return (
    <>
      <header class="page">
        <h1>Alarms</h1>
        <Choice name="State" words={STATES} chosen={state} />
        {alarms !== undefined && alarms.length > 0 && (
          <button type="button" class="plain" onClick={() => saveCsv(alarms, state.value)}>
            Save as CSV
          </button>
        )}
      </header>
      <Stale failure={failure} at={at} />
      {alarms?.length === 0 && (
        <Empty>
          <h2>{state.value === 'active' ? 'All quiet' : 'None'}</h2>
          <p>
            A host that stops answering, a service that fails or a disk that fills would stand here, and goes
            to the tenant&apos;s <code>alarmEventsRestEndpoint</code> at the same time.
          </p>
        </Empty>
      )}
      {alarms !== undefined && alarms.length > 0 && (
        <table class="cards">
          <Head columns={['What', 'Where', 'Since', 'State']} acts />
          <tbody>
            {alarms.map((alarm) => (
              <tr key={alarm.alarmId}>
                <td>
                  <strong>{alarm.error}</strong>
                  <div class="dim">{wording(alarm.errorDetails)}</div>
                </td>
                <td>
                  {alarm.siteId}
                  {alarm.hostId !== undefined && ` / ${alarm.hostId}`}
                </td>
                <td>
                  <Ago at={alarm.raisedAt} />
                  {alarm.clearedAt !== undefined && (
                    <div class="dim">lasted {span(alarm.clearedAt - alarm.raisedAt)}</div>
                  )}
                </td>
                <td>
                  <Badge word={alarm.status} />
                </td>
                <td>
                  {alarm.status === 'active' && mayOperate.value && (
                    <Act
                      label="Acknowledge"
                      run={() =>
                        api.call('postSiteByDomainAlarmByAlarmIdAck', {
                          domain: domain.value,
                          alarmId: alarm.alarmId,
                        })
                      }
                      done={again}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The sentence of the alarm where it has one, else its details as they came. */
function wording(details: Readonly<Record<string, unknown>>): string {
  const { message, status: _, ...rest } = details;
  if (typeof message === 'string' && message !== '') return message;
  return Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const COLUMNS = ['raised', 'cleared', 'acknowledged', 'status', 'error', 'site', 'host', 'message'] as const;

/** What is shown, as a file for a spreadsheet (RFC 4180). */
function saveCsv(alarms: readonly Alarm[], name: string): void {
  const time = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString());
  const rows = alarms.map((alarm) => [
    time(alarm.raisedAt),
    time(alarm.clearedAt),
    time(alarm.acknowledgedAt),
    alarm.status,
    alarm.error,
    alarm.siteId,
    alarm.hostId ?? '',
    wording(alarm.errorDetails),
  ]);
  const text = [COLUMNS, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\r\n`], { type: 'text/csv' }));
  link.download = `alarms-${name}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Nothing that a spreadsheet would take for a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
