import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Head } from '../../component/head.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { endpointKindWords } from '../../component/wording/endpoint-words.ts';
import { adviceOf, callbackWords } from './delivery-words.ts';
import { type EndpointRow, reasonsOf, type Stuck } from './endpoint-row.ts';
import { Histogram } from './histogram.tsx';

/** One endpoint: why it fails, how fast it is, what waits, and its dead letters to send again. */
export function EndpointPart({ row, again }: { readonly row: EndpointRow; readonly again: () => void }) {
  const { i18n, t } = useLingui();
  const { stuck, figure, url } = row;
  const reasons = reasonsOf(row);
  return (
    <>
      <dl>
        {stuck !== undefined && (
          <>
            <dt>{t`Kind`}</dt>
            <dd>{i18n._(endpointKindWords(stuck.kind))}</dd>
          </>
        )}
        {url !== undefined && (
          <>
            <dt>{t`Address`}</dt>
            <dd>
              <code>{url}</code>
            </dd>
          </>
        )}
      </dl>
      <h3>
        <Trans>Why attempts were not accepted</Trans>
      </h3>
      {reasons.length === 0 && (
        <p className="dim">
          <Trans>Every attempt of the last 24 hours was accepted.</Trans>
        </p>
      )}
      {reasons.length > 0 && (
        <ul className="reasons">
          {reasons.map(({ reason, times }) => (
            <li key={reason}>
              {i18n._(adviceOf(reason))}{' '}
              <span className="dim">
                <code>{reason}</code>, <Plural value={times} one="# time" other="# times" />
              </span>
            </li>
          ))}
        </ul>
      )}
      {figure !== undefined && figure.latency.amount > 0 && <Histogram steps={figure.histogram} />}
      {stuck === undefined ? (
        <p className="dim">
          <Trans>No callback of this endpoint waits, and none was given up.</Trans>
        </p>
      ) : (
        <Callbacks stuck={stuck} again={again} />
      )}
    </>
  );
}

/** Callbacks that are not delivered; a person picks dead letters, or sends all of them again. */
function Callbacks({ stuck, again }: { readonly stuck: Stuck; readonly again: () => void }) {
  const { i18n, t } = useLingui();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [taken, setTaken] = useState<number | undefined>(undefined);
  const { endpoint, callbacks, dead } = stuck;
  const ids = callbacks.filter(({ id, state }) => state === 'dead' && picked.has(id)).map(({ id }) => id);
  const redeliver = async () => {
    const answer = await api.call('postDeliveryByDomainRedeliver', {
      domain: domain.value,
      body: { endpoint, ...(ids.length === 0 ? {} : { ids }) },
    });
    if (answer.ok) setTaken(answer.value.taken);
    return answer;
  };
  const toggle = (id: string): void => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  };
  return (
    <>
      <h3>
        <Trans>Not delivered</Trans>
      </h3>
      <p className="acts">
        {mayHandle.value && dead > 0 && (
          <Act
            label={
              ids.length === 0
                ? t`Redeliver all ${i18n.number(dead)} dead letters`
                : t`Redeliver the ${i18n.number(ids.length)} chosen`
            }
            run={redeliver}
            done={() => {
              setPicked(new Set());
              again();
            }}
          />
        )}
        {taken !== undefined && (
          <output>
            <Plural value={taken} one="# callback is tried again." other="# callbacks are tried again." />
          </output>
        )}
      </p>
      <table className="small callbacks">
        <Head columns={[t`Callback`, t`State`, t`Attempts`, t`Last answer`]} />
        <tbody>
          {callbacks.map(({ id, state, type, siteId, hostId, attempts, lastError, createdAt }) => (
            <tr key={id}>
              <td>
                {state === 'dead' && mayHandle.value ? (
                  <label className="check">
                    <input type="checkbox" checked={picked.has(id)} onChange={() => toggle(id)} />{' '}
                    {i18n._(callbackWords(type))}
                  </label>
                ) : (
                  i18n._(callbackWords(type))
                )}
                <div className="dim">
                  <ObjectLink kind="host" id={`${siteId}/${hostId}`} />, <Ago at={createdAt} />
                </div>
              </td>
              <td>
                <Badge
                  word={state === 'dead' ? 'failed' : 'pending'}
                  text={state === 'dead' ? t`dead letter` : t`waiting`}
                />
              </td>
              <td className="number">{i18n.number(attempts)}</td>
              <td>{lastError ?? t`not tried yet`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {stuck.waiting + dead > callbacks.length && (
        <p className="dim">
          <Trans>The oldest {i18n.number(callbacks.length)} are shown.</Trans>
        </p>
      )}
    </>
  );
}
