import { type SubmitEvent, useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { PROTOCOL_HINT } from '#shared/contract/provisioning/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Head } from '../../component/head.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { Drafts } from './draft.tsx';

/** Alarm bridges, and which of them would take a destination. */
export function BridgePage() {
  const live = useLive(
    () => api.call('getProvisioningAlarmbridge', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
  );
  const { value, at, failure, again } = live;
  const bridges = value?.alarmbridges;
  return (
    <>
      <header className="page">
        <h1>Alarm bridges</h1>
        <p className="dim flat">
          Each takes the alarms of some destinations, in one protocol, and tells an application.
        </p>
      </header>
      <Stale failure={failure} at={at} />
      <Which />
      <Drafts done={again} />
      {bridges?.length === 0 && (
        <Empty>
          <h2>No bridges yet</h2>
          <p>
            Alarms of devices need one: <code>POST /provisioning/alarmbridge/{domain.value}</code>, described
            in the <a href="/docs">API</a>.
          </p>
        </Empty>
      )}
      {bridges !== undefined && bridges.length > 0 && (
        <table>
          <Head columns={['Bridge', 'Protocol', 'Destinations', 'All fields']} />
          <tbody>
            {bridges.map((bridge) => (
              <tr key={bridge.id}>
                <td>
                  <strong>{bridge.name}</strong>
                </td>
                <td>
                  {bridge.protocol}
                  {PROTOCOL_HINT[bridge.protocol] !== undefined && (
                    <div className="dim">{PROTOCOL_HINT[bridge.protocol]}</div>
                  )}
                </td>
                <td>
                  <code>{bridge.destinationMatch}</code>
                </td>
                <td>
                  <details>
                    <summary>Show</summary>
                    <pre>{JSON.stringify(bridge, null, 2)}</pre>
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

type TestConfiguration = Operations['getProvisioningAlarmbridgeTestconfigurationByDestination']['answer'];

/** Asks the service, with the very code that judges an alarm. */
function Which() {
  const [found, setFound] = useState('');
  const [answered, setAnswered] = useState<TestConfiguration | undefined>(undefined);
  const ask = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const destination = String(new FormData(event.currentTarget).get('destination') ?? '').trim();
    const answer = await api.call('getProvisioningAlarmbridgeTestconfigurationByDestination', {
      domain: domain.value,
      destination,
    });
    setAnswered(answer.ok ? answer.value : undefined);
    setFound(answer.ok ? `${destination} is taken by ${answer.value.receiver}.` : answer.error.reason);
  };
  return (
    <>
      <form className="line" onSubmit={(event) => void ask(event)}>
        <label>
          Which bridge takes
          <input name="destination" placeholder="a number or name" required />
        </label>
        <button type="submit">Ask</button>
        <output>{found}</output>
      </form>
      {answered !== undefined && <Takers of={answered} />}
    </>
  );
}

/** Kinds of what arrives, as a person says them. */
const ARRIVAL: Readonly<Record<string, string>> = {
  scaip: 'SCAIP alarms',
  nowip: 'NOW-IP alarms',
  lacs: 'LACS alarms',
  message: 'Other messages',
  call: 'Calls',
  strayCall: 'Calls that nothing else takes',
  frame: 'DC-09 frames',
  event: 'Events of sendalarmevent',
};

/** The taker of each kind of arrival there, and the receivers that another one precedes. */
function Takers({ of: { takers = [], shadowed = [] } }: { readonly of: TestConfiguration }) {
  return (
    <>
      <table>
        <Head columns={['Arrives', 'Bridge', 'Id']} />
        <tbody>
          {takers.map(({ arrival, receiver, name }) => (
            <tr key={arrival}>
              <td>{ARRIVAL[arrival] ?? arrival}</td>
              <td>
                <strong>{name}</strong>
              </td>
              <td>
                <code>{receiver}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shadowed.map(({ receiver, by, message }) => (
        <p className="notice bad" role="alert" key={`${receiver} ${by}`}>
          {message}
        </p>
      ))}
    </>
  );
}
