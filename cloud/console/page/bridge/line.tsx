import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Choice } from '../../component/choice.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { percent } from '../../component/wording/figure.ts';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { switched } from './line-switch.ts';

type Entry = Operations['postAlarmbridgeByDomainHandshakes']['answer']['entries'][number];

const KINDS = ['bridge', 'trunk', 'deviceType', 'device', 'number'] as const;
type Kind = (typeof KINDS)[number];

/** How calls of tone devices begin, the worst first, and what may suit them better. */
export function LinePage() {
  const { t } = useLingui();
  const [of, setOf] = useState<Kind>('bridge');
  const live = useLive(
    () =>
      api.call('postAlarmbridgeByDomainHandshakes', {
        domain: domain.value,
        body: { kind: of, limit: 100 },
      }),
    [domain.value, of],
    20_000,
  );
  const { value, at, failure, again } = live;
  const entries = value?.entries.toSorted((a, b) => share(a) - share(b));
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Tone lines</Trans>
        </h1>
        <Choice
          name={t`Lines of`}
          words={KINDS}
          texts={{
            bridge: t`Alarm receivers`,
            trunk: t`Trunks`,
            deviceType: t`Kinds of device`,
            device: t`Devices`,
            number: t`Numbers`,
          }}
          chosen={of}
          onChoose={setOf}
        />
      </header>
      <Stale failure={failure} at={at} />
      {value?.missingHosts !== undefined && (
        <p className="dim">
          <Trans>Without what these hosts have counted: {value.missingHosts.join(', ')}.</Trans>
        </p>
      )}
      {entries?.length === 0 && (
        <Empty>
          <h2>
            <Trans>No calls yet</Trans>
          </h2>
          <p>
            <Trans>
              Each call of a device that speaks in tones is counted here: how soon its alarm was understood.
            </Trans>
          </p>
        </Empty>
      )}
      {entries !== undefined && entries.length > 0 && (
        <CardTable
          columns={[
            t`Of`,
            t`Calls`,
            t`At the first try`,
            t`Without a string`,
            t`Level`,
            t`Last call`,
            t`May suit better`,
          ]}
        >
          <tbody>
            {entries.map((entry) => (
              <tr key={`${entry.kind} ${entry.key}`}>
                <td>
                  <strong>
                    {entry.kind === 'bridge' && <ObjectLink kind="receiver" id={entry.key} />}
                    {entry.kind === 'trunk' && <ObjectLink kind="trunk" id={entry.key} />}
                    {entry.kind === 'device' && <ObjectLink kind="device" id={entry.key} />}
                    {(entry.kind === 'deviceType' || entry.kind === 'number') && entry.key}
                  </strong>
                  <div className="dim">{entry.protocol !== undefined && protocolName(entry.protocol)}</div>
                </td>
                <td>{entry.calls}</td>
                <td>{percent(share(entry), 0)}</td>
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
        </CardTable>
      )}
    </>
  );
}

const share = ({ firstTry, calls }: Entry): number => (calls === 0 ? 1 : firstTry / calls);

const WHAT = {
  tones: msg`tones`,
  protocol: msg`protocol`,
  check: msg`check digits`,
  line: msg`the line itself`,
} as const;

function Offers({ entry, done }: { readonly entry: Entry; readonly done: () => void }) {
  const { t, i18n } = useLingui();
  return (
    <>
      {entry.offers?.map((offer) => {
        const { setting, value, reason } = offer;
        const change = switched(entry, offer);
        return (
          <div key={`${setting} ${value ?? reason}`}>
            <p className="flat">
              {i18n._(WHAT[setting])}
              {value !== undefined && (
                <>
                  : <strong>{value}</strong>
                </>
              )}
            </p>
            <p className="dim flat">{reason}.</p>
            {mayProvision.value && change !== undefined && (
              <Act label={t`Switch to ${value}`} plain run={() => change(api, domain.value)} done={done} />
            )}
          </div>
        );
      })}
    </>
  );
}
