import type { ProtocolEvent } from '../protocol.ts';
import type { CheckMethod } from './check-method.ts';
import type { ReceivedTone, Tone } from './tone.ts';

/** Timers of one call, named for what they wait for. */
export type ToneTimer = 'trigger' | 'interDigit' | 'overall' | 'settle';

/** Everything that can happen to a call of a device that speaks in tones. `at`: ms of the call. */
export type ToneInput =
  /** The call is answered and the audio runs both ways. */
  | { readonly type: 'answered'; readonly at: number }
  /** A digit has begun: whatever we are sending is disturbing. */
  | {
      readonly type: 'began';
      readonly at: number;
      readonly digit: string;
      readonly stmf?: NonNullable<ReceivedTone['stmf']>;
    }
  | { readonly type: 'heard'; readonly at: number; readonly tone: ReceivedTone }
  /**
   * The line has been quiet for so long since the end of a digit, ms of the digit's own clock: no string is being sent.
   */
  | { readonly type: 'pause'; readonly at: number; readonly endMs: number; readonly forMs: number }
  /** A single frequency, for enquiry tones. */
  | { readonly type: 'frequency'; readonly at: number; readonly hz: number; readonly ms: number }
  | { readonly type: 'timer'; readonly at: number; readonly timer: ToneTimer }
  | { readonly type: 'stored'; readonly at: number; readonly ordinal: number }
  | { readonly type: 'storeFailed'; readonly at: number; readonly ordinal: number }
  | { readonly type: 'hungUp'; readonly at: number };

/** The effects of the machine, in order. */
export type ToneEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'stopPlaying' }
  /** An event for the session; ordinal 0 opens it. Answer with `stored` or `storeFailed`: the acknowledge waits. */
  | ({ readonly type: 'event' } & ProtocolEvent)
  /** The device has its acknowledge and the line is quiet: speech may be joined. */
  | { readonly type: 'ready'; readonly protocol: string }
  /** A request goes out; a string came that was no valid one. For the statistics of the line. */
  | { readonly type: 'asked' }
  | { readonly type: 'badString' }
  /** Policy `learn`: methods that would make the check digits of this string. */
  | { readonly type: 'learned'; readonly protocol: string; readonly methods: readonly CheckMethod[] }
  /** No valid string: the caller is still there. `heard`: what was collected, for the log and the next try. */
  | {
      readonly type: 'failed';
      readonly reason: 'noAnswer' | 'noValidString';
      readonly collected: readonly string[];
    }
  | { readonly type: 'startTimer'; readonly timer: ToneTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: ToneTimer }
  | { readonly type: 'trace'; readonly text: string };
