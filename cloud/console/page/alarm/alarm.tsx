import { useState } from 'react';
import type { Input } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { go, useRest } from '../../client/route.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Choice } from '../../component/choice.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Head } from '../../component/head.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { alarmsAsCsv } from './alarm-csv.ts';
import { AlarmPart } from './alarm-detail.tsx';
import { Acknowledge, type Alarm, Marks, wording } from './alarm-mark.tsx';

const STEP_MS = 5_000;
const STATES = ['active', 'acknowledged', 'cleared'] as const;
type State = (typeof STATES)[number];
/** Pages that are read for one list: more than anybody looks through, and the file has them all. */
const PAGES_SHOWN = 5;
const PAGES_SAVED = 1_000;

/** Alarms of supervision, one state at a time and site by site: alarms that were not looked at come first. */
export function AlarmPage() {
  const [state, setState] = useState<State>('active');
  const [wanted, setWanted] = useState('');
  const live = useLive(() => read({ status: state }, PAGES_SHOWN), [domain.value, state], STEP_MS, ['alarm']);
  const { value, at, failure, again } = live;
  const found = value?.alarms.filter((alarm) => matches(alarm, wanted));
  const open = useRest();
  return (
    <>
      <header className="page">
        <h1>Incidents</h1>
        <Choice name="State" words={STATES} chosen={state} onChoose={setState} />
        <input
          type="search"
          aria-label="Find alarms by site, host, kind or words"
          placeholder="Site, host, kind or words"
          value={wanted}
          onChange={(event) => {
            setWanted(event.currentTarget.value);
          }}
        />
        {at > 0 && (
          <p className="dim flat">
            seen <Ago at={at} />
          </p>
        )}
        {found !== undefined && found.length > 0 && (
          <Act plain label="Save as CSV" run={() => save(state, wanted)} />
        )}
      </header>
      <Stale failure={failure} at={at} />
      {value?.alarms.length === 0 && (
        <Empty>
          <h2>{state === 'active' ? 'No alarms' : 'None'}</h2>
          <p>
            A host that stops answering, a service that fails or a disk that fills raises an alarm. The alarm
            is also sent to the <code>alarmEventsRestEndpoint</code> of the tenant.
          </p>
        </Empty>
      )}
      {found?.length === 0 && value?.alarms.length !== 0 && (
        <p className="dim none">No alarm in this state matches the search.</p>
      )}
      {bySite(found ?? []).map(([siteId, alarms]) => (
        <section key={siteId}>
          <h2>{siteId === '' ? 'All sites' : siteId}</h2>
          <table className="cards">
            <Head columns={['What', 'Host', 'Since', 'State']} acts />
            <tbody>
              {alarms.map((alarm) => (
                <Row key={alarm.alarmId} alarm={alarm} again={again} />
              ))}
            </tbody>
          </table>
        </section>
      ))}
      {value?.more === true && (
        <p className="dim none">There are more: the file of &quot;Save as CSV&quot; has them all.</p>
      )}
      {open !== '' && (
        <Dialog
          title="Alarm"
          onClose={() => {
            go('alarm');
          }}
        >
          <AlarmPart alarmId={open} again={again} />
        </Dialog>
      )}
    </>
  );
}

function Row({ alarm, again }: { readonly alarm: Alarm; readonly again: () => void }) {
  return (
    <tr>
      <td>
        <PageLink page="alarm" rest={alarm.alarmId}>
          {alarm.error}
        </PageLink>
        <div className="dim">{wording(alarm.errorDetails)}</div>
      </td>
      <td>{alarm.hostId ?? 'the site'}</td>
      <td>
        <Ago at={alarm.raisedAt} />
        {alarm.clearedAt !== undefined && (
          <div className="dim">lasted {span(alarm.clearedAt - alarm.raisedAt)}</div>
        )}
      </td>
      <td>
        <Badge word={alarm.status} /> <Marks alarm={alarm} />
      </td>
      <td>{alarm.status === 'active' && mayHandle.value && <Acknowledge alarm={alarm} done={again} />}</td>
    </tr>
  );
}

/** Newest first, the site with the newest one first. */
function bySite(alarms: readonly Alarm[]): [string, Alarm[]][] {
  const newest = alarms.toSorted((a, b) => b.raisedAt - a.raisedAt);
  return [...Map.groupBy(newest, ({ siteId }) => siteId)];
}

function matches(alarm: Alarm, words: string): boolean {
  const { siteId, hostId = '', error, errorDetails } = alarm;
  const text = `${siteId} ${hostId} ${error} ${wording(errorDetails)}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** So many pages of a list as one. */
async function read(asked: Pick<Input<'getSiteByDomainAlarm'>, 'status'>, most: number) {
  const alarms: Alarm[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < most; page++) {
    const answer = await api.call('getSiteByDomainAlarm', {
      domain: domain.value,
      ...asked,
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    if (!answer.ok) return answer;
    alarms.push(...answer.value.alarms);
    ({ nextToken } = answer.value);
    if (nextToken === undefined) return { ok: true as const, value: { alarms, more: false } };
  }
  return { ok: true as const, value: { alarms, more: true } };
}

/** Everything in this state that has these words, not only what is shown. */
async function save(state: State, words: string) {
  const answer = await read({ status: state }, PAGES_SAVED);
  if (!answer.ok) return answer;
  const found = answer.value.alarms.filter((alarm) => matches(alarm, words));
  saveFile(alarmsAsCsv(found), `alarms-${state}-${new Date().toISOString().slice(0, 10)}.csv`);
  return answer;
}

function saveFile(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
