import { Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';

export type Job = Operations['getProvisioningPersonaldataByJobId']['answer']['job'];

const STEP_MS = 2_000;

const doneOf = ({ hosts }: Job): number => hosts.filter(({ state }) => state === 'done').length;

/** How far it is, in a word and in hosts. */
export function JobState({ job }: { readonly job: Job }) {
  return (
    <>
      <Badge word={job.state} />{' '}
      {job.state === 'pending' && job.hosts.length > 0 && (
        <span className="dim">
          <Trans>
            {doneOf(job)} of {job.hosts.length} hosts
          </Trans>
        </span>
      )}
    </>
  );
}

/** One export or erasure: what the control plane and each host did, and what is still waited for. */
export function JobPart({ jobId }: { readonly jobId: string }) {
  const { t } = useLingui();
  const live = useLive(
    () => api.call('getProvisioningPersonaldataByJobId', { domain: domain.value, jobId }),
    [domain.value, jobId],
    STEP_MS,
  );
  const { value, at, failure } = live;
  const job = value?.job;
  if (job === undefined) return <Stale failure={failure} at={at} />;
  const { kind, state, hosts, report, subjectHash } = job;
  const isExport = kind === 'export';
  const steps = hosts.length + 1;
  const done = doneOf(job) + (state === 'done' || Object.keys(report).length > 0 ? 1 : 0);
  return (
    <>
      <Stale failure={failure} at={at} />
      <p className="flat">
        <strong>{isExport ? t`Export` : t`Erasure`}</strong>{' '}
        {job.deviceId ?? job.address ?? t`a person whose name is erased`} <JobState job={job} />{' '}
        <Trans>
          asked for <Ago at={job.createdAt} />
        </Trans>
        {job.endedAt !== undefined && (
          <>
            {', '}
            <Trans>
              done <Ago at={job.endedAt} />
            </Trans>
          </>
        )}
      </p>
      <progress value={done} max={steps} aria-label={t`${done} of ${steps} parts are done`} />
      <p>
        {isExport ? t`Found at the control plane:` : t`Removed at the control plane:`}{' '}
        {counted(report) || t`nothing yet`}
      </p>
      {hosts.length === 0 ? (
        <p className="dim">
          <Trans>No host has a copy.</Trans>
        </p>
      ) : (
        <table className="small">
          <Head columns={[t`Host`, t`State`, isExport ? t`Found` : t`Removed`, t`Asked last`]} />
          <tbody>
            {hosts.map((host) => (
              <tr key={`${host.siteId} ${host.hostId}`}>
                <td>
                  <ObjectLink kind="site" id={host.siteId} /> /{' '}
                  <ObjectLink kind="host" id={`${host.siteId}/${host.hostId}`} />
                </td>
                <td>
                  <Badge word={host.state} />
                  {host.state === 'pending' && <div className="dim">{host.reason}</div>}
                </td>
                <td>{counted(host.report) || t`nothing yet`}</td>
                <td>
                  <Ago at={host.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {state === 'pending' && (
        <p className="dim">
          <Trans>A disconnected host, or one with an active alarm, is asked again automatically.</Trans>
        </p>
      )}
      {isExport && (
        <p>
          <Act
            label={state === 'done' ? t`Save` : t`Save the data collected so far`}
            run={() => save(jobId)}
          />
        </p>
      )}
      <p className="dim">
        <Trans>
          The audit log calls it <code>{subjectHash.slice(0, 16)}…</code>
        </Trans>
        {!isExport && job.subjectSalt !== undefined && (
          <Trans>
            ; keep the salt <code>{job.subjectSalt}</code>: together with the name it later proves the subject
            of the erasure. It is removed together with the name.
          </Trans>
        )}
      </p>
    </>
  );
}

const counted = (report: Job['report']): string =>
  Object.entries(report)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');

/** The whole document as a file. */
async function save(jobId: string) {
  const answer = await api.call('getProvisioningPersonaldataByJobIdDocument', {
    domain: domain.value,
    jobId,
  });
  if (!answer.ok) return answer;
  const text = JSON.stringify(answer.value, undefined, 2);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `personal-data-${jobId}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
  return answer;
}
