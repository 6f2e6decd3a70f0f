import { useState } from 'react';
import { api } from '../../client/api.ts';
import { mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Field } from '../../component/field.tsx';
import { codesOf, Enrol, type EnrolProps } from './claim.tsx';
import { Drain } from './drain.tsx';
import type { Detail, Host, HostPath } from './host-detail.ts';
import { Labels } from './host-label.tsx';
import { MaintenanceForm } from './maintenance.tsx';

interface LifecycleProps {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly hosts: readonly Host[];
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
    return <p>It is out of service for good. The machine comes back only by a new claim.</p>;
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
    lifecycle === 'active' ? 'Set addresses' : back ? 'Back into service with these' : 'Commission';
  return (
    <section>
      <h3>{lifecycle === 'active' || back ? 'Addresses' : 'Into service'}</h3>
      {lifecycle === 'claimed' && detail.keyFingerprint !== undefined && (
        <p>
          Before that, compare with what the machine shows: <code>{detail.keyFingerprint}</code>
        </p>
      )}
      {lifecycle === 'active' && (
        <p className="dim flat">
          {network === undefined
            ? 'It uses what DHCP gives it, or what was set up on site.'
            : 'The host received these addresses. A change that cuts it off is undone after two minutes. The audit log shows the result.'}
        </p>
      )}
      {back && (
        <p className="dim flat">
          It comes back with other addresses: the drain is lifted with the same step.
        </p>
      )}
      {(lifecycle === 'claimed' || lifecycle === 'commissioning') && (
        <p className="dim flat">
          It checks its clock, disk, ports, memory and neighbours, fetches its configuration, and takes alarms
          when all is well.
        </p>
      )}
      <div className="line">
        <Field label="Static addresses, by comma" value={addresses} onChange={setAddresses} />
        <Field label="Prefix length" value={prefix} onChange={setPrefix} inputMode="numeric" />
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
  const [sure, setSure] = useState('');
  const [reason, setReason] = useState('');
  return (
    <details>
      <summary>The machine is dead: swap it</summary>
      <p>
        Another machine takes its name, labels and addresses. The former machine is refused at once, and its
        undelivered events are lost with it: drain a machine that still runs.
      </p>
      <Field label="Reason (for the audit)" value={reason} onChange={setReason} />
      <Field label={`Type ${path.hostId} to confirm`} value={sure} onChange={setSure} />
      <Act
        label="Swap the machine"
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
  return (
    <section>
      <h3>Unknown machine</h3>
      <p className="dim flat">
        The machine is rejected, its key is never accepted again, and it disappears from all lists.
      </p>
      <Act
        label="Reject the machine"
        danger
        run={() => api.call('postSiteByDomainBySiteIdHostByHostIdReject', { ...path, body: {} })}
        done={done}
      />
    </section>
  );
}

function Quarantine({ path, done }: PartProps) {
  const [reason, setReason] = useState('');
  return (
    <details>
      <summary>It may be compromised: quarantine it</summary>
      <p>
        Its connection is cut and it gets no new configuration. It goes on serving alarms with what it has. It
        comes back by a new enrolment.
      </p>
      <Field label="Reason (for the audit)" value={reason} onChange={setReason} />
      <Act
        label="Quarantine"
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
  return (
    <section>
      <h3>Quarantined</h3>
      <p className="dim flat">
        The host serves with its last configuration and receives nothing. After its release it enrols again
        under its old name.
      </p>
      {mayProvision.value && (
        <Act
          label="Release it for a new enrolment"
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
  const [sure, setSure] = useState('');
  const [reason, setReason] = useState('');
  return (
    <details className="danger">
      <summary>Decommission this host</summary>
      <p>
        It finishes its calls, sends what waits, wipes its keys and its configuration, and its certificate is
        revoked. It comes back only by a new claim.
        {last && <strong> It is the last host of its site: the site will take no alarms.</strong>}
      </p>
      {last && <Field label="Why the site may be without alarms" value={reason} onChange={setReason} />}
      <Field label={`Type ${path.hostId} to confirm`} value={sure} onChange={setSure} />
      <Act
        label="Decommission"
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
