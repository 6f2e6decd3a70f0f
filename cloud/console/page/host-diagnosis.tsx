import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { Act } from '../part/act.tsx';
import { Badge } from '../part/badge.tsx';
import { mayOperate } from '../session.ts';
import type { Detail, HostPath } from './host.tsx';

type Asked = NonNullable<Operations['postSiteByDomainBySiteIdHostByHostIdRpc']['body']>;
type Data = Readonly<Record<string, unknown>>;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Asks a host over its management connection: what it finds when it tests itself, its log, its support bundle. */
export function Diagnosis({ detail, path }: { readonly detail: Detail; readonly path: HostPath }) {
  const said = useSignal<ComponentChildren>(null);
  const level = useSignal<(typeof LEVELS)[number]>('info');
  const match = useSignal('');
  const services = Object.keys(detail.services);
  const service = useSignal('');

  const ask = (op: Asked['op'], args: Data, show: (data: Data) => ComponentChildren) => async () => {
    said.value = null;
    const body = { op, args } as Asked;
    const answer = await api.call('postSiteByDomainBySiteIdHostByHostIdRpc', { ...path, body });
    if (answer.ok) said.value = show(answer.value.data);
    return answer;
  };
  const args = { lines: 200, level: level.value, ...(match.value === '' ? {} : { match: match.value }) };

  return (
    <>
      <p class="acts">
        <Act plain label="Test itself" run={ask('selftest', {}, checks)} />
        <Act plain label="Is it there?" run={ask('ping', {}, answered)} />
        {mayOperate.value && <Act plain label="Support bundle" run={ask('diag.bundle', {}, bundle)} />}
        <Act plain label="Renew its certificate" run={ask('cert.renew', {}, renewed)} />
      </p>
      <form class="line" onSubmit={(event) => event.preventDefault()}>
        <label>
          Log from level
          <select
            value={level.value}
            onChange={(event) => {
              level.value = event.currentTarget.value as (typeof LEVELS)[number];
            }}
          >
            {LEVELS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          that contains
          <input
            value={match.value}
            onInput={(event) => {
              match.value = event.currentTarget.value;
            }}
          />
        </label>
        <Act plain label="Show its log" run={ask('logs.tail', args, log)} />
      </form>
      {services.length > 0 && (
        <form class="line" onSubmit={(event) => event.preventDefault()}>
          <label>
            Service
            <select
              value={service.value}
              onChange={(event) => {
                service.value = event.currentTarget.value;
              }}
            >
              <option value="">which?</option>
              {services.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Act
            plain
            label="Start it again"
            disabled={service.value === ''}
            run={ask('svc.restart', { service: service.value }, (data) => (
              <p>{String(data.service)} is started again.</p>
            ))}
          />
        </form>
      )}
      <div aria-live="polite">{said.value}</div>
    </>
  );
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const answered = ({ up }: Data) => <p>It answers, and has run for {Math.floor(Number(up) / 60)} min.</p>;

const renewed = ({ expiresAt }: Data) => (
  <p>It has a new certificate, good until {new Date(Number(expiresAt)).toLocaleDateString()}.</p>
);

function checks({ checks: all }: Data) {
  return (
    <ul class="plain-list">
      {(isList(all) ? (all as readonly Data[]) : []).map(({ name, ok, message }) => (
        <li key={String(name)}>
          <Badge word={ok === true ? 'passed' : 'failed'} /> {String(name)}{' '}
          <span class="dim">{String(message ?? '')}</span>
        </li>
      ))}
    </ul>
  );
}

function log({ lines }: Data) {
  const all = isList(lines) ? lines.map(String) : [];
  return all.length === 0 ? <p class="dim">Nothing like that in its log.</p> : <pre>{all.join('\n')}</pre>;
}

function bundle({ path, bytes }: Data) {
  return (
    <p>
      <a href={String(path)} download>
        Save the support bundle
      </a>{' '}
      ({Math.ceil(Number(bytes) / 1_024)} KB, without secrets). It is kept here for an hour.
    </p>
  );
}
