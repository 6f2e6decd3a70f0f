import type { Binding } from './binding.ts';
import type { Registration } from './registration.ts';

/** How long a request may be under way: Timer F of the device and of one proxy (RFC 3261 17.1.2.2). */
const OVERTAKING_MS = 64_000;

/**
 * RFC 3261 10.3 step 7: within one Call-ID only a higher CSeq changes a binding.
 * Deviation: an equal CSeq is the same request again, under a new branch, or a device that does not count. It is carried out again
 * and never refused, so that no device loses its registration, or keeps one that leads to its last port; it removes nothing.
 * Deviation: a lower CSeq counts as overtaken only while the older request could still be under way. Later it is a device that
 * starts its Call-ID and CSeq again after losing power, and must not be locked out for an hour.
 */
export function orderOf(
  before: Binding | undefined,
  wanted: Registration,
  nowMs: number,
): 'newer' | 'repeated' | 'overtaken' {
  if (before === undefined || before.callId !== wanted.callId || wanted.cseq > before.cseq) return 'newer';
  // Nothing is under way any more over a closed connection: it is a device that came back and counts from the start.
  if (before.flow === null || nowMs - before.registeredAtMs > OVERTAKING_MS) return 'newer';
  return wanted.cseq === before.cseq ? 'repeated' : 'overtaken';
}
