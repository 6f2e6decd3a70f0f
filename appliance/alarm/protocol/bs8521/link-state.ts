import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import type { ReceivedTone, Tone } from '../tone/index.ts';
import type { Bs8521Command } from './command.ts';
import type { Bs8521Reply } from './reply.ts';

export type LinkTimer = 'ack' | 'interDigit' | 'keepAlive' | 'loss' | 'hangUp';

/** Everything that can happen between the acknowledge of the string and the end of the call. `at`: ms of the call. */
export type LinkInput =
  /** The tone engine is ready: the call is ours to command. */
  | { readonly type: 'opened'; readonly at: number }
  /** A command of the application; `id` comes back with its outcome. */
  | { readonly type: 'command'; readonly at: number; readonly id: string; readonly command: Bs8521Command }
  | { readonly type: 'heard'; readonly at: number; readonly tone: ReceivedTone }
  | { readonly type: 'timer'; readonly at: number; readonly timer: LinkTimer }
  /**
   * Speech with the open unit is over: the next waiting call, or clear-down. `id`: an application waits for its
   * outcome.
   */
  | { readonly type: 'finish'; readonly at: number; readonly id?: string }
  /** The next alarm of the scheme is on the disk, or not. */
  | { readonly type: 'stored'; readonly at: number }
  | { readonly type: 'storeFailed'; readonly at: number }
  | { readonly type: 'hungUp'; readonly at: number };

export type LinkEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  /** The unit is selected, or there is only one: speech may run. */
  | { readonly type: 'speech'; readonly unitId: string }
  | { readonly type: 'commandDone'; readonly id: string; readonly reply?: Bs8521Reply }
  | {
      readonly type: 'commandFailed';
      readonly id: string;
      readonly code: 'deviceSilent' | 'noVoiceCall';
    }
  /** Another call waited in the scheme: an event with a session of its own. Answer with `stored` or `storeFailed`. */
  | { readonly type: 'nextAlarm'; readonly fields: Bs8521Fields }
  | { readonly type: 'hangUp'; readonly reason: string }
  | { readonly type: 'startTimer'; readonly timer: LinkTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: LinkTimer }
  | { readonly type: 'trace'; readonly text: string };
