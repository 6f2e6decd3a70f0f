import { SAYS_AGAIN_MS } from './profile.ts';

/*
 * A link whose frames have a wrong time. The NAK says our time: a panel that can set its clock says the frame again.
 *
 *   right --wrongTime: start--> late --wrongTime, timer: reject--> wrong --wrongTime: reject again
 *     ^                          | taken: stop                      | taken
 *     +--------------------------+----------------------------------+
 */

export type ClockState = 'right' | 'late' | 'wrong';

export type ClockInput =
  /** A frame got NAK. */
  | { readonly type: 'wrongTime'; readonly reason: string }
  /** A frame of the link was taken. */
  | { readonly type: 'taken' }
  /** The panel has not said its frame again. `reason`: that of its NAK. */
  | { readonly type: 'timer'; readonly reason: string };

export type ClockEffect =
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  /** The content of the frame is lost here, so a person must know. */
  | { readonly type: 'rejected'; readonly reason: string };

export interface ClockStep {
  readonly state: ClockState;
  readonly effects: readonly ClockEffect[];
}

/** One input to completion. */
export function stepClock(state: ClockState, input: ClockInput): ClockStep {
  switch (input.type) {
    case 'wrongTime': {
      if (state === 'right') return { state: 'late', effects: [{ type: 'startTimer', ms: SAYS_AGAIN_MS }] };
      const reason = `${input.reason}, and it was told the time before (NAK)`;
      return { state: 'wrong', effects: [{ type: 'stopTimer' }, { type: 'rejected', reason }] };
    }
    case 'taken':
      return { state: 'right', effects: state === 'right' ? [] : [{ type: 'stopTimer' }] };
    case 'timer': {
      if (state !== 'late') return { state, effects: [] };
      const since = `it was told so (NAK) and has said nothing within ${SAYS_AGAIN_MS / 1_000} s`;
      return { state: 'wrong', effects: [{ type: 'rejected', reason: `${input.reason}, ${since}` }] };
    }
  }
}
