import { Trans, useLingui } from '@lingui/react/macro';
import { memo, useState } from 'react';
import { api } from '../../client/api.ts';
import { domain, mayOperate } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { noteText } from '../../component/step/note-words.ts';
import { curlOf, type Delivery, deliveriesOf, keyOf } from '../../component/trace/delivery.ts';
import type { Message } from '../../component/trace/ladder.ts';
import type { Step } from '../../component/trace/lane.ts';
import { decimal } from '../../component/wording/figure.ts';
import type { Entry } from './record-words.ts';
import { useOnce } from './use-once.ts';

/** Each callback of a session with body and answer; one that was given up can be sent again. Drawn again for other messages alone. */
export const Deliveries = memo(function Deliveries(props: {
  readonly record: Entry;
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
}) {
  const { record, steps, messages } = props;
  const found = deliveriesOf(steps, messages);
  if (found.length === 0) return null;
  return (
    <section className="record-part">
      <header>
        <h2>
          <Trans>Deliveries</Trans>
        </h2>
      </header>
      {(record.deliveries?.failed ?? 0) > 0 && <Redeliver record={record} deliveries={found} />}
      {found.map((delivery) => (
        <OneDelivery key={`${delivery.step.at}`} delivery={delivery} />
      ))}
    </section>
  );
});

function OneDelivery({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const { url, attempt, status, tookMs, reason, request, body } = delivery;
  const isGood = status !== undefined && status >= 200 && status < 300;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(curlOf(delivery));
    setCopied(true);
  };
  return (
    <details className="delivery">
      <summary>
        <span className={`badge ${isGood ? 'good' : 'bad'}`}>
          <span aria-hidden="true">{isGood ? '●' : '■'}</span> {status ?? t`no answer`}
        </span>{' '}
        <strong>{URL.canParse(url) ? new URL(url).pathname : url}</strong>{' '}
        <span className="dim">
          <Trans>attempt {attempt}</Trans>
          {tookMs !== undefined && ` · ${decimal(tookMs, 1)} ms`}
        </span>
        {reason !== undefined && <div className="refused">{noteText(reason, t)}</div>}
      </summary>
      <p className="dim flat">
        <code>{url}</code>
      </p>
      {request === undefined ? (
        <p className="dim">
          <Trans>No host has the request any more: a host overwrites its oldest messages.</Trans>
        </p>
      ) : (
        <>
          <h3>
            <Trans>Request</Trans>
          </h3>
          <pre>
            {[request.line, ...request.headers.map(([name, value]) => `${name}: ${short(value)}`)].join('\n')}
            {'\n\n'}
            {pretty(request.body)}
          </pre>
        </>
      )}
      {body !== undefined && (
        <>
          <h3>
            <Trans>Answer</Trans>
          </h3>
          <pre>{pretty(body)}</pre>
        </>
      )}
      {request !== undefined && (
        <p className="record-links">
          <button type="button" className="plain" onClick={() => void copy()}>
            {isCopied ? t`Copied` : t`Copy as curl`}
          </button>
          <span className="dim">
            <Trans>Secrets are masked: put your own in their place.</Trans>
          </span>
        </p>
      )}
    </details>
  );
}

/** The dead letters of this session among those of its endpoint. */
function Redeliver(props: { readonly record: Entry; readonly deliveries: readonly Delivery[] }) {
  const keys = new Set(props.deliveries.map(keyOf));
  const asked = useOnce(
    () => api.call('getDeliveryByDomain', { domain: domain.value }),
    props.record.recordId,
  );
  const { t } = useLingui();
  const dead = (asked.value?.endpoints ?? []).flatMap(({ endpoint, callbacks }) =>
    callbacks.flatMap(({ id, state }) => (state === 'dead' && keys.has(id) ? [{ endpoint, id }] : [])),
  );
  const [first] = dead;
  if (first === undefined)
    return (
      <p className="dim">
        <Trans>
          An attempt failed. No callback of this session was given up: the host goes on trying or has been
          answered.
        </Trans>
      </p>
    );
  return (
    <p className="notice bad">
      <Trans>The host gave a callback of this session up.</Trans>{' '}
      {mayOperate.value && (
        <Act
          label={t`Deliver again`}
          run={() =>
            api.call('postDeliveryByDomainRedeliver', {
              domain: domain.value,
              body: { endpoint: first.endpoint, ids: dead.map(({ id }) => id) },
            })
          }
          done={asked.again}
        />
      )}
    </p>
  );
}

const short = (value: string): string => value.replace(/x{16,}/g, 'xxxxxxxx');

/** JSON with one member a line, masked values short; another text as it is. */
function pretty(text: string): string {
  try {
    return short(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return short(text);
  }
}
