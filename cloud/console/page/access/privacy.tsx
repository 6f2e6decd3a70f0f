import { useSignal } from '@preact/signals';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { linkTo, place } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../part/act.tsx';
import { Ago } from '../../part/age.tsx';
import { Choice } from '../../part/choice.tsx';
import { Dialog } from '../../part/dialog.tsx';
import { Field } from '../../part/field.tsx';
import { Head } from '../../part/head.tsx';
import { Empty, Stale } from '../../part/notice.tsx';
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
  const { value, at, failure, again } = live.value;
  const jobs = value?.jobs ?? [];
  const open = place.value.rest;
  return (
    <>
      <header class="page">
        <h1>Personal data</h1>
        {at > 0 && (
          <p class="dim flat">
            seen <Ago at={at} />
          </p>
        )}
      </header>
      <Request
        done={(id) => {
          again();
          location.hash = linkTo('privacy', id);
        }}
      />
      <Stale failure={failure} at={at} />
      <section>
        <h2>Exports and erasures</h2>
        {value !== undefined && jobs.length === 0 && (
          <Empty>
            <p class="flat">
              No export or erasure was requested yet. This list shows each one with the progress of every
              host.
            </p>
          </Empty>
        )}
        {jobs.length > 0 && <Jobs jobs={jobs} />}
        {value?.nextToken !== undefined && (
          <p class="dim">
            The newest {MOST} are shown; <code>carillon privacy list</code> has all of them.
          </p>
        )}
      </section>
      {open !== '' && (
        <Dialog
          title="Personal data"
          onClose={() => {
            location.hash = linkTo('privacy');
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
    <table class="cards">
      <Head columns={['What', 'State', 'Asked for', 'Whose']} />
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <a href={linkTo('privacy', job.id)}>{job.kind === 'export' ? 'Export' : 'Erasure'}</a>
            </td>
            <td>
              <JobState job={job} />
            </td>
            <td>
              <Ago at={job.createdAt} />
            </td>
            <td>{job.deviceId ?? job.address ?? <span class="dim">erased; only a hash is kept</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const KINDS = ['Export', 'Erasure'] as const;
const SUBJECTS = ['Device', 'Person'] as const;

function Request({ done }: { readonly done: (jobId: string) => void }) {
  const kind = useSignal<(typeof KINDS)[number]>('Export');
  const subject = useSignal<(typeof SUBJECTS)[number]>('Device');
  const who = useSignal('');
  const reason = useSignal('');
  const keeps = useSignal(false);
  const sure = useSignal('');
  const erases = kind.value === 'Erasure';
  const isDevice = subject.value === 'Device';
  const named = who.value.trim();
  return (
    <section>
      <h2>Ask for one</h2>
      <div class="line choices">
        <Choice name="Kind of request" words={KINDS} chosen={kind} />
        <Choice name="Subject" words={SUBJECTS} chosen={subject} />
      </div>
      <div class="line">
        <Field
          label={isDevice ? 'Device, as it is or was provisioned' : 'Telephone number or SIP address'}
          value={who}
        />
        <Field label="Reason (for the audit; no names)" value={reason} />
      </div>
      {erases && isDevice && (
        <label class="check">
          <input
            type="checkbox"
            checked={keeps.value}
            onChange={(event) => {
              keeps.value = event.currentTarget.checked;
            }}
          />{' '}
          The device stays in service; only its history is erased
        </label>
      )}
      <p class="dim flat">
        {erases
          ? 'Events, deliveries and recordings go for good at the control plane and at every host; a host that is away does its part when it is back. Nothing is removed while an alarm is active. The audit log stays for its time.'
          : 'One file collects all data of the control plane and the hosts. The audit log records every download.'}
      </p>
      {erases && <Field label={`Type ${named === '' ? 'the same' : named} again to confirm`} value={sure} />}
      <Act
        label={erases ? 'Erase for good' : 'Collect it'}
        danger={erases}
        disabled={named === '' || (erases && sure.value.trim() !== named)}
        run={async () => {
          const answer = await api.call('postProvisioningPersonaldata', {
            domain: domain.value,
            body: {
              kind: erases ? 'erasure' : 'export',
              ...(isDevice ? { deviceId: named } : { address: named }),
              ...(erases && isDevice ? { keepDevice: keeps.value } : {}),
              ...(reason.value.trim() === '' ? {} : { reason: reason.value.trim() }),
            },
          });
          if (answer.ok) {
            who.value = '';
            reason.value = '';
            sure.value = '';
            done(answer.value.job.id);
          }
          return answer;
        }}
      />
    </section>
  );
}
