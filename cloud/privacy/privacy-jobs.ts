import type { RemoteOperation, RemoteResponse } from '#shared/contract/feed/index.ts';
import type { PersonalDataJobShown, PersonalDataRequest } from '#shared/contract/record/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import type { DataSubject } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  hostsWithCopies,
  insertPrivacyJob,
  listPrivacyJobs,
  mutate,
  type Page,
  type PrivacyJobRow,
  type PrivacyPartRow,
  pageOf,
  partsOfPrivacyJobs,
  privacyPages,
  readPrivacyJob,
  recordAudit,
  wasProvisioned,
} from '../store/index.ts';
import type { CopyPort } from './copy-port.ts';
import { ownCopy, type ShownRows } from './own-copy.ts';
import { rowsOfPages } from './page.ts';

/** Asks a host over its management connection; fails with `unreachable` or `late`. */
export type AskHost = (
  uid: string,
  question: {
    readonly op: RemoteOperation;
    readonly args: Record<string, unknown>;
    readonly forMs: number;
    readonly by: string;
  },
) => Promise<Result<RemoteResponse>>;

export interface PrivacyPort extends CopyPort {
  readonly ask: AskHost;
  readonly random: RandomBytes;
  readonly sha256: (text: string) => string;
  readonly nowMs: () => number;
  /** A job was taken in: look at it soon. */
  readonly begun: () => void;
}

/** A host says whether it could, before anything is removed anywhere. */
const CHECK_MS = 20_000;
const SALT_BYTES = 16;

export interface PrivacyDocument {
  readonly complete: boolean;
  readonly deviceId?: string;
  readonly address?: string;
  readonly collectedAt: number;
  readonly cloud: ShownRows;
  readonly hosts: { siteId: string; hostId: string; complete: boolean; rows: ShownRows }[];
}

