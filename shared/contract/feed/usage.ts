import { z } from 'zod';
import { count, wallMs } from './field.ts';

/** `type` of events of lane `usage`. */
export const USAGE_TYPE = 'usage';

/** The kinds of usage that are counted. `callSecond` is the sum of the durations of the calls that ended. */
const USAGE_KINDS = ['call', 'callSecond', 'alarm', 'recording', 'callback'] as const;

const word = z.string().max(64).default('');

/**
 * `data` of an event of type `usage`: what a host did from `from` until before `to`, epoch milliseconds. A host says it at
 * least once an hour, ends a span at every full hour, and says nothing of a span in which it did nothing. Counts are of the
 * span alone and are added up by the cloud, which knows repetitions by the id of the event.
 *
 * `protocol` of an alarm: the protocol it came by. `result`: of a call `answered`, `busy`, `noAnswer` or `failed`; of a
 * callback `delivered` or `failed`; of an alarm, counted when its session is over:
 *
 * - `handled`: the application has taken it, or the receiver it was sent on to; no person was to speak with it.
 * - `emergency`: people were to speak with it, as the application asked or because no application decided.
 * - `dropped`: the event map drops it, no application was asked.
 * - `failed`: no receiver took it, or it could not be stored: the device tries its next receiver.
 *
 * Words a newer host adds are kept.
 *
 * 2026-11: first; hosts send it, and what the words of an alarm mean.
 */
export const usageDataSchema = z.object({
  from: wallMs,
  to: wallMs,
  counts: z.array(z.object({ of: z.enum(USAGE_KINDS), protocol: word, result: word, n: count })).max(500),
});

export type UsageData = z.output<typeof usageDataSchema>;
