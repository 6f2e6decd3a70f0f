import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Tone } from '../../alarm/protocol/tone/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';
import type { LegId, Listening, Media, MediaEvent } from '../../media/control/index.ts';
import type { CallDesk } from '../call/index.ts';
import type { RuntimePorts } from '../port.ts';
import { type CommandOutcome, phrasesOf, ToneCommander } from '../voice/index.ts';
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

interface CalledDeviceParts {
  readonly calls: CallDesk;
  readonly media: Pick<Media, 'play' | 'listen'>;
  /** Time for the device to confirm a command; `timer` follows. */
  readonly start: (ms: number) => void;
  readonly stop: () => void;
}

/** A device that we call (`alarmVoiceCallbackDestination`), with the commands of its protocol as tones. */
export class CalledDevice implements TalkDevice {
  readonly #ports: RuntimePorts;
  readonly #parts: CalledDeviceParts;
  readonly #plan: CalledDevicePlan;
  readonly protocol: string | undefined;
  readonly #commander: ToneCommander;
  #call: ArcCall | undefined;
  #plays = 0;
  #commands = 0;
  readonly #waiting = new Map<string, (outcome: CommandOutcome) => void>();

  constructor(ports: RuntimePorts, parts: CalledDeviceParts, plan: CalledDevicePlan) {
    this.#ports = ports;
    this.#parts = parts;
    this.#plan = plan;
    const user = /^(?:(?:sips?|tel|gsm):)?([^@;>]+)/i.exec(plan.destination)?.[1] ?? '';
    const spoken = (deviceId: string) =>
      ports.tenant().byId(deviceId)?.serviceData?.alarmBridge?.alarmProtocol;
    // Who is called may be a telephone beside the device.
    this.protocol = spoken(user) ?? spoken(plan.plan.order.deviceId ?? '');
    this.#commander = new ToneCommander({
      context: () => ({ protocol: this.protocol ?? '', grouped: false }),
      play: (tones) => this.#play(tones),
      outcome: (id, outcome) => this.#over(id ?? '', outcome),
      hangUp: (reason) => this.#call?.hangUp(reason),
      start: parts.start,
      stop: parts.stop,
    });
  }

  call(user: { answered(): void; over(reached: boolean, reason: string): void }): void {
    const { destination, from, plan, ringMs, near } = this.#plan;
    this.#call = new ArcCall(
      this.#ports,
      this.#parts.calls,
      { destination, from, target: plan.target, ringMs, near },
      plan.trace,
      {
        answered: () => {
          // What it confirms is heard; everything else passes to the receiver.
          this.#ports.run(this.#parts.media.listen(this.leg, LISTENING));
          user.answered();
        },
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
    const id = String(++this.#commands);
    this.#waiting.set(id, (outcome) => {
      if (outcome.kind === 'failed') trace.add('note', { text: `${command}: ${outcome.reason}` });
      else trace.add('deviceCommand', { command });
      done(outcome);
    });
    this.#commander.command(id, command, parameters);
  }

  /** The time for what it has to confirm is over. */
  timer(): void {
    this.#commander.timer();
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

  #play(tones: readonly Tone[]): string {
    const play = `${this.#call?.id} ${++this.#plays}`;
    const phrases = phrasesOf(tones, this.#plan.plan.order.voice.tones.towardsDevice);
    this.#ports.run(
      this.#parts.media.play(this.leg, play, { phrases, over: 'instead' }).then((begun) => {
        if (!begun.ok) this.#commander.played(play);
      }),
    );
    return play;
  }

  #heard(event: MediaEvent): void {
    if (event.kind === 'played') this.#commander.played(event.play);
    else if (event.kind === 'digit' && event.edge === 'end') this.#commander.heard(event.digit);
  }

  #over(id: string, outcome: CommandOutcome): void {
    const done = this.#waiting.get(id);
    this.#waiting.delete(id);
    done?.(outcome);
  }
}

const LISTENING: Listening = { profile: 'alarm', digits: true, tones: [] };
