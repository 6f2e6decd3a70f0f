import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import type { SelfTestRecord } from '#shared/self-test/index.ts';
import { api } from '../../client/api.ts';
import type { Detail, HostPath } from '../../client/host-detail.ts';
import { mayService } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Badge } from '../../component/badge.tsx';
import { HostLog } from './host-log.tsx';
import { Outbox } from './host-outbox.tsx';
import { Registrations } from './host-registration.tsx';
import { isRecord, SelfTest } from './self-test.tsx';

type Asked = NonNullable<Operations['postSiteByDomainBySiteIdHostByHostIdRpc']['body']>;
type Data = Readonly<Record<string, unknown>>;

/** Asks a host over its management connection: what it finds when it tests itself, its log, its support bundle. */
export function Diagnosis({ detail, path }: { readonly detail: Detail; readonly path: HostPath }) {
  const { t } = useLingui();
  const [said, setSaid] = useState<ReactNode>(null);
  const services = Object.keys(detail.services);
  const [service, setService] = useState('');

  const ask = (op: Asked['op'], args: Data, show: (data: Data) => ReactNode) => async () => {
    setSaid(null);
    const body = { op, args } as Asked;
    const answer = await api.call('postSiteByDomainBySiteIdHostByHostIdRpc', { ...path, body });
    if (answer.ok) setSaid(show(answer.value.data));
    return answer;
  };
  return (
    <>
      <p className="acts">
        <Act plain label={t`Run the self-test`} run={ask('selftest', {}, tested)} />
        <Act plain label={t`Test the connection`} run={ask('ping', {}, answered)} />
        {mayService.value && <Act plain label={t`Support bundle`} run={ask('diag.bundle', {}, bundle)} />}
        <Act plain label={t`Renew its certificate`} run={ask('cert.renew', {}, renewed)} />
      </p>
      {services.length > 0 && (
        <form className="line" onSubmit={(event) => event.preventDefault()}>
          <label>
            <Trans>Service</Trans>
            <select
              value={service}
              onChange={(event) => {
                setService(event.currentTarget.value);
              }}
            >
              <option value="">
                <Trans>Choose a service</Trans>
              </option>
              {services.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Act
            plain
            label={t`Start it again`}
            disabled={service === ''}
            run={ask('svc.restart', { service: service }, (data) => (
              <p>
                <Trans>{String(data.service)} is started again.</Trans>
              </p>
            ))}
          />
        </form>
      )}
      <div aria-live="polite">{said}</div>
      {detail.selfTest !== undefined && (
        <details>
          <summary>
            <Trans>
              The last self-test that it sent (<Badge word={detail.selfTest.passed ? 'passed' : 'failed'} />)
            </Trans>
          </summary>
          <SelfTest record={detail.selfTest} />
        </details>
      )}
      {mayService.value && <HostLog path={path} />}
      <Registrations path={path} />
      <Outbox path={path} />
    </>
  );
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const answered = ({ up }: Data) => (
  <p>
    <Trans>It answers, and has run for {Math.floor(Number(up) / 60)} min.</Trans>
  </p>
);

const renewed = ({ expiresAt }: Data) => (
  <p>
    <Trans>It has a new certificate, good until {i18n.date(Number(expiresAt))}.</Trans>
  </p>
);

/** The record of a self-test; of a host with an older release the list of its services. */
function tested({ checks, record, sent }: Data) {
  if (!isRecord(record)) return <Checks checks={checks} />;
  return (
    <>
      <SelfTest record={record} />
      {sent === false && (
        <p className="dim">
          <Trans>The journal of the tenant could not take this record.</Trans>
        </p>
      )}
      <Checks checks={servicesOf(checks, record)} />
    </>
  );
}

/** Checks that are no points of the record: services that answered or did not. */
const servicesOf = (checks: unknown, { points }: SelfTestRecord): readonly Data[] =>
  (isList(checks) ? (checks as readonly Data[]) : []).filter(
    ({ name }) => !points.some(({ id }) => id === name),
  );

const Checks = ({ checks }: { readonly checks: unknown }) => (
  <ul className="plain-list">
    {(isList(checks) ? (checks as readonly Data[]) : []).map(({ name, ok, message }) => (
      <li key={String(name)}>
        <Badge word={ok === true ? 'passed' : 'failed'} /> {String(name)}{' '}
        <span className="dim">{String(message ?? '')}</span>
      </li>
    ))}
  </ul>
);

function bundle({ path, bytes }: Data) {
  return (
    <p>
      <Trans>
        <a href={String(path)} download>
          Save the support bundle
        </a>{' '}
        ({Math.ceil(Number(bytes) / 1_024)} KB, without secrets). It is kept here for an hour.
      </Trans>
    </p>
  );
}
