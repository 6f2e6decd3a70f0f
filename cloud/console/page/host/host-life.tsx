import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Detail, HostPath, Neighbour } from '../../client/host-detail.ts';
import { mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Field } from '../../component/field.tsx';
import { codesOf, Enrol, type EnrolProps } from './claim.tsx';
import { Drain } from './drain.tsx';
import { Labels } from './host-label.tsx';
import { MaintenanceForm } from './maintenance.tsx';

interface LifecycleProps {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly hosts: readonly Neighbour[];
  readonly done: () => void;
}

/** Only what works now, each with what it will do. */
export function Life({ detail, path, hosts, done }: LifecycleProps) {
  const { siteId, hostId, lifecycle, status } = detail;
  const others = hosts.filter(
    (each) =>
      each.siteId === siteId && each.hostId !== hostId && ['online', 'degraded'].includes(each.status),
  );
  // Kept here: the host is another one as soon as its code is made.
  const [made, setMade] = useState<Code | undefined>(undefined);
  const at = { detail, path, done };
  if (made !== undefined) return <Enrol {...made} siteId={siteId} />;
  if (status === 'decommissioned')
    return (
      <p>
        <Trans>It is out of service for good. The machine comes back only by a new claim.</Trans>
      </p>
    );
  return (
    <>
      {lifecycle === 'quarantined' ? (
        <Release {...at} onMade={setMade} />
      ) : (
        <>
          {lifecycle === 'active' && <Drain {...at} others={others} />}
          <Commission {...at} />
          <Labels {...at} />
          {lifecycle !== 'claimed' && <MaintenanceForm siteId={siteId} hostId={hostId} done={done} />}
          {lifecycle === 'claimed' && mayProvision.value && <Reject {...at} />}
          {lifecycle !== 'claimed' && <Swap {...at} onMade={setMade} />}
          {mayProvision.value && lifecycle !== 'claimed' && <Quarantine {...at} />}
        </>
      )}
      {mayProvision.value && <Decommission {...at} last={lifecycle === 'active' && others.length === 0} />}
    </>
  );
}

type PartProps = Omit<LifecycleProps, 'hosts'>;

/** The codes of a claim, which are shown once. */
type Code = Pick<EnrolProps, 'code' | 'longCode' | 'expiresAt'>;

type CodeProps = PartProps & { readonly onMade: (made: Code) => void };

/** Into service: a new host, one that was drained, or one that gets other addresses. */
function Commission({ detail, path, done }: PartProps) {
  const { t } = useLingui();
  const { lifecycle, network } = detail;
  const [addresses, setAddresses] = useState(network?.networkInterfaces.join(', ') ?? '');
  const [prefix, setPrefix] = useState(network === undefined ? '' : String(network.networkPrefixLength));
  const list = addresses
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  const body = {
    ...(list.length === 0 ? {} : { networkInterfaces: list }),
    ...(prefix === '' ? {} : { networkPrefixLength: Number(prefix) }),
  };
  const back = lifecycle === 'drained' || lifecycle === 'draining';
  const label =
    lifecycle === 'active' ? t`Set addresses` : back ? t`Back into service with these` : t`Commission`;
  return (
    <section>
      <h3>{lifecycle === 'active' || back ? t`Addresses` : t`Into service`}</h3>
      {lifecycle === 'claimed' && detail.keyFingerprint !== undefined && (
        <p>
          <Trans>
            Before that, compare with what the machine shows: <code>{detail.keyFingerprint}</code>
          </Trans>
        </p>
      )}
      {lifecycle === 'active' && (
        <p className="dim flat">
          {network === undefined
            ? t`It uses what DHCP gives it, or what was set up on site.`
            : t`The host received these addresses. A change that cuts it off is undone after two minutes. The audit log shows the result.`}
        </p>
      )}
      {back && (
        <p className="dim flat">
          <Trans>It comes back with other addresses: the drain is lifted with the same step.</Trans>
        </p>
      )}
      {(lifecycle === 'claimed' || lifecycle === 'commissioning') && (
        <p className="dim flat">
          <Trans>
            It checks its clock, disk, ports, memory and neighbours, fetches its configuration, and takes
            alarms when all is well.
          </Trans>
        </p>
      )}
      <div className="line">
        <Field label={t`Static addresses, by comma`} value={addresses} onChange={setAddresses} />
        <Field label={t`Prefix length`} value={prefix} onChange={setPrefix} inputMode="numeric" />
      </div>
      <Act
        label={label}
        disabled={
          (list.length === 0) !== (prefix === '') || ((lifecycle === 'active' || back) && list.length === 0)
        }
        run={() => api.call('postSiteByDomainBySiteIdHostByHostId', { ...path, body })}
        done={done}
      />
    </section>
  );
}

