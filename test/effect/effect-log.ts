import { createHash } from 'node:crypto';

/**
 * The effects of the appliances of one test, in the order in which they were brought about. Present only while `npm run
 * effects` records (`record.ts`); a recorded test has random bytes that are the same in each run.
 */
export interface EffectLog {
  /** One effect on one line: its kind, the clock of its appliance in ms, and its text. */
  note(kind: 'sip' | 'callback' | 'journal' | 'log', atMs: number, text: string): void;
  readonly random: (length: number) => Uint8Array;
}

declare global {
  var carillonEffects: EffectLog | undefined;
}

/** Bytes that look random and follow from a seed. */
export function seededBytes(seed: string): (length: number) => Buffer {
  let block = 0;
  let left = Buffer.alloc(0);
  return (length) => {
    while (left.length < length)
      left = Buffer.concat([left, createHash('sha256').update(`${seed} ${block++}`).digest()]);
    const bytes = Buffer.from(left.subarray(0, length));
    left = left.subarray(length);
    return bytes;
  };
}
