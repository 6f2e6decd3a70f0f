import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { eventWord } from '../../component/wording/event-words.ts';
import type { Outcome, TriedMap, triedMap } from './map-tool.ts';
import { eventOf, type MapOwner, objectOf, type SeenAlarm } from './mapped-event.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const MOST = 10;

/** A map, as it is typed, on the alarms that came lately. `bridges`: only alarms of these receivers; undefined: of all. */
export function MapTrial(props: {
  readonly map: unknown;
  readonly owner: MapOwner;
  readonly bridges: readonly string[] | undefined;
}) {
  const { map, owner, bridges } = props;
  const [tool, setTool] = useState<{ readonly triedMap: typeof triedMap }>();
  useEffect(() => void import('./map-tool.ts').then(setTool), []);
  const tried = tool?.triedMap(map);
  if (tried === undefined) return null;
  return (
    <details className="form-group map-trial" open>
      <summary>
        <Trans>Try the map on events seen lately</Trans>
      </summary>
      {tried.ok ? (
        <Seen tried={tried} owner={owner} bridges={bridges} />
      ) : (
        <p className="refused" role="status">
          <code>{tried.path}</code> {tried.reason}
        </p>
      )}
    </details>
  );
}

type Runnable = Extract<TriedMap, { readonly ok: true }>;

/** The last alarms, each with the rule that it meets; one of them opens for a closer look. */
function Seen(props: {
  readonly tried: Runnable;
  readonly owner: MapOwner;
  readonly bridges: readonly string[] | undefined;
}) {
  const { tried, owner, bridges } = props;
  const { t } = useLingui();
  const [from] = useState(() => String(serverNow() - DAYS * DAY_MS));
  const [chosen, setChosen] = useState<SeenAlarm | undefined>();
  const only = bridges?.length === 1 ? bridges[0] : undefined;
  const { data, error } = useAnswer('getRecordByDomain', {
    ...{ domain: domain.value, kind: 'alarm', from, limit: '100' },
    ...(only === undefined ? {} : { bridge: only }),
  });
  const alarms = (data?.records ?? [])
    .filter(({ receiver, erased }) => erased !== true && (bridges?.includes(receiver ?? '') ?? true))
    .slice(0, MOST);
  return (
    <>
      {error !== null && <p className="refused">{error.message}</p>}
      {data !== undefined && alarms.length === 0 && (
        <p className="dim">
          <Trans>No alarm came in the last 30 days. The first one fills this list.</Trans>
        </p>
      )}
      {alarms.length > 0 && (
        <table className="small">
          <Head columns={[t`Alarm`, t`Rule`, t`Result`]} acts />
          <tbody>
            {alarms.map((alarm) => (
              <Row
                key={alarm.recordId}
                alarm={alarm}
                outcome={tried.run(eventOf(alarm, domain.value, owner))}
                look={() => setChosen(alarm)}
              />
            ))}
          </tbody>
        </table>
      )}
      {chosen !== undefined && <Closer key={chosen.recordId} tried={tried} owner={owner} alarm={chosen} />}
    </>
  );
}

function Row(props: { readonly alarm: SeenAlarm; readonly outcome: Outcome; readonly look: () => void }) {
  const { alarm, outcome, look } = props;
  const { t } = useLingui();
  const { deviceType, statusCode } = alarm.event ?? {};
  const what = [statusCode, deviceType].flatMap((word) =>
    typeof word === 'string' ? eventWord(word, t) : [],
  );
  return (
    <tr>
      <td>
        <PageLink page="record" rest={alarm.recordId}>
          <Ago at={alarm.at} />
        </PageLink>{' '}
        {alarm.deviceId ?? alarm.from} <span className="dim">{what.join(', ')}</span>
      </td>
      <td>
        <Rule of={outcome} />
      </td>
      <td>
        <Effect of={outcome} />
      </td>
      <td>
        <button type="button" className="link" onClick={look}>
          <Trans>Look closer</Trans>
        </button>
      </td>
    </tr>
  );
}

/** Rules are counted from 1, as the editor counts them. */
function Rule({ of }: { readonly of: Outcome }) {
  if (of.rule === undefined)
    return (
      <span className="dim">
        <Trans>none</Trans>
      </span>
    );
  const number = of.rule + 1;
  return <Trans>rule {number}</Trans>;
}

function Effect({ of }: { readonly of: Outcome }) {
  switch (of.kind) {
    case 'dropped':
      return (
        <strong>
          <Trans>not sent</Trans>
        </strong>
      );
    case 'tooLarge':
      return <span className="refused">{of.reason}</span>;
    default:
      return of.path === undefined ? <Trans>sent</Trans> : <Trans>sent to {of.path}</Trans>;
  }
}

/** One event as text, which a person may change, and what the map makes of it. */
function Closer(props: { readonly tried: Runnable; readonly owner: MapOwner; readonly alarm: SeenAlarm }) {
  const { tried, owner, alarm } = props;
  const [text, setText] = useState(() => textOf(eventOf(alarm, domain.value, owner)));
  const event = objectOf(text);
  return (
    <>
      <label>
        <Trans>Event</Trans>
        <textarea
          className="code"
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(change) => setText(change.currentTarget.value)}
        />
      </label>
      {owner.kind === 'receiver' && (
        <p className="dim flat">
          <Trans>The record keeps a part of the event; what the device sent can be added here.</Trans>
        </p>
      )}
      {event === undefined ? (
        <p className="refused" role="alert">
          <Trans>This is not JSON yet.</Trans>
        </p>
      ) : (
        <Result of={tried.run(event)} />
      )}
    </>
  );
}

function Result({ of }: { readonly of: Outcome }) {
  const headers = of.kind === 'sent' ? Object.entries(of.headers) : [];
  return (
    <div role="status">
      <p className="flat">
        <Rule of={of} />: <Effect of={of} />
      </p>
      {of.kind === 'sent' && (
        <pre>
          {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
          {textOf(of.body)}
        </pre>
      )}
    </div>
  );
}

const textOf = (value: unknown): string => JSON.stringify(value, null, 2);
