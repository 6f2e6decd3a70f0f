import type { Result } from '#shared/result.ts';
import { type Dc09Key, explainDc09 } from './explain-dc09.ts';
import { explainLacs, explainNowIp } from './explain-message.ts';
import { explainScaip } from './explain-scaip.ts';
import { explainRb2000, explainTone } from './explain-tone.ts';
import type { Explained } from './explained.ts';

export type { Explained };

/** Protocols of tones by their name, and the one that reads their strings: TTNEW has the frame of TT92. */
const TONES = {
  bs8521: 'bs8521',
  tt92: 'tt92',
  ttnew: 'tt92',
  contactId: 'contactId',
  p100: 'p100',
  'cpc-antenna': 'cpc-antenna',
  'twon-text': 'twon-text',
} as const;

/** The formats that `carillon explain` can take apart; `tone` is whichever protocol of tones fits. */
const EXPLAINED = [
  'scaip',
  'nowip',
  'nowipcontroller',
  'lacs',
  'dc09',
  'tone',
  'rb2000',
  ...keysOf(TONES),
] as const;
type Kind = (typeof EXPLAINED)[number];

function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}

export interface ExplainOptions extends Dc09Key {
  /** Tone protocol to read by; absent: whichever fits. */
  readonly protocol?: string | undefined;
  /** lacs, rb2000: content of the protocol profile of the receiver. */
  readonly profile?: unknown;
}

/** Takes one frame apart by the cores that receive alarms. Fails with one sentence when it is none. */
export function explain(kind: Kind, content: Uint8Array, options: ExplainOptions): Result<Explained> {
  if (kind === 'scaip') return explainScaip(content);
  if (kind === 'nowip' || kind === 'nowipcontroller') return explainNowIp(content);
  if (kind === 'lacs') return explainLacs(content, options.profile);
  if (kind === 'dc09') return explainDc09(content, options);
  const text = Buffer.from(content).toString('latin1');
  if (kind === 'rb2000') return explainRb2000(text, options.profile);
  const only = kind === 'tone' ? options.protocol : TONES[kind];
  return explainTone(text, only);
}
