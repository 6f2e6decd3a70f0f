import { z } from 'zod';
import { callbackCopySchema, type Listened } from '#shared/contract/site/index.ts';
import type { AskHost } from './remote-requests.ts';

/** A host that is asked for copies. */
export interface HostPlace {
  readonly uid: string;
  readonly hostId: string;
  /** For the audit of the host. */
  readonly by: string;
  readonly filter: string | undefined;
  readonly traceId?: string;
}

/** How far a listening has read a host. */
export interface PolledHost {
  after: number | undefined;
  /** A host that did not answer is left alone until then, epoch ms. */
  againAt: number;
  /** The trouble that was reported; it is reported once. */
  trouble: string | undefined;
}

type Unnumbered = Listened extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

const ASK_MS = 3_000;
const REST_MS = 10_000;
const answerSchema = z.object({
  copies: z.array(callbackCopySchema).default([]),
  after: z.number().int().optional(),
  dropped: z.number().int().default(0),
});

/** Asks one host for the copies behind those that were read; changes how far it was read. */
export async function pollHost(
  port: { readonly ask: AskHost; readonly nowMs: () => number },
  { uid, hostId, by, filter, traceId }: HostPlace,
  polled: PolledHost,
): Promise<readonly Unnumbered[]> {
  if (polled.againAt > port.nowMs()) return [];
  const args = {
    ...(polled.after !== undefined && { after: polled.after }),
    ...(filter !== undefined && { filter }),
    ...(traceId !== undefined && { traceId }),
  };
  const answer = await port.ask(uid, { op: 'callback.copies', args, forMs: ASK_MS, by });
  const reason = !answer.ok ? answer.error.reason : answer.value.ok ? undefined : answer.value.error?.reason;
  const read = answer.ok && answer.value.ok ? answerSchema.safeParse(answer.value.data) : undefined;
  if (read?.success !== true) {
    polled.againAt = port.nowMs() + REST_MS;
    const trouble = `${hostId} sends no copies: ${reason ?? 'its answer is of another version'}`;
    const isNew = polled.trouble !== trouble;
    polled.trouble = trouble;
    return isNew ? [{ event: 'trouble', data: { reason: trouble } }] : [];
  }
  polled.trouble = undefined;
  const { copies, after, dropped } = read.data;
  if (after !== undefined) polled.after = after;
  return [
    ...(dropped > 0 ? [{ event: 'gap' as const, data: { hostId, dropped } }] : []),
    ...copies.map((copy) => ({ event: 'copy' as const, data: { ...copy, hostId } })),
  ];
}
