import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { go, useRest } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Choice } from '../../component/choice.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Field } from '../../component/field.tsx';
import { Head } from '../../component/head.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { type Job, JobPart, JobState } from './privacy-job.tsx';

const STEP_MS = 4_000;
const MOST = '50';

/** The data about a device or a person: handed out whole, or removed, at the control plane and every host. */
export function PrivacyPage() {
  const live = useLive(
    () => api.call('getProvisioningPersonaldata', { domain: domain.value, limit: MOST }),
    [domain.value],
    STEP_MS,
  );
  const { value, at, failure, again } = live;
  const jobs = value?.jobs ?? [];
  const open = useRest();
  return (
    <>
      <header className="page">
        <h1>Personal data</h1>
        {at > 0 && (
          <p className="dim flat">
            seen <Ago at={at} />
          </p>
        )}
      </header>
      <Request
        done={(id) => {
          again();
          go('privacy', id);
        }}
      />
      <Stale failure={failure} at={at} />
      <section>
        <h2>Exports and erasures</h2>
        {value !== undefined && jobs.length === 0 && (
          <Empty>
            <p className="flat">
              No export or erasure was requested yet. This list shows each one with the progress of every
              host.
            </p>
          </Empty>
        )}
        {jobs.length > 0 && <Jobs jobs={jobs} />}
        {value?.nextToken !== undefined && (
          <p className="dim">
            The newest {MOST} are shown; <code>carillon privacy list</code> has all of them.
          </p>
        )}
      </section>
      {open !== '' && (
        <Dialog
          title="Personal data"
          onClose={() => {
            go('privacy');
          }}
        >
          <JobPart jobId={open} />
        </Dialog>
      )}
    </>
  );
}

function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  return (
    <table className="cards">
      <Head columns={['What', 'State', 'Asked for', 'Whose']} />
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <PageLink page="privacy" rest={job.id}>
                {job.kind === 'export' ? 'Export' : 'Erasure'}
              </PageLink>
            </td>
            <td>
              <JobState job={job} />
            </td>
            <td>
              <Ago at={job.createdAt} />
            </td>
            <td>{job.deviceId ?? job.address ?? <span className="dim">erased; only a hash is kept</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const KINDS = ['Export', 'Erasure'] as const;
const SUBJECTS = ['Device', 'Person'] as const;

function Request({ done }: { readonly done: (jobId: string) => void }) {
  const [kind, setKind] = useState<(typeof KINDS)[number]>('Export');
  const [subject, setSubject] = useState<(typeof SUBJECTS)[number]>('Device');
  const [who, setWho] = useState('');
  const [reason, setReason] = useState('');
  const [keeps, setKeeps] = useState(false);
  const [sure, setSure] = useState('');
  const erases = kind === 'Erasure';
  const isDevice = subject === 'Device';
  const named = who.trim();
  return (
    <section>
      <h2>Ask for one</h2>
      <div className="line choices">
        <Choice name="Kind of request" words={KINDS} chosen={kind} onChoose={setKind} />
        <Choice name="Subject" words={SUBJECTS} chosen={subject} onChoose={setSubject} />
      </div>
      <div className="line">
        <Field
          label={isDevice ? 'Device, as it is or was provisioned' : 'Telephone number or SIP address'}
          value={who}
          onChange={setWho}
        />
        <Field label="Reason (for the audit; no names)" value={reason} onChange={setReason} />
      </div>
      {erases && isDevice && (
        <label className="check">
          <input
            type="checkbox"
            checked={keeps}
            onChange={(event) => {
              setKeeps(event.currentTarget.checked);
            }}
          />{' '}
          The device stays in service; only its history is erased
        </label>
      )}
      <p className="dim flat">
        {erases
          ? 'Events, deliveries and recordings go for good at the control plane and at every host; a host that is away does its part when it is back. Nothing is removed while an alarm is active. The audit log stays for its time.'
          : 'One file collects all data of the control plane and the hosts. The audit log records every download.'}
      </p>
      {erases && (
        <Field
          label={`Type ${named === '' ? 'the same' : named} again to confirm`}
          value={sure}
          onChange={setSure}
        />
      )}
      <Act
        label={erases ? 'Erase for good' : 'Collect it'}
        danger={erases}
        disabled={named === '' || (erases && sure.trim() !== named)}
        run={async () => {
          const answer = await api.call('postProvisioningPersonaldata', {
            domain: domain.value,
            body: {
              kind: erases ? 'erasure' : 'export',
              ...(isDevice ? { deviceId: named } : { address: named }),
              ...(erases && isDevice ? { keepDevice: keeps } : {}),
              ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
            },
          });
          if (answer.ok) {
            setWho('');
            setReason('');
            setSure('');
            done(answer.value.job.id);
          }
          return answer;
        }}
      />
    </section>
  );
}
