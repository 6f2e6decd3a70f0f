/*
 * The damage that lines, gateways and worn keys do to a string of tones. Each kind damages one string in one way.
 */

/** One digit and the pause behind it, ms. */
export interface Stroke {
  readonly digit: string;
  readonly offMs: number;
}

export interface Draw {
  readonly below: (n: number) => number;
}

export interface Damaged {
  readonly strokes: readonly Stroke[];
  /** Pause in front of the string, ms. */
  readonly beforeMs: number;
}

type Kind = (line: string, draw: Draw) => Partial<Damaged> & { readonly strokes: readonly Stroke[] };

const SYMBOLS = '0123456789ABCD*#';
const PAUSE_MS = 80;
/** Between the request and the string, ms. */
const USUAL_BEFORE_MS = 300;

const strokesOf = (line: string, offMs = PAUSE_MS): Stroke[] => [...line].map((digit) => ({ digit, offMs }));
const spliced = (line: string, at: number, removed: number, added: string): { strokes: Stroke[] } => ({
  strokes: strokesOf(line.slice(0, at) + added + line.slice(at + removed)),
});
const other = (digit: string, { below }: Draw, among = SYMBOLS): string => {
  const rest = among.replace(digit, '');
  return rest[below(rest.length)] ?? '';
};

export const KINDS: Readonly<Record<string, Kind>> = {
  none: (line) => ({ strokes: strokesOf(line) }),
  'a digit lost': (line, { below }) => spliced(line, below(line.length), 1, ''),
  'a digit doubled': (line, { below }) => {
    const at = below(line.length);
    return spliced(line, at, 0, line[at] ?? '');
  },
  'a digit changed to another': (line, draw) => {
    const at = draw.below(line.length);
    return spliced(line, at, 1, other(line[at] ?? '', draw, '0123456789'));
  },
  'a digit changed to any symbol': (line, draw) => {
    const at = draw.below(line.length);
    return spliced(line, at, 1, other(line[at] ?? '', draw));
  },
  'a digit added': (line, draw) => spliced(line, draw.below(line.length + 1), 0, other('', draw)),
  'a long pause': (line, { below }) => {
    const at = below(line.length - 1);
    const longMs = 200 + below(1_500);
    return { strokes: strokesOf(line).map((one, i) => (i === at ? { ...one, offMs: longMs } : one)) };
  },
  'short pauses': (line, { below }) => ({ strokes: strokesOf(line, 40 + below(40)) }),
  'cut off': (line, { below }) => ({ strokes: strokesOf(line.slice(0, 3 + below(line.length - 3))) }),
  'said twice at once': (line) => ({ strokes: strokesOf(line.repeat(2)) }),
  late: (line, { below }) => ({ strokes: strokesOf(line), beforeMs: 1_000 + below(30_000) }),
};

export function damaged(kind: string, line: string, draw: Draw): Damaged {
  const { strokes, beforeMs = USUAL_BEFORE_MS } = (KINDS[kind] as Kind)(line, draw);
  return { strokes, beforeMs };
}

export const lineOf = ({ strokes }: Damaged): string => strokes.map(({ digit }) => digit).join('');