/** Exports and erasures as people ask for them. The audit log has each person who asks or reads, with a hash for the name. */
export function createPrivacyJobs(port: PrivacyPort) {
  const { store, nowMs, sha256 } = port;

  /** Refused while an alarm of it is active at a host that can be asked; the others refuse it later. */
  async function refusalOf(
    call: Call,
    hosts: Awaited<ReturnType<typeof hostsWithCopies>>,
    args: Record<string, unknown>,
  ): Promise<string | undefined> {
    const by = `user:${call.actor.name}`;
    const said = await Promise.all(
      hosts.map(async ({ uid, hostId }) => {
        const question = { op: 'privacy.erase', args, forMs: CHECK_MS, by } as const;
        const answer = await port.ask(uid, question);
        const error = answer.ok && !answer.value.ok ? answer.value.error : undefined;
        return error?.code === 'alarmActive' ? `${hostId}: ${error.reason}` : undefined;
      }),
    );
    return said.find((reason) => reason !== undefined);
  }

  return {
    /**
     * Takes a job in. Fails with `notFound` for a device that never was, and `conflict` for an erasure while an alarm is
     * active.
     */
    start: async (call: Call, request: PersonalDataRequest): Promise<Result<PersonalDataJobShown>> => {
      const { kind, deviceId, address = '', keepDevice, reason = null } = request;
      const subject: DataSubject = deviceId === undefined ? { address } : { deviceId };
      const { tenant, actor } = call;
      if (deviceId !== undefined && !(await wasProvisioned(store, tenant, deviceId)))
        return fail(
          'notFound',
          `The device ${deviceId} does not exist and never existed. Check the deviceId.`,
          '/deviceId',
        );
      const hosts = await hostsWithCopies(store, tenant);
      if (kind === 'erasure') {
        const against = await refusalOf(call, hosts, { subject, keepDevice, check: true });
        if (against !== undefined)
          return fail(
            'conflict',
            `The erasure is refused: ${against}. Nothing was removed. Ask again when no alarm is active.`,
          );
      }
      const at = nowMs();
      const subjectSalt = Buffer.from(port.random(SALT_BYTES)).toString('hex');
      const job: PrivacyJobRow = {
        id: ulid(at, port.random(10)),
        ...{ tenant, kind, state: 'pending', subject, keepDevice, reason, report: {}, endedAt: null },
        ...{ subjectSalt, subjectHash: sha256(`${subjectSalt} ${Object.values(subject).join()}`) },
        actor: actor.name,
        createdAt: at,
      };
      const parts = hosts.map(
        (host): PrivacyPartRow => ({
          ...{
            ...host,
            job: job.id,
            state: 'pending',
            reason: 'the host has not been asked yet',
            report: {},
            passes: 0,
            at,
          },
        }),
      );
      const taken = await mutate(store, call, async (tx) => {
        await insertPrivacyJob(tx, job, parts);
        const { id: entityId, subjectHash } = job;
        const detail = { subjectHash, keepDevice, reason, hosts: parts.length };
        await recordAudit(tx, actor, { tenant, action: kind, entity: 'personaldata', entityId, detail });
        return ok(shown(job, parts));
      });
      if (taken.ok) port.begun();
      return taken;
    },

    list: async (
      tenant: string,
      after: string,
      limit: number,
    ): Promise<Result<Page<PersonalDataJobShown>>> => {
      const jobs = await listPrivacyJobs(store, tenant, after, limit + 1);
      const parts = await partsOfPrivacyJobs(
        store,
        jobs.map(({ id }) => id),
      );
      return ok(
        pageOf(
          jobs,
          limit,
          ({ id }) => id,
          (job) => shown(job, ofJob(parts, job.id)),
        ),
      );
    },

    read: async (tenant: string, id: string): Promise<Result<PersonalDataJobShown>> => {
      const job = await readPrivacyJob(store, tenant, id);
      return job === undefined ? unknown(id) : ok(shown(job, await partsOfPrivacyJobs(store, [id])));
    },

    /** The data collected so far. Fails with `conflict` for an erasure, which collects nothing. */
    document: async (call: Call, id: string): Promise<Result<PrivacyDocument>> => {
      const { tenant, actor } = call;
      const job = await readPrivacyJob(store, tenant, id);
      if (job === undefined) return unknown(id);
      const { kind, state, subject, subjectHash } = job;
      if (kind !== 'export')
        return fail('conflict', `The document does not exist: ${id} is an erasure. Request an export.`);
      if (subject === null)
        return fail(
          'conflict',
          `The document does not exist any more: an erasure of the same person removed the data of ${id}.`,
        );
      await mutate(store, call, async (tx) => {
        const entry = {
          tenant,
          action: 'read',
          entity: 'personaldata',
          entityId: id,
          detail: { subjectHash },
        };
        await recordAudit(tx, actor, entry);
        return ok(null);
      });
      const hosts: PrivacyDocument['hosts'] = [];
      for (const { uid, siteId, hostId, state: of } of await partsOfPrivacyJobs(store, [id])) {
        const rows = rowsOfPages((await privacyPages(store, id, uid)).flatMap(({ body }) => body));
        hosts.push({ siteId, hostId, complete: of === 'done', rows });
      }
      const cloud = await ownCopy(port, tenant, subject, id);
      return ok({ complete: state === 'done', ...subject, collectedAt: nowMs(), cloud, hosts });
    },
  };
}

export type PrivacyJobs = ReturnType<typeof createPrivacyJobs>;

const unknown = (id: string) =>
  fail('notFound', `The job ${id} does not exist or has expired. List the jobs for their ids.`);

const ofJob = (parts: readonly PrivacyPartRow[], id: string) => parts.filter(({ job }) => job === id);

function shown(job: PrivacyJobRow, parts: readonly PrivacyPartRow[]): PersonalDataJobShown {
  const { id, kind, state, subject, subjectHash, subjectSalt, keepDevice, report, createdAt, endedAt } = job;
  return {
    ...{ id, kind, state, ...subject, subjectHash, keepDevice, report, createdAt },
    ...(subjectSalt !== null && { subjectSalt }),
    hosts: parts.map(({ siteId, hostId, state: of, reason, report: counts, at }) => ({
      ...{ siteId, hostId, state: of, report: counts, at, ...(reason !== null && { reason }) },
    })),
    ...(endedAt !== null && { endedAt }),
  };
}
