import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';
import type { LegId, Media, MediaEvent } from '../../media/control/index.ts';
import type { CallDesk } from '../call/index.ts';
import type { RuntimePorts } from '../port.ts';
import { type CommandOutcome, commandTones, phrasesOf } from '../voice/index.ts';
import { ArcCall } from './arc-call.ts';
import type { AttemptPlan } from './attempt.ts';
import type { SendAddress } from './send-target.ts';

/** Whoever speaks for the device: its own call, or the one we make to it. */
export interface TalkDevice {
  readonly leg: LegId;
  /** Protocol it takes commands in; undefined: none that is known. */
  readonly protocol: string | undefined;
  command(
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    done: (outcome: CommandOutcome) => void,
  ): void;
  /** Both hear each other. */
  joined(): void;
  /** The receiver has left, or was not reached. */
  left(reason: string): void;
  /** Tells it not to call again, then hangs up. */
  clear(reason: string): void;
}

interface CalledDevicePlan {
  readonly destination: string;
  readonly from: SendAddress['from'];
  readonly plan: AttemptPlan;
  readonly ringMs: number;
  readonly near: LegId | undefined;
}

/** A device that we call (`alarmVoiceCallbackDestination`), with the commands of its protocol as tones. */
export class CalledDevice implements TalkDevice {
  readonly #ports: RuntimePorts;
  readonly #parts: { readonly calls: CallDesk; readonly media: Pick<Media, 'play'> };
  readonly #plan: CalledDevicePlan;
  readonly protocol: string | undefined;
  #call: ArcCall | undefined;
  #plays = 0;
  readonly #waiting = new Map<string, () => void>();
  #direction: string | undefined;

  constructor(
    ports: RuntimePorts,
    parts: { readonly calls: CallDesk; readonly media: Pick<Media, 'play'> },
    plan: CalledDevicePlan,
  ) {
    this.#ports = ports;
    this.#parts = parts;
    this.#plan = plan;
    const user = /^(?:(?:sips?|tel|gsm):)?([^@;>]+)/i.exec(plan.destination)?.[1] ?? '';
    const device = ports.tenant().byId(user) ?? ports.tenant().byId(plan.plan.order.deviceId ?? '');
    this.protocol = device?.serviceData?.alarmBridge?.alarmProtocol;
  }

  call(user: { answered(): void; over(reached: boolean, reason: string): void }): void {
    const { destination, from, plan, ringMs, near } = this.#plan;
    this.#call = new ArcCall(
      this.#ports,
      this.#parts.calls,
      { destination, from, target: plan.target, ringMs, near },
      plan.trace,
      {
        answered: () => user.answered(),
        heard: (event) => this.#heard(event),
        over: (reason, reached) => user.over(reached, `${reason.cause} ${reason.text}`),
      },
    );
  }

  get leg(): LegId {
    return this.#call?.leg ?? '';
  }

  command(
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    done: (outcome: CommandOutcome) => void,
  ): void {
    const { trace } = this.#plan.plan;
    if (this.protocol === undefined && command !== 'sendTones') {
      const reason = `alarmProtocol of ${this.#plan.destination} is not provisioned: its commands are not known`;
      trace.add('note', { text: `${command}: ${reason}` });
      done({ kind: 'failed', code: 'commandNotSupported', reason });
      return;
    }
    const made = commandTones(command, parameters, {
      protocol: this.protocol ?? '',
      grouped: false,
      ...(this.#direction !== undefined && { direction: this.#direction }),
    });
    if (!made.ok) {
      const { code, reason } = made.error;
      trace.add('note', { text: `${command}: ${reason}` });
      done({ kind: 'failed', code, reason });
      return;
    }
    if (made.value.kind === 'hangUp') {
      this.#call?.hangUp('clear-down');
      done({ kind: 'done' });
      return;
    }
    this.#direction = made.value.direction ?? this.#direction;
    trace.add('deviceCommand', { command });
    const play = `${this.#call?.id} ${++this.#plays}`;
    this.#waiting.set(play, () => done({ kind: 'done' }));
    const phrases = phrasesOf(made.value.tones, this.#plan.plan.order.voice.tones.towardsDevice);
    this.#ports.run(
      this.#parts.media.play(this.leg, play, { phrases, over: 'instead' }).then((begun) => {
        if (!begun.ok) this.#played(play);
      }),
    );
  }

  joined(): void {}

  left(reason: string): void {
    this.clear(reason);
  }

  clear(reason: string): void {
    const call = this.#call;
    if (call === undefined || call.isOver) return;
    if (this.protocol === undefined) call.hangUp(reason);
    else this.command('clearDown', undefined, () => call.hangUp(reason));
  }

  #heard(event: MediaEvent): void {
    if (event.kind === 'played') this.#played(event.play);
  }

  #played(play: string): void {
    const done = this.#waiting.get(play);
    this.#waiting.delete(play);
    done?.();
  }
}
