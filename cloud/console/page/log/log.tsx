import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type SubmitEvent, useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { noteText } from '../../component/step/note-words.ts';
import { MOMENT } from '../../component/wording/figure.ts';
import { readable } from '../../component/wording/readable.ts';
import { stateName } from '../../component/wording/state-words.ts';
import { eventTitle, isOver } from './log-words.ts';

type Entry = Operations['getProvisioningLog']['answer']['entries'][number];

const FIELDS = [
  ['deviceId', msg`Device`],
  ['number', msg`Number`],
  ['traceId', msg`Trace ID`],
] as const;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

type Wanted = { readonly [F in (typeof FIELDS)[number][0]]?: string } & {
  readonly level?: (typeof LEVELS)[number];
};

/** The events at the sites, by device, number or trace: the way of an alarm or call as its host reported it. */
export function LogPage() {
  const { t, i18n } = useLingui();
  const [wanted, setWanted] = useState<Wanted>({});
  const paged = usePages(
    async (nextToken) => {
      const answer = await api.call('getProvisioningLog', {
        domain: domain.value,
        ...{ limit: '50', order: 'newest' as const },
        ...wanted,
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.entries, nextToken: answer.value.nextToken } };
    },
    [domain.value, wanted],
  );
  const { items, failure, loading, again } = paged;
  const search = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = [...form].map(([name, value]) => [name, String(value).trim()] as const);
    setWanted(Object.fromEntries(given.filter(([, value]) => value !== '')) as Wanted);
    again();
  };
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Log</Trans>
        </h1>
        <p className="dim flat">
          <Trans>Events of alarms and calls from the hosts, newest first.</Trans>
        </p>
      </header>
      <form className="line" onSubmit={search}>
        {FIELDS.map(([name, label]) => (
          <label key={name}>
            {i18n._(label)}
            <input name={name} />
          </label>
        ))}
        <label>
          <Trans>From level</Trans>
          <select name="level">
            <option value="">
              <Trans>all</Trans>
            </option>
            {LEVELS.map((level) => (
              <option key={level} value={level}>
                {i18n._(stateName(level))}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">
          <Trans>Find</Trans>
        </button>
      </form>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <Empty>
          <h2>
            <Trans>No match</Trans>
          </h2>
          <p>
            <Trans>This list shows every alarm and call of a site, from the device to the answer.</Trans>
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <CardTable columns={[t`When`, t`Where`, t`What`, t`Details`]}>
          <tbody>
            {items.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </CardTable>
      )}
      <More paged={paged} />
    </>
  );
}

function Row({ entry }: { readonly entry: Entry }) {
  const { i18n } = useLingui();
  const { at, estimated, late, siteId, hostId, type, level, deviceId, details } = entry;
  const { title, error } = eventTitle(type, details);
  const message = noteText(messageOf(details), (each) => i18n._(each));
  return (
    <tr>
      <td>
        <Ago at={at} estimated={estimated === true} />
        <div className="dim">
          <Moment at={at} estimated={estimated === true} />
        </div>
      </td>
      <td>
        <ObjectLink kind="site" id={siteId} />
        {hostId !== undefined && (
          <>
            {' / '}
            <ObjectLink kind="host" id={`${siteId}/${hostId}`} />
          </>
        )}
        {deviceId !== undefined && (
          <div className="dim">
            <ObjectLink kind="device" id={deviceId} />
          </div>
        )}
      </td>
      <td>
        <strong title={type}>{title === undefined ? readable(type) : i18n._(title)}</strong>{' '}
        {isOver(details) ? <Badge word="cleared" /> : level !== 'info' && <Badge word={level} />}
        {late && (
          <span className="label warn">
            <Trans>late</Trans>
          </span>
        )}
        {error !== undefined && <div className="dim">{i18n._(error)}</div>}
        {message !== '' && <div className="dim">{message}</div>}
      </td>
      <td>
        <details>
          <summary>
            <Trans>Show</Trans>
          </summary>
          <Fields of={details} />
        </details>
      </td>
    </tr>
  );
}

/** The words of a host about an event; empty: nothing. */
function messageOf({ message, errorDetails }: Readonly<Record<string, unknown>>): string {
  const inner = (errorDetails ?? {}) as Readonly<Record<string, unknown>>;
  const said = [message, inner.message].find((each) => typeof each === 'string');
  return typeof said === 'string' ? said : '';
}

/** The details that a host sends with an event: each value beside its name, as the API spells it. */
function Fields({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl>
      {fieldsOf(of).map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** `errorDetails.severity` and `major`: the values of nested objects, each with its path. */
function fieldsOf(of: Readonly<Record<string, unknown>>, path = ''): readonly (readonly [string, string])[] {
  return Object.entries(of).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? fieldsOf(value as Readonly<Record<string, unknown>>, `${path}${name}.`)
      : [[`${path}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  );
}

/** Local time; `~` where the clock of the host had no source and the moment is worked out. */
const Moment = ({ at, estimated }: { readonly at: number; readonly estimated: boolean }) => (
  <>
    {estimated && '~'}
    {i18n.date(at, MOMENT)}
  </>
);
