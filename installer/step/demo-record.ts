import { setTimeout as pause } from 'node:timers/promises';
import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import { bold, complain, dim, say } from '../io/terminal/terminal.ts';
import type { DemoApi } from './demo-online.ts';
import { DEMO_DOMAIN } from './demo-tenant.ts';

/** Chosen: a record is in the control plane 2 s after the end of its session; a busy machine needs longer. */
const RECORDED_WITHIN_MS = 10_000;
const ASK_AGAIN_MS = 200;

/** Prints the address of the record of an alarm, once the control plane has it. A record that is late fails no demo. */
export async function showRecord(api: DemoApi, traceId: string): Promise<void> {
  const record = await endedRecord(api, traceId, RECORDED_WITHIN_MS).catch(() => undefined);
  say();
  if (record !== undefined) {
    say(`${bold('Its record')}  ${addressOf(api, record)} ${dim(`(${record.kind}, ${record.result})`)}`);
    return;
  }
  const within = `${RECORDED_WITHIN_MS / 1_000} s`;
  complain(
    dim(
      `the record of the alarm did not arrive within ${within}; list it later with carillon record list ${DEMO_DOMAIN} --trace ${traceId}`,
    ),
  );
}

const addressOf = ({ baseUrl }: DemoApi, { recordId }: ShownRecord): string =>
  `${baseUrl}/record/${DEMO_DOMAIN}/${recordId}`;

/** The record of a trace whose session is over; undefined: it did not arrive in time. */
async function endedRecord(
  { baseUrl, token }: DemoApi,
  traceId: string,
  withinMs: number,
): Promise<ShownRecord | undefined> {
  const path = `${baseUrl}/record/${DEMO_DOMAIN}?traceId=${encodeURIComponent(traceId)}`;
  for (const deadlineMs = performance.now() + withinMs; ; await pause(ASK_AGAIN_MS)) {
    const signal = AbortSignal.timeout(withinMs);
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` }, signal });
    const { records = [] } = (await answer.json()) as { records?: readonly ShownRecord[] };
    const ended = records.find(({ result }) => result !== 'running');
    if (ended !== undefined || performance.now() > deadlineMs) return ended;
  }
}
