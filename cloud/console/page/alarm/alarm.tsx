import './alarm.css';
import type { I18n } from '@lingui/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Input } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { go, useRest, useSearchState } from '../../client/route.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { useSteady } from '../../client/steady.ts';
import { Act } from '../../component/act.tsx';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { causeOf, causeWords, stateWords } from '../../component/wording/incident-words.ts';
import { alarmsAsCsv } from './alarm-csv.ts';
import { AlarmPart } from './alarm-detail.tsx';
import { Acknowledge, type Alarm, Marks, wording } from './alarm-mark.tsx';

const STEP_MS = 5_000;
const STATES = ['active', 'acknowledged', 'cleared'] as const;
type State = (typeof STATES)[number];
/** Pages that are read for one list: more than anybody looks through, and the file has them all. */
const PAGES_SHOWN = 5;
const PAGES_SAVED = 1_000;

/**
 * Platform alarms, one state at a time and by cause: those that were not looked at come first. State and search stand in the
 * address; the list stands still under the pointer.
 */
export function AlarmPage() {
  const { i18n, t } = useLingui();
  const [{ state: asked, find: wanted = '' }, change] = useSearchState();
  const state: State = STATES.find((each) => each === asked) ?? 'active';
  const live = useLive(() => read({ status: state }, PAGES_SHOWN), [domain.value, state], STEP_MS, ['alarm']);
  const { value, at, failure, again } = live;
  const found = (value?.alarms ?? [])
    .filter((alarm) => matches(alarm, wanted, i18n))
    .toSorted((a, b) => b.raisedAt - a.raisedAt);
  const steady = useSteady(found, ({ alarmId }) => alarmId, `${domain.value} ${state} ${wanted}`);
  const open = useRest();
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Incidents</Trans>
        </h1>
        <fieldset className="choice" aria-label={t`State`}>
          {STATES.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === state}
              onClick={() => change({ state: each === 'active' ? undefined : each })}
            >
              {i18n._(stateWords(each))}
            </button>
          ))}
        </fieldset>
        <input
          type="search"
          aria-label={t`Find incidents by site, host or words`}
          placeholder={t`Site, host or words`}
          value={wanted}
          onChange={(event) => change({ find: event.currentTarget.value })}
        />
        {at > 0 && <Freshness at={at} />}
        {found.length > 0 && <Act plain label={t`Save as CSV`} run={() => save(state, wanted, i18n)} />}
      </header>
      <Stale failure={failure} at={at} />
      {steady.added > 0 && (
        <button type="button" onClick={steady.showAdded}>
          <Plural value={steady.added} one="# new" other="# new" />
        </button>
      )}
      {value?.alarms.length === 0 && <NoIncident state={state} />}
      {found.length === 0 && value !== undefined && value.alarms.length > 0 && (
        <p className="dim none">
          <Trans>No incident in this state matches the search.</Trans>
        </p>
      )}
      <div {...steady.place}>
        {byCause(steady.rows).map(([error, alarms]) => (
          <section key={error}>
            <header>
              <h2>
                {i18n._(causeWords(error))} <span className="dim">{i18n.number(alarms.length)}</span>
              </h2>
            </header>
            <CardTable className="incidents" columns={[t`Incident`, t`Place`, t`Since`, t`State`]} acts>
              <tbody>
                {alarms.map((alarm) => (
                  <Row key={alarm.alarmId} alarm={alarm} again={again} />
                ))}
              </tbody>
            </CardTable>
          </section>
        ))}
      </div>
      {value?.more === true && (
        <p className="dim none">
          <Trans>There are more: the file of "Save as CSV" has them all.</Trans>
        </p>
      )}
      {open !== '' && (
        <Dialog title={t`Incident`} onClose={() => go('alarm')}>
          <AlarmPart alarmId={open} again={again} />
        </Dialog>
      )}
    </>
  );
}

function NoIncident({ state }: { readonly state: State }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={state === 'active' ? t`No open incident` : t`None in this state`}
      command={`curl ${location.origin}/site/${domain.value}/alarm?status=${state}`}
    >
      <Trans>
        A host that stops answering, a service that fails or a disk that fills raises a platform alarm, which
        stands here until it is cleared. It is also sent to the <code>alarmEventsRestEndpoint</code> of the
        tenant.
      </Trans>
    </EmptyState>
  );
}

function Row({ alarm, again }: { readonly alarm: Alarm; readonly again: () => void }) {
  const { i18n, t } = useLingui();
  const { siteId, hostId } = alarm;
  return (
    <tr>
      <td>
        <PageLink page="alarm" rest={alarm.alarmId}>
          {wording(alarm.errorDetails, t) || i18n._(causeWords(causeOf(alarm)))}
        </PageLink>
      </td>
      <td>
        {siteId === '' ? (
          t`all sites`
        ) : (
          <PageLink
            page={hostId === undefined ? 'site' : 'host'}
            rest={hostId === undefined ? siteId : `${siteId}/${hostId}`}
          >
            {hostId === undefined ? siteId : `${siteId} / ${hostId}`}
          </PageLink>
        )}
      </td>
      <td>
        <Ago at={alarm.raisedAt} />
        {alarm.clearedAt !== undefined && (
          <div className="dim">
            <Trans>lasted {span(alarm.clearedAt - alarm.raisedAt)}</Trans>
          </div>
        )}
      </td>
      <td>
        <Badge word={alarm.status} text={i18n._(stateWords(alarm.status))} /> <Marks alarm={alarm} />
      </td>
      <td>{alarm.status === 'active' && mayHandle.value && <Acknowledge alarm={alarm} done={again} />}</td>
    </tr>
  );
}

/** In the order of the list, the cause with the newest one first. */
const byCause = (alarms: readonly Alarm[]): [string, Alarm[]][] => [...Map.groupBy(alarms, causeOf)];

function matches(alarm: Alarm, words: string, i18n: I18n): boolean {
  const { siteId, hostId = '', error, errorDetails } = alarm;
  const cause = i18n._(causeWords(causeOf(alarm)));
  const text =
    `${siteId} ${hostId} ${error} ${cause} ${wording(errorDetails, (each) => i18n._(each))}`.toLowerCase();
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
async function save(state: State, words: string, i18n: I18n) {
  const answer = await read({ status: state }, PAGES_SAVED);
  if (!answer.ok) return answer;
  const found = answer.value.alarms.filter((alarm) => matches(alarm, words, i18n));
  saveFile(alarmsAsCsv(found), `incidents-${state}-${new Date().toISOString().slice(0, 10)}.csv`);
  return answer;
}

function saveFile(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
