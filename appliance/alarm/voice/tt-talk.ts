import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { ReceivedTone } from '../protocol/tone/index.ts';
import {
  encodeGroupAlarm,
  type GroupAlarm,
  groupEvent,
  stepTtScheme,
  type TtFields,
  type TtProfile,
  type TtScheme,
  type TtSchemeTimer,
  ttScheme,
} from '../protocol/tt/index.ts';
import type { CommandOutcome } from './alarm-voice.ts';
import { type CallTalk, performCommon, type TalkPorts } from './call-talk.ts';

/** The frame of a scheme as it was taken. */
export interface TtFrame {
  readonly name: 'tt92' | 'ttnew';
  readonly raw: string;
  readonly fields: TtFields;
}

/**
 * A scheme of TT after the acknowledge of its frame: the units that wait in it, joined to the call. The first one belongs to the
 * session that the frame has opened, each other one has a session of its own.
 */
export class TtTalk implements CallTalk {
  readonly grouped = true;
  readonly #ports: TalkPorts;
  readonly #frame: TtFrame;
  #scheme: TtScheme;
  #finishing = false;
  /** The command that waits for the clear-down of the unit. */
  #asked: string | undefined;

  constructor(frame: TtFrame, profile: TtProfile, ports: TalkPorts) {
    this.#ports = ports;
    this.#frame = frame;
    this.#scheme = ttScheme(frame.name, profile, frame.raw);
  }

  get storing(): boolean {
    return this.#scheme.state === 'storing';
  }

  get clearing(): boolean {
    const { state } = this.#scheme;
    return state === 'talking' ? this.#finishing : state !== 'closed';
  }

  open(): void {
    this.#step({ type: 'opened' });
  }

  onTone(tone: ReceivedTone): void {
    this.#step({ type: 'heard', tone });
  }

  timer(timer: string): void {
    this.#step({ type: 'timer', timer: timer as TtSchemeTimer });
  }

  stored(ok: boolean): void {
    this.#finishing = false;
    this.#step({ type: ok ? 'stored' : 'storeFailed' });
  }

  hungUp(): void {
    this.#step({ type: 'hungUp' });
  }

  /** The units of the scheme are cleared one by one first. */
  command(id: string | undefined, _: DeviceCommand, ends: boolean): boolean {
    if (!ends) return false;
    this.#finishing = true;
    this.#asked = id;
    this.#step({ type: 'finish' });
    return true;
  }

  #step(input: Parameters<typeof stepTtScheme>[1]): void {
    const { state, effects } = stepTtScheme(this.#scheme, input);
    this.#scheme = state;
    // The unit of the frame alone has nothing to clear: its clear-down is not confirmed by the protocol.
    if (this.#asked !== undefined && state.state !== 'clearing') {
      const isSilent = input.type === 'timer' && input.timer === 'ack';
      const { outcome } = this.#ports;
      outcome(this.#asked, isSilent ? SILENT : input.type === 'hungUp' ? LEFT : { kind: 'done' });
      this.#asked = undefined;
    }
    for (const effect of effects) {
      if (effect.type === 'unit') this.#unit(effect.alarm, effect.isNext);
      else performCommon(effect, this.#ports);
    }
  }

  #unit(alarm: GroupAlarm, isNext: boolean): void {
    const { name: protocol, fields: controller } = this.#frame;
    const { event, fields, warnings } = groupEvent(controller, alarm);
    const check = { policy: 'none', result: 'notChecked' } as const;
    const source = { protocol, raw: encodeGroupAlarm(alarm), fields, check, warnings };
    const place = isNext
      ? ({ ordinal: 0, kind: 'first' } as const)
      : ({ ordinal: 1, kind: 'further' } as const);
    this.#ports.unit({ ...place, event, source, offer: { voice: true } }, isNext);
  }
}

const SILENT: CommandOutcome = {
  kind: 'failed',
  code: 'deviceSilent',
  reason: 'the scheme did not confirm that its unit is cleared',
};
const LEFT: CommandOutcome = { kind: 'failed', code: 'noVoiceCall', reason: 'the scheme has hung up' };
