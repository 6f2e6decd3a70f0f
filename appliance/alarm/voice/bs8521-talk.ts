import {
  type Bs8521Fields,
  type DeviceCommand,
  encodeBs8521,
  isBs8521Group,
} from '#shared/alarm-event/index.ts';
import {
  type Bs8521Profile,
  type Bs8521Reply,
  type CommandLink,
  commandFor,
  encodeLine,
  frameOf,
  initialLink,
  type LinkInput,
  type LinkTimer,
  stepLink,
} from '../protocol/bs8521/index.ts';
import type { ReceivedTone } from '../protocol/tone/index.ts';
import type { CommandOutcome } from './alarm-voice.ts';
import { type CallTalk, performCommon, type TalkPorts } from './call-talk.ts';

/** Id of commands of the session itself, whose result is not waited for. */
const OWN = '';

/** BS 8521 after the acknowledge of the string: the machine of commands, joined to the call. */
export class Bs8521Talk implements CallTalk {
  readonly grouped = false;
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

  onTone(tone: ReceivedTone): void {
    this.#step({ type: 'heard', at: this.#ports.at(), tone });
  }

  timer(timer: string): void {
    this.#step({ type: 'timer', at: this.#ports.at(), timer: timer as LinkTimer });
  }

  stored(ok: boolean): void {
    this.#finishing = false;
    this.#step({ type: ok ? 'stored' : 'storeFailed', at: this.#ports.at() });
  }

  hungUp(): void {
    this.#step({ type: 'hungUp', at: this.#ports.at() });
  }

  command(id: string | undefined, command: DeviceCommand, ends: boolean): boolean {
    // Its tones go out as they are given.
    if (command === 'sendTones') return false;
    const at = this.#ports.at();
    // Units of a scheme are cleared one by one first.
    if (ends) {
      this.#finishing = true;
      this.#step({ type: 'finish', at, ...(id !== undefined && { id }) });
      return true;
    }
    const found = commandFor(command);
    if (found.ok) this.#step({ type: 'command', at, id: id ?? OWN, command: found.value });
    else if (id !== undefined)
      this.#ports.outcome(id, {
        kind: 'failed',
        code: 'commandNotSupported',
        reason: found.error.reason,
      });
    return true;
  }

  #step(input: LinkInput): void {
    const { state, effects } = stepLink(this.#link, input);
    this.#link = state;
    const { outcome, trace } = this.#ports;
    for (const effect of effects) {
      switch (effect.type) {
        case 'commandDone':
          if (effect.id !== OWN) outcome(effect.id, isRefused(effect.reply) ? REFUSED : { kind: 'done' });
          break;
        case 'commandFailed':
          if (effect.id !== OWN) outcome(effect.id, failed(effect.code));
          break;
        case 'nextAlarm':
          this.#next(effect.fields);
          break;
        case 'trace':
          trace(effect.text);
          break;
        default:
          performCommon(effect, this.#ports);
      }
    }
  }

  #next(fields: Bs8521Fields): void {
    const digits = encodeBs8521(fields);
    const { event, warnings } = frameOf({ digits, check: '', fields });
    if (event === null) {
      this.stored(true);
      return;
    }
    const check = { policy: 'none', result: 'notChecked' } as const;
    const source = { protocol: 'bs8521', raw: encodeLine(fields), fields: { ...fields }, check, warnings };
    const offer = { voice: event.audio !== 'none' };
    this.#ports.unit({ ordinal: 0, kind: 'first', event, source, offer }, true);
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
