/*
 * Whether the receiver of a mapper is there (`enableDestinationMonitoring`): OPTIONS of SIP or NULL of DC-09, every
 * 60 s and on each way. Alarms tell as much as probes.
 *
 *   unknown --answered--> up --silent--> down: destinationDown
 *      | silent: destinationDown          | answered: destinationUp
 *      `-------------> down               `--> up
 */

export interface WatchSetting {
  /** Between two probes, ms. */
  readonly everyMs: number;
}

export const WATCH_SETTING: WatchSetting = Object.freeze({ everyMs: 60_000 });

export interface DestinationWatch {
  readonly state: 'unknown' | 'up' | 'down';
  readonly probing: boolean;
  readonly setting: WatchSetting;
}

export type WatchInput =
  | { readonly type: 'start' }
  | { readonly type: 'timer' }
  /** An answer to a probe or to an alarm; any answer, a refusal as well. */
  | { readonly type: 'answered' }
  /** All tries of a probe or an alarm went unanswered, or there is no way there. */
  | { readonly type: 'silent'; readonly reason: string }
  | { readonly type: 'stop' };

export type WatchEffect =
  | { readonly type: 'probe' }
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  | { readonly type: 'destinationDown'; readonly reason: string }
  | { readonly type: 'destinationUp' };

export interface WatchStep {
  readonly state: DestinationWatch;
  readonly effects: readonly WatchEffect[];
}

/** `known`: what was known before a restart, so that it is not reported a second time. */
export const destinationWatch = (
  setting: WatchSetting = WATCH_SETTING,
  known: DestinationWatch['state'] = 'unknown',
): DestinationWatch => ({ state: known, probing: false, setting });

export function stepDestinationWatch(watch: DestinationWatch, input: WatchInput): WatchStep {
  switch (input.type) {
    case 'start':
    case 'timer':
      // A probe that is still out is not doubled: its own tries decide.
      return {
        state: { ...watch, probing: true },
        effects: [
          ...(watch.probing ? [] : [{ type: 'probe' } as const]),
          { type: 'startTimer', ms: watch.setting.everyMs },
        ],
      };
    case 'answered':
      return {
        state: { ...watch, state: 'up', probing: false },
        effects: watch.state === 'down' ? [{ type: 'destinationUp' }] : [],
      };
    case 'silent':
      return {
        state: { ...watch, state: 'down', probing: false },
        effects: watch.state === 'down' ? [] : [{ type: 'destinationDown', reason: input.reason }],
      };
    case 'stop':
      return { state: { ...watch, probing: false }, effects: [{ type: 'stopTimer' }] };
  }
}
