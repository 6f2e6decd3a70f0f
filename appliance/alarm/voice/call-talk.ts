import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { ReceivedTone, Tone } from '../protocol/tone/index.ts';
import type { CommandOutcome } from './alarm-voice.ts';

/** Ports to the call, for a machine that goes on after the acknowledge of a string. */
export interface TalkPorts {
  /** ms of the call. */
  readonly at: () => number;
  readonly play: (tones: readonly Tone[]) => void;
  /** The unit is selected: people may be joined. */
  readonly speech: () => void;
  readonly outcome: (id: string, outcome: CommandOutcome) => void;
  /** The alarm of a unit of the scheme; `isNext`: with a session of its own. `stored` follows. */
  readonly unit: (said: ProtocolEvent, isNext: boolean) => void;
  readonly hangUp: (reason: string) => void;
  readonly start: (timer: string, ms: number) => void;
  readonly stop: (timer: string) => void;
  readonly trace: (text: string) => void;
}

/** Such a machine: the commands of BS 8521, the waiting units of a TT scheme. */
export interface CallTalk {
  /** The alarm of a unit is on its way to the disk. */
  readonly storing: boolean;
  /** Units are asked for one by one, each in its time; the machine ends the call when none is left. */
  readonly clearing: boolean;
  /** Commands are said as to a unit behind a controller. */
  readonly grouped: boolean;
  open(): void;
  onTone(tone: ReceivedTone): void;
  timer(timer: string): void;
  stored(ok: boolean): void;
  hungUp(): void;
  /** False: the command is none of its own, and goes out as plain tones. `ends`: the alarm that has the call is over. */
  command(id: string | undefined, command: DeviceCommand, ends: boolean): boolean;
}

/** Effects that the machines of both families have in common. */
type CommonEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'speech' }
  | { readonly type: 'hangUp'; readonly reason: string }
  | { readonly type: 'startTimer'; readonly timer: string; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: string };

/** Performs an effect that is the same for every machine; the others are its own talk's affair. */
export function performCommon(
  effect: CommonEffect,
  { play, speech, hangUp, start, stop }: Pick<TalkPorts, 'play' | 'speech' | 'hangUp' | 'start' | 'stop'>,
): void {
  switch (effect.type) {
    case 'play':
      play(effect.tones);
      return;
    case 'speech':
      speech();
      return;
    case 'hangUp':
      hangUp(effect.reason);
      return;
    case 'startTimer':
      start(effect.timer, effect.ms);
      return;
    case 'stopTimer':
      stop(effect.timer);
      return;
  }
}
