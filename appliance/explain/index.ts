import type { Result } from '#shared/result.ts';
import { type Dc09Key, explainDc09 } from './explain-dc09.ts';
import { explainScaip } from './explain-scaip.ts';
import { explainTone } from './explain-tone.ts';
import type { Explained } from './explained.ts';

export type { Explained };

/** The formats that `carillon explain` can take apart. */
const EXPLAINED = ['scaip', 'dc09', 'tone'] as const;

export interface ExplainOptions extends Dc09Key {
  /** Tone protocol to read by; absent: whichever fits. */
  readonly protocol?: string | undefined;
}

/** Takes one frame apart by the cores that receive alarms. Fails with one sentence when it is none. */
export function explain(
  kind: (typeof EXPLAINED)[number],
  content: Uint8Array,
  options: ExplainOptions,
): Result<Explained> {
  if (kind === 'scaip') return explainScaip(content);
  if (kind === 'dc09') return explainDc09(content, options);
  return explainTone(Buffer.from(content).toString('latin1'), options.protocol);
}
