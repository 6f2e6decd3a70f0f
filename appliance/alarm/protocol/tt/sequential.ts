import { lengthMs, type StringForm, type Tone } from '../tone/index.ts';
import type { TtProfile } from './profile.ts';

/*
 * A centre of TT92 that asks in sequential tones, too, or in them alone (`dataRequestType` combined), seen by the unit: in what the frame
 * goes out, by `sender.sequential` of the profile.
 *
 *   The centre asks            | whenAsked (built-in)  | always     | never
 *   in DTMF                    | DTMF                  | sequential | DTMF
 *   in both                    | DTMF, then by turns   | sequential | DTMF
 *   in sequential tones alone  | sequential            | sequential | not heard
 *
 * `Chosen:` a centre that asks in both reads both, and DTMF is the surer one (no part of it depends on the time alone);
 * sequential tones are the second try and the fourth, for a line that carries those only. Whether DTMF follows a request in
 * sequential tones is known 250 ms after it would have been over; the frame then begins before the centre asks again. Groups of
 * a scheme go in the tones in which the frame was taken; 701 and 702 are echoed in DTMF, as they came.
 */

export interface SequentialRequest {
  readonly digits: string;
  /** How long after them it may still go on in DTMF, ms. */
  readonly restMs: number;
  /** Whether the frame goes out in them whatever was asked in. */
  readonly isAlways: boolean;
}

/** `Chosen:` how late the media engine may report the end of a request. */
const REPORT_DELAY_MS = 250;

/** How such a centre asks; undefined: the protocol has no such tones, or no profile wants them to be heard. */
export function sequentialRequest({
  combined = [],
  stmf,
  sender: { sequential },
}: TtProfile): SequentialRequest | undefined {
  const place = combined.findIndex((tone) => 'stmf' in tone);
  const tone = combined[place];
  if (tone === undefined || !('stmf' in tone) || stmf === undefined || sequential === 'never')
    return undefined;
  const restMs = lengthMs(combined.slice(place + 1)) + REPORT_DELAY_MS;
  return { digits: tone.digits, restMs, isAlways: sequential === 'always' };
}

/** How a frame is said, try by try; `askedForms`: what was asked in, the surer one first. */
export function formsFor(
  request: SequentialRequest | undefined,
  askedForms: readonly StringForm[],
): readonly StringForm[] {
  if (request === undefined) return ['dtmf'];
  return request.isAlways ? ['stmf'] : askedForms;
}

/** DTMF digits of a request or an acknowledge. */
export const digitsIn = (tones: readonly Tone[]): string =>
  tones.map((tone) => ('digits' in tone && !('stmf' in tone) ? tone.digits : '')).join('');
