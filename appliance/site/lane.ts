/**
 * One lane of events on its way to the cloud. The broker's PUBACK means nothing here: a batch is under way until the
 * cloud's database has it.
 *
 *            opened, wake                sent                ack covers it
 *   idle ─────────────────▶ reading ──────────▶ under way ─────────────────▶ reading the next
 *     ▲                        │ nothing there     │ resend, 10 … 60 s
 *     └────────────────────────┘◀──── lost ────────┘
 *
 * An acknowledgement below ours means that the cloud has lost something: it is restored from a backup, or it saw a gap.
 * The lane goes back to what the cloud says.
 */
export interface LaneState {
  readonly open: boolean;
  /** The cloud has everything up to here. */
  readonly acked: number;
  /** Last seq of the batch under way. */
  readonly inFlight: number | undefined;
  readonly attempts: number;
  /** The cloud went back to `acked`; rows may have been deleted since. */
  readonly wentBack: boolean;
}

export type LaneInput =
  | { readonly kind: 'opened' }
  /** There may be something new. */
  | { readonly kind: 'wake' }
  /** Answer to `send`; `upTo` undefined = nothing there. */
  | { readonly kind: 'sent'; readonly upTo: number | undefined }
  | { readonly kind: 'ack'; readonly seq: number }
  | { readonly kind: 'resend' }
  | { readonly kind: 'lost' };

export type LaneEffect =
  /** Read and publish what comes after `afterSeq`, then come back as `sent`. */
  | { readonly kind: 'send'; readonly afterSeq: number; readonly wentBack: boolean }
  /** The journal may let go of everything up to `seq`. */
  | { readonly kind: 'acknowledge'; readonly seq: number }
  /** Replaces the timer before it; comes back as `resend`. */
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  | { readonly kind: 'stopTimer' };

export interface LaneStep {
  readonly state: LaneState;
  readonly effects: readonly LaneEffect[];
}

const FIRST_RESEND_MS = 10_000;
const LAST_RESEND_MS = 60_000;

/** `acked`: what the journal remembers as acknowledged. */
export const initialLane = (acked: number): LaneState => ({
  open: false,
  acked,
  inFlight: undefined,
  attempts: 0,
  wentBack: false,
});

export function stepLane(state: LaneState, input: LaneInput): LaneStep {
  switch (input.kind) {
    case 'opened':
      return send({ ...state, open: true, attempts: 0 });
    case 'wake':
      return state.open && state.inFlight === undefined ? send(state) : { state, effects: [] };
    case 'sent':
      if (!state.open || input.upTo === undefined) return { state, effects: [] };
      return {
        state: { ...state, inFlight: input.upTo },
        effects: [{ kind: 'startTimer', delayMs: resendMs(state.attempts) }],
      };
    case 'ack':
      return acknowledged(state, input.seq);
    case 'resend':
      if (!state.open || state.inFlight === undefined) return { state, effects: [] };
      return send({ ...state, attempts: state.attempts + 1 });
    case 'lost':
      return { state: { ...state, open: false, inFlight: undefined }, effects: [{ kind: 'stopTimer' }] };
  }
}

function acknowledged(state: LaneState, seq: number): LaneStep {
  if (seq === state.acked) return { state, effects: [] };
  if (seq < state.acked) {
    const back = send({ ...state, acked: seq, attempts: 0, wentBack: true });
    return { ...back, effects: [{ kind: 'stopTimer' }, ...back.effects] };
  }
  const next = { ...state, acked: seq, wentBack: false };
  const settled = { kind: 'acknowledge', seq } as const;
  // A part of the batch is there: the rest goes with the next resend, from the new place.
  if (state.inFlight !== undefined && seq < state.inFlight) return { state: next, effects: [settled] };
  const on = send({ ...next, attempts: 0 });
  return { ...on, effects: [settled, { kind: 'stopTimer' }, ...on.effects] };
}

function send(state: LaneState): LaneStep {
  if (!state.open) return { state, effects: [] };
  const { acked: afterSeq, wentBack } = state;
  return { state: { ...state, inFlight: undefined }, effects: [{ kind: 'send', afterSeq, wentBack }] };
}

const resendMs = (attempts: number): number =>
  Math.min(LAST_RESEND_MS, FIRST_RESEND_MS * 2 ** Math.min(attempts, 3));
