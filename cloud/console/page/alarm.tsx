import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Act } from '../part/act.tsx';
import { Ago, span } from '../part/age.tsx';
import { Badge } from '../part/badge.tsx';
import { Head } from '../part/head.tsx';
import { Empty, Stale } from '../part/notice.tsx';
import { domain, mayOperate } from '../session.ts';

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
        <fieldset class="choice" aria-label="State">
          {STATES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === state.value}
              onClick={() => {
                state.value = each;
              }}
            >
              {each}
            </button>
          ))}
        </fieldset>
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
        <table>
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
