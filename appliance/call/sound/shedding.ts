/** Chosen: no new ordinary leg is taken from the first moment on; streams go when that was not enough after so long. */
const STREAMS_AFTER_MS = 2_000;
/** Chosen: a recording cannot be made again: it goes when nothing else was enough for a minute. */
const RECORDINGS_AFTER_MS = 60_000;

export type Shed = 'streams' | 'recordings';

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
 *   well --a worker is overloaded by its own load, and late--> suffers --2 s--> streams go --60 s--> recordings go
 *     ^                                                           |                |                    |
 *     +------------------ no worker is both any more -------------+----------------+--------------------+
 * ```
 * `Chosen:` a late processor alone sheds nothing: what we give up would not give us the processor back. Load alone sheds nothing either:
 * as long as audio is in time no call suffers. Running recordings are the last thing given up.
 */
export function stepShedding(
  state: SheddingState,
  input: SheddingInput,
  nowMs: number,
): { readonly state: SheddingState; readonly effects: readonly Shed[]; readonly dueMs: number | undefined } {
  const { late, overloaded } = { ...state, ...heard(state, input) };
  const suffers = [...overloaded].some((worker) => late.has(worker));
  if (!suffers) return { state: { ...nothingShed, late, overloaded }, effects: [], dueMs: undefined };
  const sinceMs = state.sinceMs ?? nowMs;
  const forMs = nowMs - sinceMs;
  const effects: Shed[] = [];
  if (forMs >= STREAMS_AFTER_MS && !state.shed.includes('streams')) effects.push('streams');
  if (forMs >= RECORDINGS_AFTER_MS && !state.shed.includes('recordings')) effects.push('recordings');
  const shed = [...state.shed, ...effects];
  const nextMs = shed.includes('streams') ? RECORDINGS_AFTER_MS : STREAMS_AFTER_MS;
  const dueMs = shed.includes('recordings') ? undefined : sinceMs + nextMs;
  return { state: { late, overloaded, sinceMs, shed }, effects, dueMs };
}

function heard(state: SheddingState, input: SheddingInput): Partial<SheddingState> {
  if (input.kind === 'due') return {};
  const { worker } = input;
  const without = (set: ReadonlySet<number>) => new Set([...set].filter((each) => each !== worker));
  // The one that follows a dead worker begins in time. A leg lost alone looks the same: then less is given up, not more.
  if (input.kind === 'lost') return { late: without(state.late), overloaded: without(state.overloaded) };
  const name = input.kind === 'late' ? 'late' : 'overloaded';
  return { [name]: input.on ? new Set([...state[name], worker]) : without(state[name]) };
}
