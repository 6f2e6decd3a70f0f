import { fail, ok, type Result } from '#shared/result.ts';
import type { CadencePart } from './cadence.codes.ts';
import { DIGITS, HIGH_HZ, LOW_HZ } from './digit.codes.ts';

/** One frequency of a segment. */
export interface Sine {
  readonly hz: number;
  readonly levelDbm0: number;
}

/** Sines that sound together for a while; no sine is a pause. Lengths are exact to the sample. */
export interface ToneSegment {
  readonly sines: readonly Sine[];
  readonly ms: number;
  /** Rise and fall at the edges, inside `ms`. */
  readonly rampMs: number;
}

/** Chosen: a single tone rises and falls in 2 ms, so that it does not click; DTMF has hard edges, as telephones have. */
const RAMP_MS = 2;

/** Levels of ITU-T Q.23 practice: low group −9, high group −7 dBm0; 80 ms on, 80 ms off. */
export interface DtmfSetting {
  readonly lowDbm0: number;
  readonly highDbm0: number;
  readonly onMs: number;
  readonly offMs: number;
}
const DEFAULT_DTMF: DtmfSetting = { lowDbm0: -9, highDbm0: -7, onMs: 80, offMs: 80 };

/** Times of a digit in sequential tones, ms: row tone, pause, column tone; and from one digit to the next. */
export interface StmfTimes {
  readonly rowMs: number;
  readonly gapMs: number;
  readonly columnMs: number;
  readonly digitMs: number;
}

/** STMF: row tone, short gap, column tone; a digit every 160 ms. */
export interface StmfSetting extends StmfTimes {
  readonly levelDbm0: number;
}
export const STMF_TIMES: StmfTimes = { rowMs: 75, gapMs: 5, columnMs: 75, digitMs: 160 };
const DEFAULT_STMF: StmfSetting = { levelDbm0: -9, ...STMF_TIMES };

/** A pause. */
export const silence = (ms: number): ToneSegment => ({ sines: [], ms, rampMs: 0 });

/** One frequency. */
export const tone = (hz: number, ms: number, levelDbm0 = -9, rampMs = RAMP_MS): ToneSegment => ({
  sines: [{ hz, levelDbm0 }],
  ms,
  rampMs,
});

/** A string of DTMF digits, each followed by its pause. Fails (`UnknownDigit`) on anything else. */
export function dtmf(digits: string, setting: Partial<DtmfSetting> = {}): Result<readonly ToneSegment[]> {
  const { lowDbm0, highDbm0, onMs, offMs } = { ...DEFAULT_DTMF, ...setting };
  return ofDigits(digits, (lowHz, highHz) => [
    {
      sines: [
        { hz: lowHz, levelDbm0: lowDbm0 },
        { hz: highHz, levelDbm0: highDbm0 },
      ],
      ms: onMs,
      rampMs: 0,
    },
    silence(offMs),
  ]);
}

/** A string of STMF digits: row and column one after the other. Fails (`UnknownDigit`) on anything else. */
export function stmf(digits: string, setting: Partial<StmfSetting> = {}): Result<readonly ToneSegment[]> {
  const { levelDbm0, rowMs, gapMs, columnMs, digitMs } = { ...DEFAULT_STMF, ...setting };
  return ofDigits(digits, (lowHz, highHz) => [
    tone(lowHz, rowMs, levelDbm0, 0),
    silence(gapMs),
    tone(highHz, columnMs, levelDbm0, 0),
    silence(digitMs - rowMs - gapMs - columnMs),
  ]);
}

/** A call progress tone, one period; play it repeated. */
export const cadence = (parts: readonly CadencePart[], levelDbm0 = -10): readonly ToneSegment[] =>
  parts.map(({ hz, ms }) => ({
    sines: hz.map((one) => ({ hz: one, levelDbm0: levelDbm0 - 10 * Math.log10(hz.length) })),
    ms,
    rampMs: hz.length === 0 ? 0 : RAMP_MS,
  }));

/** The tone that a participant hears when another one joins or leaves. */
export const beep: readonly ToneSegment[] = [tone(1_000, 150, -16), silence(50)];

function ofDigits(
  digits: string,
  segmentsOf: (lowHz: number, highHz: number) => ToneSegment[],
): Result<readonly ToneSegment[]> {
  const segments: ToneSegment[] = [];
  for (const digit of digits.toUpperCase()) {
    const index = DIGITS.indexOf(digit);
    const [lowHz, highHz] = [LOW_HZ[index >> 2], HIGH_HZ[index & 3]];
    if (index < 0 || lowHz === undefined || highHz === undefined) {
      return fail('UnknownDigit', `"${digit}" is not a DTMF digit; 0 to 9, A to D, * and # are.`);
    }
    segments.push(...segmentsOf(lowHz, highHz));
  }
  return ok(segments);
}
