/** Chosen: no new ordinary leg is taken from the first moment on; streams go when that was not enough after so long. */
const STREAMS_AFTER_MS = 2_000;
/** Chosen: a recording cannot be made again: it goes when nothing else was enough for a minute. */
const RECORDINGS_AFTER_MS = 60_000;
/** Chosen: a program that speaks in a call is a participant: it goes when even that was not enough for another minute. */
const SPEAKING_AFTER_MS = 120_000;

export type Shed = 'streams' | 'recordings' | 'speakingStreams';

const ORDER: readonly (readonly [what: Shed, afterMs: number])[] = [
  ['streams', STREAMS_AFTER_MS],
  ['recordings', RECORDINGS_AFTER_MS],
  ['speakingStreams', SPEAKING_AFTER_MS],
];

export interface SheddingState {
  /** Media workers that are late, and that are overloaded by their own load. */
  readonly late: ReadonlySet<number>;
  readonly overloaded: ReadonlySet<number>;
  /** When what runs began to suffer under our own load; undefined: it does not. */
  readonly sinceMs: number | undefined;
  readonly shed: readonly Shed[];
}

export type SheddingInput =
  | { readonly kind: 'late' | 'overload'; readonly worker: number; readonly on: boolean }
  | { readonly kind: 'lost'; readonly worker: number; readonly legs: readonly string[] }
  | { readonly kind: 'due' };

export const nothingShed: SheddingState = {
  late: new Set(),
  overloaded: new Set(),
  sinceMs: undefined,
  shed: [],
};

/**
 * The running work that is given up for the audio of calls, and when.
 *
 * ```
 *   well --a worker is overloaded by its own load, and late--> suffers --2 s--> streams go --60 s--> recordings go --120 s--> programs that speak go
 *     ^                                                           |                |                    |                          |
 *     +------------------ no worker is both any more -------------+----------------+--------------------+--------------------------+
 * ```
 * `Chosen:` a late processor alone sheds nothing: what we give up would not give us the processor back. Load alone sheds nothing either:
 * as long as audio is in time no call suffers. Running recordings, and then programs that speak in a call, are the last things given up.
 */
export function stepShedding(
  state: SheddingState,
  input: SheddingInput,
  nowMs: number,
): { readonly state: SheddingState; readonly effects: readonly Shed[]; readonly dueMs: number | undefined } {
  const { late, overloaded } = { ...state, ...changeBy(state, input) };
  const suffers = [...overloaded].some((worker) => late.has(worker));
  if (!suffers) return { state: { ...nothingShed, late, overloaded }, effects: [], dueMs: undefined };
  const sinceMs = state.sinceMs ?? nowMs;
  const forMs = nowMs - sinceMs;
  const effects = ORDER.flatMap(([what, afterMs]) =>
    forMs >= afterMs && !state.shed.includes(what) ? [what] : [],
  );
  const shed = [...state.shed, ...effects];
  const next = ORDER.find(([what]) => !shed.includes(what));
  const dueMs = next && sinceMs + next[1];
  return { state: { late, overloaded, sinceMs, shed }, effects, dueMs };
}

function changeBy(state: SheddingState, input: SheddingInput): Partial<SheddingState> {
  if (input.kind === 'due') return {};
  const { worker } = input;
  const without = (set: ReadonlySet<number>) => new Set([...set].filter((each) => each !== worker));
  // The one that follows a dead worker begins in time. A leg lost alone looks the same: then less is given up, not more.
  if (input.kind === 'lost') return { late: without(state.late), overloaded: without(state.overloaded) };
  const name = input.kind === 'late' ? 'late' : 'overloaded';
  return { [name]: input.on ? new Set([...state[name], worker]) : without(state[name]) };
}
