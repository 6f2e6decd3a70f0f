import { z } from 'zod';
import type { DataSubject } from '#shared/matching/index.ts';
import {
  type Call,
  hostsWithCopies,
  type PrivacyJobRow,
  type PrivacyPartRow,
  partsOfPrivacyJobs,
  pendingPrivacyJobs,
  putPrivacyPage,
  recordAudit,
  type Tx,
  updatePrivacyJob,
  updatePrivacyPart,
} from '../store/index.ts';
import { eraseOwnCopy, ownCopy } from './own-copy.ts';
import type { PrivacyPort } from './privacy-jobs.ts';

export interface RoundPort extends PrivacyPort {
  /** Removes a recording that a site handed over; one that is not there is no failure. */
  readonly dropRecording: (call: Call, name: string) => Promise<unknown>;
  /** Forgets traces that were fetched for people. */
  readonly forgetTraces?: (tenant: string) => void;
}

const JOBS_AT_ONCE = 100;
const PAGE_MS = 30_000;
const ERASE_MS = 120_000;
/** A host that could not yet looks through its whole journal to say so. */
const AGAIN_MS = 20_000;
/** Longer than any journal: a host that says `next` for ever is not believed. */
const MOST_PAGES = 100_000;

const pageSchema = z.object({ rows: z.array(z.unknown()), next: z.string().optional() });
const erasedSchema = z.object({
  removed: z.record(z.string(), z.number()).default({}),
  files: z.array(z.string()).default([]),
});

/**
 * Clears a job that has erased: without the salt an attacker cannot try names against the hash that the audit log keeps. The
 * audit log keeps the reason too, for its time.
 */
const FORGOTTEN = { subject: null, subjectSalt: null, reason: null } as const;

type Counts = Readonly<Record<string, number>>;
type Attempt =
  | { readonly done: true; readonly report: Counts; readonly files: readonly string[] }
  | { readonly done: false; readonly reason: string; readonly answered: boolean };

/**
 * A host that was away has copied to its holder what it knew itself, before it was asked to forget it. So whoever is not
 * alone in a site is asked a second time when all of the site have done it once.
 */
const ONCE_MORE = 'it has erased, and does so once more when all hosts of its site have';

const waits = (reason: string, answered = true): Attempt => ({ done: false, reason, answered });

/**
 * One look at all jobs that are not done: asks every host that has not done its part, and is done when all have. A host that is
 * away is asked again by each round until it is back. Resolves to when one that has answered may be asked again, epoch ms; undefined: none
 * is waited for but by its return.
 *
 *     pending ─ own copy ─ each host: done, or why not ─ in sites of two: once more ─ all done ─ own copy once more ─▶ done, the name forgotten
 */
export async function privacyRound(port: RoundPort): Promise<number | undefined> {
  const due: number[] = [];
  for (const job of await pendingPrivacyJobs(port.store, JOBS_AT_ONCE)) {
    if (job.subject !== null) due.push(...(await advance(port, job, job.subject)));
  }
  return due.length === 0 ? undefined : Math.min(...due);
}

/** Others of its site have not erased yet, and what they know may still come to this host. */
const waitsForOthers = ({ passes, siteId, uid }: PrivacyPartRow, parts: readonly PrivacyPartRow[]): boolean =>
  passes > 0 && parts.some((other) => other.siteId === siteId && other.uid !== uid && other.passes === 0);

/** When the parts that are not done may be asked again; those that did not answer just now are not among them. */
const dueAgain = (
  { createdAt, kind }: PrivacyJobRow,
  parts: readonly PrivacyPartRow[],
  silent: ReadonlySet<string>,
): readonly number[] =>
  parts.flatMap((part) => {
    const waits = part.at === createdAt || (kind === 'erasure' && waitsForOthers(part, parts));
    return part.state === 'done' || waits || silent.has(part.uid) ? [] : [part.at + AGAIN_MS];
  });

