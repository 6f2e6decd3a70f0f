import type { ToneEffect } from './call-input.ts';
import type { ToneProtocol } from './protocol.ts';
import type { ReceivedTone } from './tone.ts';

/** One protocol to try and how often to ask in it. */
export interface ProbeStep {
  readonly protocol: ToneProtocol;
  /** Requests; absent = as the profile says. */
  readonly tries?: number;
}

export type ToneState = 'idle' | 'asking' | 'collecting' | 'storing' | 'open' | 'closed';

/** One call of a device, from the answer to the last acknowledge. */
export interface ToneCall {
  readonly state: ToneState;
  /** One step: the protocol is known. Several: they are tried in this order. */
  readonly steps: readonly ProbeStep[];
  /** Time for a device that begins by itself, before the first request. */
  readonly listenMs: number;
  /** Index of the step in force and requests sent in it. */
  readonly current: number;
  readonly asked: number;
  readonly tones: readonly ReceivedTone[];
  /** Strings that were no valid ones, and how many only for their check digits. */
  readonly heard: readonly string[];
  readonly rejects: number;
  /** A bad string is the last that was heard: its device may say it again, and is not asked yet. */
  readonly repeatDue: boolean;
  /** No more requests: what is being collected is the last chance. */
  readonly lastChance: boolean;
  /** Strings of this call that were taken: the same again is no event. */
  readonly taken: readonly string[];
  /** Ordinal of the next event. */
  readonly ordinal: number;
  /** Ordinal on its way to the disk. */
  readonly storing: number | null;
  /** When the string that is being stored was last said, ms of the call. */
  readonly saidMs: number;
  /** The device has no acknowledge of what it said last: it may say it again, and speech waits for that. */
  readonly owed: boolean;
  readonly ready: boolean;
  /** We have called and ask no question: strings are taken whenever the device says one. */
  readonly isPassive: boolean;
}

export interface ToneStep {
  readonly state: ToneCall;
  readonly effects: readonly ToneEffect[];
}

/** A call that was not answered yet. */
export function initial(steps: readonly ProbeStep[], setting: { readonly listenMs?: number } = {}): ToneCall {
  return {
    state: 'idle',
    steps,
    listenMs: setting.listenMs ?? 0,
    current: 0,
    asked: 0,
    tones: [],
    heard: [],
    rejects: 0,
    repeatDue: false,
    lastChance: false,
    taken: [],
    ordinal: 0,
    storing: null,
    saidMs: 0,
    owed: false,
    ready: false,
    isPassive: false,
  };
}

/** A call that is ours, and is answered: its device is not asked, and says an alarm when it has one. */
export const listening = (steps: readonly ProbeStep[]): ToneCall => ({
  ...initial(steps),
  state: 'open',
  ready: true,
  isPassive: true,
});

/** The protocol in force: once a string was taken, the one that it was of. */
export const protocolOf = ({ steps, current }: ToneCall): ToneProtocol => {
  const step = steps[current];
  if (step === undefined) throw new Error('a call has at least one protocol to try');
  return step.protocol;
};

export const to = (state: ToneCall, ...effects: readonly ToneEffect[]): ToneStep => ({ state, effects });

export function andThen(first: ToneStep, next: (state: ToneCall) => ToneStep): ToneStep {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}
