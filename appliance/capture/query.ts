import { type CaptureDocument, type Heard, isoTime, messageLine } from './capture-document.ts';
import type { CapturedMessage } from './message.ts';
import { sentFrameName } from './sent-frame.ts';

/** The messages to read: those of any of these keys, within these times (epoch ms). */
export interface CaptureQuery {
  readonly keys: readonly string[];
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** An entry of a trace, as far as the capture reads it. */
export interface TraceLine {
  readonly atMs: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** How far the ring reaches back. */
export interface RingState {
  /** Epoch ms; undefined: it is empty. */
  readonly oldestMs: number | undefined;
  /** Something was written over since the ring began. */
  readonly wrapped: boolean;
}

/** A transaction lasts 32 s (RFC 3261 17); what belongs to the begin or the end of a trace lies within it. */
const AROUND_MS = 35_000;
const MEDIA: ReadonlySet<string> = new Set([
  'toneHeard',
  'tonePlayed',
  'handshake',
  'mediaMeasured',
  'mediaEnded',
]);
const ADDRESSES: ReadonlySet<string> = new Set(['frameReceived']);

/** The keys and the time of a trace: Call-IDs, the panel that sent a frame, the frames that were sent, and the trace id itself, which callbacks carry. */
export function queryOfTrace(traceId: string, lines: readonly TraceLine[]): CaptureQuery {
  const keys = new Set([traceId]);
  for (const { kind, detail } of lines) {
    const { callId, source, destination, sequence } = detail;
    if (typeof destination === 'string' && typeof sequence === 'string')
      keys.add(sentFrameName(destination, sequence));
    if (typeof callId === 'string' && callId !== '') keys.add(callId);
    if (ADDRESSES.has(kind) && typeof source === 'string') keys.add(source);
  }
  const times = lines.map(({ atMs }) => atMs);
  return times.length === 0
    ? { keys: [...keys] }
    : { keys: [...keys], fromMs: Math.min(...times) - AROUND_MS, toMs: Math.max(...times) + AROUND_MS };
}

/** Digits with their level, and what the audio of each leg went through. */
export const heardIn = (lines: readonly TraceLine[]): Heard[] =>
  lines
    .filter(({ kind }) => MEDIA.has(kind))
    .map(({ atMs, kind, detail }) => ({ at: isoTime(atMs), kind, detail }));

/**
 * Whether messages of the wanted time may have been written over. Without a begin the oldest message that was found decides: a
 * conversation that starts where the ring starts may have begun before.
 */
export function isOverwritten(
  { oldestMs, wrapped }: RingState,
  begunMs: number | undefined,
  found: readonly CapturedMessage[],
): boolean {
  if (!wrapped || oldestMs === undefined) return false;
  if (begunMs !== undefined) return begunMs < oldestMs;
  const first = found[0];
  return first === undefined || first.atMs - oldestMs < AROUND_MS;
}

/** `capture.json` of these messages, which are in order. */
export const captureDocument = (
  messages: readonly CapturedMessage[],
  ownAddress: string,
  rest: Omit<CaptureDocument, 'v' | 'kind' | 'messages'>,
): CaptureDocument => ({
  v: 1,
  kind: 'carillon-capture',
  ...rest,
  messages: messages.map((message) => messageLine(message, ownAddress)),
});
