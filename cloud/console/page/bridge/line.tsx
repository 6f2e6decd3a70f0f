import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Choice } from '../../component/choice.tsx';
import { Head } from '../../component/head.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { switched } from './line-switch.ts';

type Entry = Operations['postAlarmbridgeByDomainHandshakes']['answer']['entries'][number];

const WORDS = {
  'alarm bridges': 'bridge',
  trunks: 'trunk',
  'kinds of device': 'deviceType',
  devices: 'device',
  numbers: 'number',
} as const;

/** How calls of tone devices begin, the worst first, and what may suit them better. */
export function LinePage() {
  const [of, setOf] = useState<keyof typeof WORDS>('alarm bridges');
  const live = useLive(
    () =>
      api.call('postAlarmbridgeByDomainHandshakes', {
        domain: domain.value,
        body: { kind: WORDS[of], limit: 100 },
      }),
    [domain.value, of],
    20_000,
  );
  const { value, at, failure, again } = live;
  const entries = value?.entries.toSorted((a, b) => share(a) - share(b));
  return (
    <>
      <header className="page">
        <h1>Tone lines</h1>
        <Choice
          name="Lines of"
          words={Object.keys(WORDS) as (keyof typeof WORDS)[]}
          chosen={of}
          onChoose={setOf}
        />
      </header>
      <Stale failure={failure} at={at} />
      {value?.missingHosts !== undefined && (
        <p className="dim">Without what these hosts have counted: {value.missingHosts.join(', ')}.</p>
      )}
      {entries?.length === 0 && (
        <Empty>
          <h2>No calls yet</h2>
          <p>
            Each call of a device that speaks in tones is counted here: how soon its alarm was understood.
          </p>
        </Empty>
      )}
      {entries !== undefined && entries.length > 0 && (
        <table>
          <Head
            columns={[
              'Of',
              'Calls',
              'At the first try',
              'Without a string',
              'Level',
              'Last call',
              'May suit better',
            ]}
          />
          <tbody>
            {entries.map((entry) => (
              <tr key={`${entry.kind} ${entry.key}`}>
                <td>
                  <strong>{entry.key}</strong>
                  <div className="dim">{entry.protocol}</div>
                </td>
                <td>{entry.calls}</td>
                <td>{Math.round(share(entry) * 100)} %</td>
                <td>{entry.failed}</td>
                <td>{entry.levelDbm0 === undefined ? '' : `${entry.levelDbm0} dBm0`}</td>
                <td>
                  <Ago at={entry.lastMs} />
                </td>
                <td>
                  <Offers entry={entry} done={again} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const share = ({ firstTry, calls }: Entry): number => (calls === 0 ? 1 : firstTry / calls);

const WHAT = {
  tones: 'tones',
  protocol: 'protocol',
  check: 'check digits',
  line: 'the line itself',
} as const;

function Offers({ entry, done }: { readonly entry: Entry; readonly done: () => void }) {
  return (
    <>
      {entry.offers?.map((offer) => {
        const { setting, value, reason } = offer;
        const change = switched(entry, offer);
        return (
          <div key={`${setting} ${value ?? reason}`}>
            <p className="flat">
              {WHAT[setting]}
              {value !== undefined && (
                <>
                  : <strong>{value}</strong>
                </>
              )}
            </p>
            <p className="dim flat">{reason}.</p>
            {mayProvision.value && change !== undefined && (
              <Act label={`Switch to ${value}`} plain run={() => change(api, domain.value)} done={done} />
            )}
          </div>
        );
      })}
    </>
  );
}
