import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';

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
          {doneOf(job)} of {job.hosts.length} hosts
        </span>
      )}
    </>
  );
}

/** One export or erasure: what the control plane and each host did, and what is still waited for. */
export function JobPart({ jobId }: { readonly jobId: string }) {
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
        <strong>{isExport ? 'Export' : 'Erasure'}</strong> of{' '}
        {job.deviceId ?? job.address ?? 'a person whose name is erased'} <JobState job={job} />, asked for{' '}
        <Ago at={job.createdAt} />
        {job.endedAt !== undefined && (
          <>
            , done <Ago at={job.endedAt} />
          </>
        )}
      </p>
      <progress value={done} max={steps} aria-label={`${done} of ${steps} parts are done`} />
      <p>
        {isExport ? 'Found' : 'Removed'} at the control plane: {counted(report)}
      </p>
      {hosts.length === 0 ? (
        <p className="dim">No host has a copy.</p>
      ) : (
        <table className="small">
          <Head columns={['Host', 'State', isExport ? 'Found' : 'Removed', 'Asked last']} />
          <tbody>
            {hosts.map((host) => (
              <tr key={`${host.siteId} ${host.hostId}`}>
                <td>
                  {host.siteId} / {host.hostId}
                </td>
                <td>
                  <Badge word={host.state} />
                  {host.state === 'pending' && <div className="dim">{host.reason}</div>}
                </td>
                <td>{counted(host.report)}</td>
                <td>
                  <Ago at={host.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {state === 'pending' && (
        <p className="dim">A disconnected host, or one with an active alarm, is asked again automatically.</p>
      )}
      {isExport && (
        <p>
          <Act label={state === 'done' ? 'Save' : 'Save the data collected so far'} run={() => save(jobId)} />
        </p>
      )}
      <p className="dim">
        The audit log calls it <code>{subjectHash.slice(0, 16)}…</code>
        {!isExport && job.subjectSalt !== undefined && (
          <>
            ; keep the salt <code>{job.subjectSalt}</code>: together with the name it later proves the subject
            of the erasure. It is removed together with the name.
          </>
        )}
      </p>
    </>
  );
}

const counted = (report: Job['report']): string =>
  Object.entries(report)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ') || 'nothing yet';

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
