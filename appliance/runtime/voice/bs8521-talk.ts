import { type Bs8521Fields, type DeviceCommand, isBs8521Group } from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type Bs8521Reply,
  type CommandLink,
  commandFor,
  initialLink,
  type LinkInput,
  type LinkTimer,
  stepLink,
} from '../../alarm/protocol/bs8521/index.ts';
import type { Tone, ToneHeard } from '../../alarm/protocol/tone/index.ts';
import type { CommandOutcome } from './alarm-voice-desk.ts';

export interface TalkPorts {
  /** ms of the call. */
  readonly at: () => number;
  readonly play: (tones: readonly Tone[]) => void;
  /** The unit is selected: people may be joined. */
  readonly speech: () => void;
  readonly outcome: (id: string, outcome: CommandOutcome) => void;
  readonly nextUnit: (fields: Bs8521Fields) => void;
  readonly hangUp: (reason: string) => void;
  readonly start: (timer: LinkTimer, ms: number) => void;
  readonly stop: (timer: LinkTimer) => void;
  readonly trace: (text: string) => void;
}

/** Commands of the session itself: nobody waits for what becomes of them. */
const OWN = '';

/** BS 8521 after the acknowledge of the string: the machine of commands, joined to the call. */
export class Bs8521Talk {
  readonly #ports: TalkPorts;
  #link: CommandLink;
  #finishing = false;

  constructor(fields: Bs8521Fields, profile: Bs8521Profile, ports: TalkPorts) {
    this.#ports = ports;
    this.#link = initialLink(fields, profile);
  }

  /** The next alarm of the scheme is on its way to the disk. */
  get storing(): boolean {
    return this.#link.state === 'storing';
  }

  /** Units that wait are asked for one by one, each in its time; the machine ends the call when none is left. */
  get clearing(): boolean {
    const { state, fields } = this.#link;
    return this.#finishing && isBs8521Group(fields) && (state === 'talking' || state === 'storing');
  }

  open(): void {
    this.#step({ type: 'opened', at: this.#ports.at() });
  }

  heard(tone: ToneHeard): void {
    this.#step({ type: 'heard', at: this.#ports.at(), tone });
  }

  timer(timer: LinkTimer): void {
    this.#step({ type: 'timer', at: this.#ports.at(), timer });
  }

  stored(ok: boolean): void {
    this.#finishing = false;
    this.#step({ type: ok ? 'stored' : 'storeFailed', at: this.#ports.at() });
  }

  hungUp(): void {
    this.#step({ type: 'hungUp', at: this.#ports.at() });
  }

  command(id: string | undefined, command: DeviceCommand): void {
    const at = this.#ports.at();
    // The session's own clear-down: units of a scheme are cleared one by one first.
    if (command === 'clearDown' && id === undefined) {
      this.#finishing = true;
      this.#step({ type: 'finish', at });
      return;
    }
    const found = commandFor(command);
    if (found.ok) this.#step({ type: 'command', at, id: id ?? OWN, command: found.value });
    else if (id !== undefined)
      this.#ports.outcome(id, {
        kind: 'failed',
        code: 'commandNotSupported',
        reason: found.error.reason,
      });
  }

  #step(input: LinkInput): void {
    const { state, effects } = stepLink(this.#link, input);
    this.#link = state;
    const { play, speech, outcome, nextUnit, hangUp, start, stop, trace } = this.#ports;
    for (const effect of effects) {
      switch (effect.type) {
        case 'play':
          play(effect.tones);
          break;
        case 'speech':
          speech();
          break;
        case 'commandDone':
          if (effect.id !== OWN) outcome(effect.id, isRefused(effect.reply) ? REFUSED : { kind: 'done' });
          break;
        case 'commandFailed':
          if (effect.id !== OWN) outcome(effect.id, failed(effect.code));
          break;
        case 'nextAlarm':
          nextUnit(effect.fields);
          break;
        case 'hangUp':
          hangUp(effect.reason);
          break;
        case 'startTimer':
          start(effect.timer, effect.ms);
          break;
        case 'stopTimer':
          stop(effect.timer);
          break;
        case 'trace':
          trace(effect.text);
          break;
      }
    }
  }
}

const isRefused = (reply: Bs8521Reply | undefined): boolean => reply?.kind === 'output' && reply.refused;

/** Output NN 00. */
const REFUSED: CommandOutcome = {
  kind: 'failed',
  code: 'commandNotSupported',
  reason: 'the device has answered that it has no such output',
};

const failed = (code: 'deviceSilent' | 'noVoiceCall'): CommandOutcome => ({
  kind: 'failed',
  code,
  reason:
    code === 'deviceSilent'
      ? 'the device did not confirm the command in four tries'
      : 'the call of the device is being cleared',
});