/** Another machine under the same name. */
function Swap({ path, done, onMade }: CodeProps) {
  const { t } = useLingui();
  const [sure, setSure] = useState('');
  const [reason, setReason] = useState('');
  return (
    <details>
      <summary>
        <Trans>The machine is dead: swap it</Trans>
      </summary>
      <p>
        <Trans>
          Another machine takes its name, labels and addresses. The former machine is refused at once, and its
          undelivered events are lost with it: drain a machine that still runs.
        </Trans>
      </p>
      <Field label={t`Reason (for the audit)`} value={reason} onChange={setReason} />
      <Field label={t`Type ${path.hostId} to confirm`} value={sure} onChange={setSure} />
      <Act
        label={t`Swap the machine`}
        danger
        disabled={sure !== path.hostId}
        run={async () => {
          const body = reason === '' ? {} : { reason: reason };
          const answer = await api.call('postSiteByDomainBySiteIdHostByHostIdSwap', { ...path, body });
          if (answer.ok) onMade(codesOf(answer.value));
          return answer;
        }}
        done={done}
      />
    </details>
  );
}

function Reject({ path, done }: PartProps) {
  const { t } = useLingui();
  return (
    <section>
      <h3>
        <Trans>Unknown machine</Trans>
      </h3>
      <p className="dim flat">
        <Trans>
          The machine is rejected, its key is never accepted again, and it disappears from all lists.
        </Trans>
      </p>
      <Act
        label={t`Reject the machine`}
        danger
        run={() => api.call('postSiteByDomainBySiteIdHostByHostIdReject', { ...path, body: {} })}
        done={done}
      />
    </section>
  );
}

function Quarantine({ path, done }: PartProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  return (
    <details>
      <summary>
        <Trans>It may be compromised: quarantine it</Trans>
      </summary>
      <p>
        <Trans>
          Its connection is cut and it gets no new configuration. It goes on serving alarms with what it has.
          It comes back by a new enrolment.
        </Trans>
      </p>
      <Field label={t`Reason (for the audit)`} value={reason} onChange={setReason} />
      <Act
        label={t`Quarantine`}
        danger
        disabled={reason === ''}
        run={() =>
          api.call('postSiteByDomainBySiteIdHostByHostIdQuarantine', {
            ...path,
            body: { reason: reason },
          })
        }
        done={done}
      />
    </details>
  );
}

function Release({ path, done, onMade }: CodeProps) {
  const { t } = useLingui();
  return (
    <section>
      <h3>
        <Trans>Quarantined</Trans>
      </h3>
      <p className="dim flat">
        <Trans>
          The host serves with its last configuration and receives nothing. After its release it enrols again
          under its old name.
        </Trans>
      </p>
      {mayProvision.value && (
        <Act
          label={t`Release it for a new enrolment`}
          run={async () => {
            const answer = await api.call('postSiteByDomainBySiteIdHostByHostIdRelease', {
              ...path,
              body: {},
            });
            if (answer.ok) onMade(codesOf(answer.value));
            return answer;
          }}
          done={done}
        />
      )}
    </section>
  );
}

function Decommission({ path, done, last }: PartProps & { readonly last: boolean }) {
  const { t } = useLingui();
  const [sure, setSure] = useState('');
  const [reason, setReason] = useState('');
  return (
    <details className="danger">
      <summary>
        <Trans>Decommission this host</Trans>
      </summary>
      <p>
        <Trans>
          It finishes its calls, sends what waits, wipes its keys and its configuration, and its certificate
          is revoked. It comes back only by a new claim.
        </Trans>
        {last && (
          <strong>
            {' '}
            <Trans>It is the last host of its site: the site will take no alarms.</Trans>
          </strong>
        )}
      </p>
      {last && <Field label={t`Why the site may be without alarms`} value={reason} onChange={setReason} />}
      <Field label={t`Type ${path.hostId} to confirm`} value={sure} onChange={setSure} />
      <Act
        label={t`Decommission`}
        danger
        disabled={sure !== path.hostId || (last && reason === '')}
        run={() =>
          api.call('deleteSiteByDomainBySiteIdHostByHostId', {
            ...path,
            ...(last ? { force: 'true', reason: reason } : {}),
          })
        }
        done={done}
      />
    </details>
  );
}
