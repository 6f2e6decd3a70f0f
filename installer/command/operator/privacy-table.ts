import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Operations } from '#shared/client/index.ts';
import { ok } from '#shared/result.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { type Answered, type Given, type Operation, wholeList } from './operation/operation.ts';

type Start = 'postProvisioningPersonaldata';
type Job = Operations[Start]['answer']['job'];

const POLL_MS = 500;
const WAIT_S = 60;

const SUBJECT = [
  ['--device <id>', 'device, as it is or was provisioned; or --address'],
  ['--address <address>', 'telephone number or SIP address of a person; or --device'],
  ['--reason <text>', 'why, for the audit log; no names'],
  ['--wait <seconds>', `how long to wait for the hosts (default ${WAIT_S}); they go on afterwards`],
] as const;

/** The operations of the operator on the data of a device or a person. */
export const PRIVACY_OPERATIONS: readonly Operation[] = [
  {
    name: 'privacy export',
    does: 'Collects the data of a device or a person at the control plane and every host in one JSON file.',
    arguments: ['domain', 'file'],
    options: [...SUBJECT],
    example: 'carillon privacy export care.example flat-12.json --device flat-12',
    run: async (client, given) => {
      const job = await finished(client, given, 'export');
      if (!job.ok) return job;
      const place = { domain: given.domain ?? '', jobId: job.value.id };
      const document = await client.call('getProvisioningPersonaldataByJobIdDocument', place);
      if (!document.ok) return document;
      try {
        writeFileSync(given.file ?? '', `${JSON.stringify(document.value, undefined, 2)}\n`, { mode: 0o600 });
      } catch {
        throw new Stop(exitCode.missing, `The file ${given.file} cannot be written.`);
      }
      return ok({ success: true, job: job.value });
    },
    sentence: ({ job }, given) =>
      (job as Job).state === 'done'
        ? `Everything is in ${given.file}.`
        : `${given.file} has what there was so far. ${stillWaits(job as Job)}`,
  },
  {
    name: 'privacy erase',
    does: 'Erases the data of a device or a person at the control plane and every host.',
    arguments: ['domain'],
    options: [...SUBJECT, ['--keep-device', 'the device stays in service; only its history is erased']],
    example: 'carillon privacy erase care.example --device flat-12 --reason "moved out"',
    run: async (client, given) => {
      const job = await finished(client, given, 'erasure');
      return job.ok ? ok({ success: true, job: job.value }) : job;
    },
    sentence: ({ job }) =>
      `${(job as Job).state === 'done' ? `Removed: ${removed(job as Job)}.` : stillWaits(job as Job)}${receipt(job as Job)}`,
  },
  {
    name: 'privacy list',
    does: 'Lists exports and erasures, newest first.',
    arguments: ['domain'],
    options: [['--most <n>', 'longest list (default 1000)']],
    example: 'carillon privacy list care.example',
    run: (client, given) =>
      wholeList('jobs', given, (part) =>
        client.call('getProvisioningPersonaldata', { domain: given.domain ?? '', ...part }),
      ),
    list: ['jobs', 'createdAt', 'kind', 'state', 'endedAt', 'id'],
  },
  {
    name: 'privacy show',
    does: 'Shows an export or erasure and how far each host is with it.',
    arguments: ['domain', 'jobId'],
    example: 'carillon privacy show care.example 01jd0000000000000000000000',
    run: async (client, { domain = '', jobId = '' }) => {
      const answer = await client.call('getProvisioningPersonaldataByJobId', { domain, jobId });
      return answer.ok ? ok(answer.value.job) : answer;
    },
  },
];

/** Starts the job and waits for it, at most as long as was said. */
async function finished(
  client: Client,
  given: Given,
  kind: Job['kind'],
): Promise<Awaited<Answered> & ({ readonly ok: false } | { readonly ok: true; readonly value: Job })> {
  const { domain = '', device, address, reason } = given;
  const seconds = Number(given.wait ?? WAIT_S);
  if (!(seconds >= 0)) throw new Stop(exitCode.wrongUse, `wait must be seconds, not ${given.wait}.`);
  const body: Operations[Start]['body'] = {
    kind,
    ...(device !== undefined && { deviceId: device }),
    ...(address !== undefined && { address }),
    ...(reason !== undefined && { reason }),
    ...(given.keepDevice !== undefined && { keepDevice: true }),
  };
  const started = await client.call('postProvisioningPersonaldata', { domain, body });
  if (!started.ok) return started;
  let { job } = started.value;
  // Once it is erased only this command has it.
  const { subjectSalt } = job;
  for (let left = (seconds * 1_000) / POLL_MS; left > 0 && job.state !== 'done'; left--) {
    await wait(POLL_MS);
    const answer = await client.call('getProvisioningPersonaldataByJobId', { domain, jobId: job.id });
    if (!answer.ok) return answer;
    job = { ...answer.value.job, ...(subjectSalt !== undefined && { subjectSalt }) };
  }
  return ok(job);
}

/** The receipt that proves later whom the entry of the audit log means. */
const receipt = ({ subjectHash, subjectSalt }: Job): string =>
  subjectSalt === undefined
    ? ''
    : `\nThe audit log calls it ${subjectHash}. Keep the salt ${subjectSalt}: with the name it proves whom that means.`;

const removed = ({ report, hosts }: Job): string => {
  const counts = [{ siteId: 'control plane', hostId: '', report }, ...hosts].map(
    ({ siteId, hostId, report: rows }) =>
      `${[siteId, hostId].filter((name) => name !== '').join('/')} ${wordsOf(rows)}`,
  );
  return counts.join('; ');
};

const wordsOf = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ') || 'nothing';

function stillWaits({ id, hosts }: Job): string {
  const waiting = hosts
    .filter(({ state }) => state === 'pending')
    .map(({ siteId, hostId, reason }) => `${siteId}/${hostId} (${reason ?? 'not asked yet'})`);
  return `The job still waits for ${waiting.join(', ') || 'deliveries'} and continues by itself: carillon privacy show … ${id}`;
}
