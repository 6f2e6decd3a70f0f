import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Act } from '../part/act.tsx';
import { Ago } from '../part/age.tsx';
import { Badge } from '../part/badge.tsx';
import { Stale } from '../part/notice.tsx';
import { domain, mayOperate, mayProvision } from '../session.ts';
import type { Host } from './fleet.tsx';

type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];

const STEP_MS = 2_000;
/** Bad when they hold; the others are bad when they do not. */
const BAD_WHEN_TRUE = ['MemoryPressure', 'DiskPressure', 'UpdatePending', 'OverrideActive', 'DrainBlocked'];

/** One host: how it stands, what runs on it, and what can be done with it now. */
export function HostPart(props: {
  readonly host: Host;
  readonly hosts: readonly Host[];
  readonly again: () => void;
}) {
  const { siteId, hostId } = props.host;
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdHostByHostId', { domain: domain.value, siteId, hostId }),
    [domain.value, siteId, hostId],
    STEP_MS,
  );
  const { value, at, failure, again } = live.value;
  const detail = value?.host;
  const changed = (): void => {
    again();
    props.again();
  };
  return (
    <>
      <Stale failure={failure} at={at} />
      {detail !== undefined && (
        <>
          <Facts detail={detail} />
          <Running operation={detail.operation} />
          <Conditions conditions={detail.conditions} />
          {mayOperate.value && <Acts host={props.host} hosts={props.hosts} done={changed} />}
        </>
      )}
    </>
  );
}

function Facts({ detail }: { readonly detail: Detail }) {
  const { certificate, revisions, services, outbox } = detail;
  const refused = revisions.refused[0];
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <Badge word={detail.status} /> {detail.lifecycle}, {detail.connectivity} since{' '}
        <Ago at={detail.connectivitySince} />
      </dd>
      <dt>Last heard of</dt>
      <dd>{detail.lastSeen === undefined ? 'never' : <Ago at={detail.lastSeen} />}</dd>
      <dt>Calls</dt>
      <dd>{detail.calls ?? 0}</dd>
      <dt>Services</dt>
      <dd>
        {Object.entries(services).map(([name, state]) => (
          <span key={name} class={state === 'ok' ? 'label' : 'label warn'}>
            {name} {state}
          </span>
        ))}
      </dd>
      <dt>Waiting to be sent</dt>
      <dd>
        {Object.entries(outbox)
          .filter(([lane, count]) => lane !== 'oldestS' && count > 0)
          .map(([lane, count]) => `${lane} ${count}`)
          .join(', ') || 'nothing'}
      </dd>
      <dt>Configuration</dt>
      <dd>
        tenant {revisions.applied.tenant} of {revisions.wanted.tenant}
        {refused !== undefined && (
          <div class="refused">
            refuses {refused.scope} {refused.revision}:{' '}
            {refused.errors.map(({ path, msg }) => `${path} ${msg}`).join('; ')}
          </div>
        )}
      </dd>
      <dt>Certificate</dt>
      <dd>
        {certificate.expiresAt === undefined
          ? 'none yet'
          : `until ${new Date(certificate.expiresAt).toLocaleDateString()}, generation ${certificate.generation}`}
      </dd>
      <dt>Version</dt>
      <dd>{detail.version}</dd>
    </dl>
  );
}

/** What the host goes through now, step by step. */
function Running({ operation }: { readonly operation: Detail['operation'] }) {
  if (operation === undefined || operation.endedAt !== undefined) return null;
  return (
    <div class="notice" role="status">
      <strong>{operation.type}</strong> <Badge word={operation.state} />, begun{' '}
      <Ago at={operation.createdAt} />
      {operation.reason !== undefined && <p class="flat">{operation.reason}</p>}
      <ol>
        {operation.steps.map((step) => (
          <li key={String(step.step)}>
            {String(step.step)} <Badge word={String(step.state)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Conditions({ conditions }: { readonly conditions: Detail['conditions'] }) {
  const bad = Object.entries(conditions).filter(
    ([name, { status }]) => status === BAD_WHEN_TRUE.includes(name),
  );
  if (bad.length === 0) return null;
  return (
    <ul class="conditions">
      {bad.map(([name, { message, since }]) => (
        <li key={name}>
          <strong>{name}</strong> {message}{' '}
          <span class="dim">
            since <Ago at={since} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Only what works now, each with what it will do. */
function Acts({
  host,
  hosts,
  done,
}: {
  readonly host: Host;
  readonly hosts: readonly Host[];
  readonly done: () => void;
}) {
  const { siteId, hostId, status } = host;
  const at = { domain: domain.value, siteId, hostId };
  const others = hosts.filter(
    (each) =>
      each.siteId === siteId && each.hostId !== hostId && ['online', 'degraded'].includes(each.status),
  );
  const stays = useSignal(false);
  const sure = useSignal('');
  if (status === 'decommissioned') return null;
  return (
    <>
      {(status === 'commissioning' || status === 'drained' || status === 'draining') && (
        <p>
          <Act
            label={status === 'commissioning' ? 'Commission' : 'Put back into service'}
            run={() => api.call('postSiteByDomainBySiteIdHostByHostId', { ...at, body: {} })}
            done={done}
          />
        </p>
      )}
      {!['commissioning', 'drained', 'draining', 'quarantined'].includes(status) && (
        <section>
          <h3>Drain</h3>
          <p class="dim flat">{effectOf(others, stays.value)}</p>
          <label class="check">
            <input
              type="checkbox"
              checked={stays.value}
              onChange={(event) => {
                stays.value = event.currentTarget.checked;
              }}
            />{' '}
            Quick maintenance: services stay assigned here
          </label>
          <Act
            label="Drain"
            run={() =>
              api.call('postSiteByDomainBySiteIdHostByHostIdDrain', {
                ...at,
                body: { doNotReschedule: stays.value },
              })
            }
            done={done}
          />
        </section>
      )}
      {mayProvision.value && (
        <details class="danger">
          <summary>Decommission this host</summary>
          <p>
            It finishes its calls, sends what waits, wipes its keys and its configuration, and its certificate
            is revoked. It comes back only by a new claim.
          </p>
          <label>
            Type <strong>{hostId}</strong> to confirm
            <input
              value={sure.value}
              onInput={(event) => {
                sure.value = event.currentTarget.value;
              }}
            />
          </label>
          <Act
            label="Decommission"
            danger
            disabled={sure.value !== hostId}
            run={() => api.call('deleteSiteByDomainBySiteIdHostByHostId', at)}
            done={done}
          />
        </details>
      )}
    </>
  );
}

function effectOf(others: readonly Host[], stays: boolean): string {
  if (others.length === 0)
    return 'This is the only host of its site that takes alarms: the request is refused, unless another one is there first.';
  const where = others.map(({ hostName }) => hostName).join(' or ');
  const calls = 'Calls that run are finished, new ones and alarms go to the other host.';
  return stays ? `Services pause here. ${calls}` : `Its services move to ${where}. ${calls}`;
}