/** When a part may be asked again. */
async function advance(
  port: RoundPort,
  job: PrivacyJobRow,
  subject: DataSubject,
): Promise<readonly number[]> {
  const { store, nowMs } = port;
  const { tenant, id, kind } = job;
  const actor = { name: job.actor, address: '', requestId: id, at: nowMs() };
  const call: Call = { tenant, domain: '', actor };
  const erasing = kind === 'erasure';
  if (erasing) port.forgetTraces?.(tenant);
  // At once, and not only when the last host has answered; not at each look, for it reads all that is stored.
  const isNew = Object.keys(job.report).length === 0;
  const first = erasing && isNew ? await eraseOwnCopy(port, call, subject, job.keepDevice) : undefined;
  const parts = await partsOfPrivacyJobs(store, [id]);
  const there = new Set((await hostsWithCopies(store, tenant)).map(({ uid }) => uid));
  const silent = new Set<string>();
  const attempts = await Promise.all(
    parts.map(async (part) => {
      if (part.state === 'done') return true;
      if (part.at !== job.createdAt && nowMs() - part.at < AGAIN_MS) return false;
      const others = erasing
        ? parts.filter(({ siteId, uid }) => siteId === part.siteId && uid !== part.uid)
        : [];
      if (erasing && waitsForOthers(part, parts)) return false;
      const isThere = there.has(part.uid);
      const attempt = isThere
        ? await ask(port, job, subject, part)
        : // A host that left the site has wiped itself.
          ({ done: true, report: {}, files: [] } as const);
      if (attempt.done) for (const name of attempt.files) await port.dropRecording(call, name);
      const passes = part.passes + 1;
      const over = attempt.done && (!isThere || others.length === 0 || passes > 1);
      const set = attempt.done
        ? {
            ...{ passes, report: summed(part.report, attempt.report), at: nowMs() },
            ...(over ? ({ state: 'done', reason: null } as const) : { reason: ONCE_MORE }),
          }
        : { reason: attempt.reason, ...(attempt.answered && { at: nowMs() }) };
      await store.withTx((tx) => updatePrivacyPart(tx, part, set));
      if (!attempt.done && !attempt.answered) silent.add(part.uid);
      return over;
    }),
  );
  const allDone = attempts.every((done) => done);
  // Reports that a host sent before it was asked have come meanwhile.
  const last = erasing && allDone ? await eraseOwnCopy(port, call, subject, job.keepDevice) : undefined;
  const counts = erasing ? summed(job.report, first?.counts, last?.counts) : undefined;
  if (!allDone || (last?.owed ?? 0) > 0) {
    if (counts !== undefined) await store.withTx((tx) => updatePrivacyJob(tx, id, { report: counts }));
    return dueAgain(job, await partsOfPrivacyJobs(store, [id]), silent);
  }
  const report = counts ?? countsOf(await ownCopy(port, tenant, subject, id));
  await store.withTx(async (tx: Tx) => {
    const { subjectHash } = job;
    const over = { state: 'done', report, endedAt: nowMs(), ...(erasing && FORGOTTEN) } as const;
    await updatePrivacyJob(tx, id, over);
    const detail = { subjectHash, report };
    const entry = { tenant, action: `${kind} done`, entity: 'personaldata', entityId: id, detail };
    await recordAudit(tx, { ...actor, name: 'system', at: nowMs() }, entry);
  });
  return [];
}

const ask = (
  port: RoundPort,
  job: PrivacyJobRow,
  subject: DataSubject,
  part: PrivacyPartRow,
): Promise<Attempt> =>
  job.kind === 'erasure' ? erase(port, job, subject, part) : fetchPages(port, job, subject, part);

async function erase(
  { ask: askHost }: RoundPort,
  { keepDevice, actor }: PrivacyJobRow,
  subject: DataSubject,
  { uid }: PrivacyPartRow,
): Promise<Attempt> {
  const args = { subject, keepDevice };
  const answer = await askHost(uid, { op: 'privacy.erase', args, forMs: ERASE_MS, by: `user:${actor}` });
  if (!answer.ok) return waits(answer.error.reason, false);
  const { ok: done, data, error } = answer.value;
  if (!done) return waits(reasonOf(error));
  const erased = erasedSchema.safeParse(data).data;
  return erased === undefined
    ? waits('the host did not report the removed rows')
    : { done: true, report: erased.removed, files: erased.files };
}

async function fetchPages(
  { ask: askHost, store, breathe }: RoundPort,
  { id: job, actor }: PrivacyJobRow,
  subject: DataSubject,
  { uid }: PrivacyPartRow,
): Promise<Attempt> {
  let after: string | undefined;
  const keys = new Set<string>();
  for (let page = 0; page < MOST_PAGES; page++) {
    const args = { subject, ...(after !== undefined && { after }) };
    const answer = await askHost(uid, { op: 'privacy.export', args, forMs: PAGE_MS, by: `user:${actor}` });
    if (!answer.ok) return waits(answer.error.reason, false);
    const { ok: given, data, error } = answer.value;
    if (!given) return waits(reasonOf(error));
    const read = pageSchema.safeParse(data).data;
    if (read === undefined) return waits('the host sent no page');
    await store.withTx((tx) => putPrivacyPage(tx, { job, uid, page, body: read.rows }));
    for (const each of read.rows) keys.add(String((each as { key?: unknown }).key));
    if (read.next === undefined) return { done: true, report: { rows: keys.size }, files: [] };
    after = read.next;
    await breathe();
  }
  return waits(`the host sent more than ${MOST_PAGES} pages`);
}

function reasonOf(error: { readonly code: string; readonly reason: string } | undefined): string {
  if (error?.code === 'unknownOperation')
    return 'the program of the host is too old; upgrade it, or remove the host';
  return error?.reason ?? 'the host refused and gave no reason';
}

/** Adds up what was removed. Kept rows are counted again each time. */
function summed(...all: readonly (Counts | undefined)[]): Counts {
  const total: Record<string, number> = {};
  for (const counts of all)
    for (const [kind, count] of Object.entries(counts ?? {}))
      total[kind] = kind === 'auditKept' ? count : (total[kind] ?? 0) + count;
  return total;
}

const countsOf = (rows: Readonly<Record<string, readonly unknown[]>>): Counts =>
  Object.fromEntries(Object.entries(rows).map(([kind, all]) => [kind, all.length]));
