import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { go, useRest, useSearchState } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Choice } from '../../component/choice.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Field } from '../../component/field.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { type Job, JobPart, JobState } from './privacy-job.tsx';
import { PrivacySearch, RetentionPart, SUBJECTS, type Subject } from './privacy-search.tsx';

const STEP_MS = 4_000;
const MOST = '50';

/** The data about a device or a person: handed out whole, or removed, at the control plane and every host. */
export function PrivacyPage() {
  const { t } = useLingui();
  const live = useLive(
    () => api.call('getProvisioningPersonaldata', { domain: domain.value, limit: MOST }),
    [domain.value],
    STEP_MS,
  );
  const { value, at, failure, again } = live;
  const jobs = value?.jobs ?? [];
  const open = useRest();
  const [search] = useSearchState();
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Personal data</Trans>
        </h1>
        {at > 0 && (
          <p className="dim flat">
            <Trans>
              seen <Ago at={at} />
            </Trans>
          </p>
        )}
      </header>
      <PrivacySearch />
      <Request
        key={`${search.deviceId ?? ''} ${search.number ?? ''}`}
        found={search}
        done={(id) => {
          again();
          go('privacy', id);
        }}
      />
      <Stale failure={failure} at={at} />
      <section>
        <h2>
          <Trans>Exports and erasures</Trans>
        </h2>
        {value !== undefined && jobs.length === 0 && (
          <Empty>
            <p className="flat">
              <Trans>
                No export or erasure was requested yet. This list shows each one with the progress of every
                host.
              </Trans>
            </p>
          </Empty>
        )}
        {jobs.length > 0 && <Jobs jobs={jobs} />}
        {value?.nextToken !== undefined && (
          <p className="dim">
            <Trans>
              The newest {MOST} are shown; <code>carillon privacy list</code> has all of them.
            </Trans>
          </p>
        )}
      </section>
      <RetentionPart />
      {open !== '' && (
        <Dialog
          title={t`Personal data`}
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
  const { t } = useLingui();
  return (
    <CardTable columns={[t`What`, t`State`, t`Asked for`, t`Whose`]}>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <PageLink page="privacy" rest={job.id}>
                {job.kind === 'export' ? t`Export` : t`Erasure`}
              </PageLink>
            </td>
            <td>
              <JobState job={job} />
            </td>
            <td>
              <Ago at={job.createdAt} />
            </td>
            <td>
              {job.deviceId ?? job.address ?? (
                <span className="dim">
                  <Trans>erased; only a hash is kept</Trans>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </CardTable>
  );
}

const KINDS = ['export', 'erasure'] as const;

/** `found`: the subject of the search, with which a request begins. */
function Request(props: {
  readonly found: { readonly deviceId?: string; readonly number?: string };
  readonly done: (jobId: string) => void;
}) {
  const { found, done } = props;
  const { t } = useLingui();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('export');
  const [subject, setSubject] = useState<Subject>(found.number === undefined ? 'device' : 'person');
  const [who, setWho] = useState(found.deviceId ?? found.number ?? '');
  const [reason, setReason] = useState('');
  const [keeps, setKeeps] = useState(false);
  const [sure, setSure] = useState('');
  const erases = kind === 'erasure';
  const isDevice = subject === 'device';
  const named = who.trim();
  return (
    <section>
      <h2>
        <Trans>New request</Trans>
      </h2>
      <div className="line choices">
        <Choice
          name={t`Kind of request`}
          words={KINDS}
          texts={{ export: t`Export`, erasure: t`Erasure` }}
          chosen={kind}
          onChoose={setKind}
        />
        <Choice
          name={t`Subject`}
          words={SUBJECTS}
          texts={{ device: t`Device`, person: t`Person` }}
          chosen={subject}
          onChoose={setSubject}
        />
      </div>
      <div className="line">
        <Field
          label={isDevice ? t`Device, as it is or was provisioned` : t`Telephone number or SIP address`}
          value={who}
          onChange={setWho}
        />
        <Field label={t`Reason (for the audit; no names)`} value={reason} onChange={setReason} />
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
          <Trans>The device stays in service; only its history is erased</Trans>
        </label>
      )}
      <p className="dim flat">
        {erases
          ? t`Events, deliveries and recordings go for good at the control plane and at every host; a host that is away does its part when it is back. Nothing is removed while an alarm is active. The audit log stays for its time.`
          : t`One file collects all data of the control plane and the hosts. The audit log records every download.`}
      </p>
      {erases && (
        <Field
          label={named === '' ? t`Type the same again to confirm` : t`Type ${named} again to confirm`}
          value={sure}
          onChange={setSure}
        />
      )}
      <Act
        label={erases ? t`Erase for good` : t`Collect it`}
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
