import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useAnswer } from '../../client/query.ts';
import { session } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Field } from '../../component/field.tsx';
import { Stale } from '../../component/notice.tsx';
import { noteText } from '../../component/step/note-words.ts';
import { brokerModeText, brokerPropertyText, deploymentErrorText } from './platform-words.ts';
import { Replicas } from './replicas.tsx';

const STEP_MS = 10_000;

/** The deployment, for those who operate it: what is wrong with it, its processes, its brokers, its tenants. */
export function PlatformPage() {
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Platform</Trans>
        </h1>
      </header>
      {session.value?.person.platformOwner === true ? (
        <>
          <Troubles />
          <Replicas />
          <Broker />
          <Tenants />
        </>
      ) : (
        <p className="dim none">
          <Trans>This page is for the owner of the platform. Ask the person who operates it.</Trans>
        </p>
      )}
    </>
  );
}

function Troubles() {
  const { t } = useLingui();
  const answer = useAnswer('getPlatformAlarm', { limit: '50' }, { everyMs: STEP_MS });
  const { data: value, dataUpdatedAt: at, error } = answer;
  return (
    <section>
      <h2>
        <Trans>Alarms of the deployment</Trans>
      </h2>
      <Stale failure={error?.message} at={at} />
      {value?.alarms.length === 0 && (
        <p className="dim none">
          <Trans>None since the start of the control plane.</Trans>
        </p>
      )}
      {value !== undefined && value.alarms.length > 0 && (
        <CardTable columns={[t`What`, t`Since`, t`State`]}>
          <tbody>
            {value.alarms.map(({ alarmId, error, message, raisedAt, status }) => (
              <tr key={alarmId}>
                <td>
                  <strong title={error}>{deploymentErrorText(error, t)}</strong>
                  <div className="dim">{noteText(message, t)}</div>
                </td>
                <td>
                  <Ago at={raisedAt} />
                </td>
                <td>
                  <Badge word={status} />
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </section>
  );
}

function Broker() {
  const { t } = useLingui();
  const live = useLive(() => api.call('getPlatformBroker', {}), [], STEP_MS);
  const { value, at, failure, again } = live;
  const broker = value?.broker;
  return (
    <section>
      <header>
        <h2>
          <Trans>Broker</Trans>
        </h2>
        {broker !== undefined && (
          <p className="dim about">
            <Trans>
              {brokerModeText(broker.mode, t)}, <code>{broker.url}</code>, {broker.hosts} hosts,{' '}
              {broker.shards.owned} shards
            </Trans>
            {broker.shards.down > 0 && (
              <strong className="refused">
                <Trans>, {broker.shards.down} without a broker</Trans>
              </strong>
            )}
          </p>
        )}
        <Act label={t`Try it again`} run={() => api.call('postPlatformBrokerCheck', {})} done={again} />
      </header>
      <Stale failure={failure} at={at} />
      {broker?.brokers !== undefined && (
        <CardTable columns={[t`Broker`, t`Shards`]}>
          <tbody>
            {broker.brokers.map(({ url, shards }) => (
              <tr key={url}>
                <td>
                  <code>{url}</code>
                </td>
                <td>
                  <Badge word={shards > 0 ? 'online' : 'offline'} text={String(shards)} />
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      {broker?.advice !== undefined && <p className="notice">{noteText(broker.advice, t)}</p>}
      {broker?.fault !== undefined && (
        <p className="notice bad">
          <Trans>It could not be tried: {noteText(broker.fault, t)}</Trans>
        </p>
      )}
      {broker !== undefined && broker.findings.length > 0 && (
        <CardTable columns={[t`Check`, t`Found`]}>
          <tbody>
            {broker.findings.map(({ name, ok, needed, sentence }) => (
              <tr key={name}>
                <td title={name}>{brokerPropertyText(name, t)}</td>
                <td>
                  <Badge word={!needed ? 'noted' : ok ? 'passed' : 'failed'} /> {noteText(sentence, t)}
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      {broker?.checkedAt !== undefined && (
        <p className="dim">
          <Trans>
            Tried <Ago at={broker.checkedAt} />.
          </Trans>
        </p>
      )}
    </section>
  );
}

function Tenants() {
  const { t } = useLingui();
  const live = useLive(() => api.call('getPlatformTenant', { limit: '100' }), [], 30_000);
  const { value, at, failure, again } = live;
  const [domain, setDomain] = useState('');
  const [name, setName] = useState('');
  return (
    <section>
      <h2>
        <Trans>Tenants</Trans>
      </h2>
      <Stale failure={failure} at={at} />
      {value !== undefined && value.tenants.length > 0 && (
        <CardTable columns={[t`Domain`, t`Name`]}>
          <tbody>
            {value.tenants.map((tenant) => (
              <tr key={tenant.domain}>
                <td>{tenant.domain}</td>
                <td>{tenant.name}</td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      <form className="line" onSubmit={(event) => event.preventDefault()}>
        <Field label={t`Domain of a new tenant`} value={domain} onChange={setDomain} />
        <Field label={t`Its name`} value={name} onChange={setName} />
        <Act
          label={t`Create the tenant`}
          disabled={domain === ''}
          run={() =>
            api.call('postPlatformTenant', {
              body: { domain: domain.trim(), ...(name === '' ? {} : { name: name }) },
            })
          }
          done={() => {
            setDomain('');
            setName('');
            again();
          }}
        />
      </form>
    </section>
  );
}
