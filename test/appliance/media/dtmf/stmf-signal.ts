import { NoiseSource, peakOf, saturate } from '#appliance/media/audio/index.ts';
import { type DetectedStmf, HIGH_HZ, LOW_HZ, StmfDetector } from '#appliance/media/dtmf/index.ts';
import { forEachFrame } from './digit-signal.ts';

/** Digits in sequential tones as a bad line delivers them, written apart from the product's generator. */
export interface StmfLine {
  readonly rowDbm0?: number;
  readonly columnDbm0?: number;
  readonly rowDeviation?: number;
  readonly columnDeviation?: number;
  readonly rowMs?: number;
  readonly gapMs?: number;
  readonly columnMs?: number;
  readonly digitMs?: number;
  /** Under the louder tone; absent: no noise. */
  readonly snrDb?: number;
  readonly seed?: number;
}

export const TIMES = { rowMs: 75, gapMs: 5, columnMs: 75, digitMs: 160 } as const;
/** Not a multiple of a frame. */
export const LEAD_MS = 203;
const GRID = '123A456B789C*0#D';

/** A digit of which one tone, or both, are not said. */
export interface Spoiled {
  readonly digit: string;
  readonly row?: false;
  readonly column?: false;
}

export function stmfOnLine(digits: Iterable<string | Spoiled>, line: StmfLine = {}): Int16Array {
  const { rowDbm0 = -10, columnDbm0 = -10, seed = 1, ...rest } = line;
  const times = { ...TIMES, ...rest };
  const said = [...digits].map((one): Spoiled => (typeof one === 'string' ? { digit: one } : one));
  const length = Math.ceil(((2 * LEAD_MS + said.length * times.digitMs) * 8) / 160) * 160;
  const sum = new Float64Array(length);
  const random = new NoiseSource(seed * 7_919 + 13);
  const add = (atMs: number, ms: number, hz: number, dbm0: number): void => {
    const turn = random.next();
    const from = Math.round(atMs * 8);
    for (let i = 0; i < Math.round(ms * 8); i++)
      sum[from + i] = peakOf(dbm0) * Math.sin(2 * Math.PI * ((hz * i) / 8_000 + turn));
  };
  for (const [place, { digit, row, column }] of said.entries()) {
    const symbol = GRID.indexOf(digit);
    if (symbol < 0) throw new Error(`${digit} is no digit`);
    const atMs = LEAD_MS + place * times.digitMs;
    const lowHz = (LOW_HZ[symbol >> 2] ?? 0) * (1 + (line.rowDeviation ?? 0));
    const highHz = (HIGH_HZ[symbol & 3] ?? 0) * (1 + (line.columnDeviation ?? 0));
    if (row !== false) add(atMs, times.rowMs, lowHz, rowDbm0);
    if (column !== false) add(atMs + times.rowMs + times.gapMs, times.columnMs, highHz, columnDbm0);
  }
  const loudest = peakOf(Math.max(rowDbm0, columnDbm0)) ** 2 / 2;
  const noise = line.snrDb === undefined ? 0 : Math.sqrt(3 * loudest * 10 ** (-line.snrDb / 10));
  return Int16Array.from(sum, (value) => saturate(Math.round(value + random.next() * noise)));
}

export function stmfDetectedIn(
  samples: Int16Array,
  loss?: { readonly share: number; readonly seed: number },
): DetectedStmf[] {
  const detected: DetectedStmf[] = [];
  const detector = new StmfDetector(TIMES, (event) => detected.push(event));
  forEachFrame(samples, (frame, tick, lost) => detector.push(frame, tick, lost), loss);
  return detected;
}

export type StmfEnd = Extract<DetectedStmf, { kind: 'end' }>;
export const endsOf = (detected: readonly DetectedStmf[]): StmfEnd[] =>
  detected.filter((event) => event.kind === 'end');
export const textOf = (detected: readonly DetectedStmf[]): string =>
  endsOf(detected)
    .map(({ digit }) => digit)
    .join('');
