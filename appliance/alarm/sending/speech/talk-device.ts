import { addressUserOf } from '#shared/address-user.ts';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { CallControl } from '../../../call/control/index.ts';
import { isCutOff } from '../../../call/session/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { LegId, Listening, Media, MediaEvent } from '../../../media/control/index.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { ProfileTables } from '../../profile/index.ts';
import type { Tone } from '../../protocol/tone/index.ts';
import { isSchemeType } from '../../receiver/index.ts';
import type { CommandParameters } from '../../session/index.ts';
import { type CommandOutcome, phrasesOf, ToneCommander } from '../../voice/index.ts';
import { ArcCall } from '../attempt/arc-call.ts';
import type { AttemptPlan } from '../attempt/attempt.ts';
import type { CalledAlarmListener, CalledAlarms } from '../called/called-alarms.ts';
import {
  bs8521Controller,
  CalledController,
  type ControllerMachine,
  ttController,
} from '../called/called-controller.ts';
import type { CalledMessages } from '../called/called-messages.ts';
import type { SendAddress } from '../order/send-target.ts';

type Ports = KernelPorts & TenantPorts;

/** The side that speaks for the device: its own call, or the one we make to it. */
export interface TalkDevice {
  readonly leg: LegId;
  /** Protocol it takes commands in; undefined: none that is known. */
  readonly protocol: string | undefined;
  command(
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    done: (outcome: CommandOutcome) => void,
  ): void;
  /** Digits that it says by INFO go there too. */
  hearInfo?(pass: (digit: string, ms: number) => void): void;
  /** Both hear each other. */
  joined(): void;
  /** The receiver is not on the line. `hasHungUp`: it spoke and has ended its call; else it was not reached, or was lost. */
  left(reason: string, hasHungUp: boolean): void;
  /** Tells it not to call again, then hangs up; `done` hears once what became of it. */
  clear(reason: string, done?: (outcome: CommandOutcome) => void): void;
}

interface CalledDevicePlan {
  readonly destination: string;
  readonly from: SendAddress['from'];
  readonly plan: AttemptPlan;
  readonly ringMs: number;
  readonly near: LegId | undefined;
}

/** A command is to be confirmed; a controller is to say who it is. */
export type CalledTimer = 'echo' | 'controller';

interface CalledDeviceParts {
  readonly calls: CallControl;
  readonly media: Pick<Media, 'play' | 'listen'>;
  /** Tones as the tenant has set them for every device. */
  readonly profiles: Pick<ProfileTables, 'scaip' | 'tt92' | 'ttnew' | 'bs8521'>;
  /** Commands that go by message. */
  readonly messages: CalledMessages;
  /** Alarms that it says in our call. */
  readonly strings: Pick<CalledAlarms, 'listen'>;
  readonly turn: (work: () => void) => void;
  /** Time for the device to answer; `timer` follows. */
  readonly start: (timer: CalledTimer, ms: number) => void;
  readonly stop: (timer: CalledTimer) => void;
}

/** A device that we call (`alarmVoiceCallbackDestination`), with the commands of its protocol as tones, or of NOW-IP as messages. */
export class CalledDevice implements TalkDevice {
  readonly #ports: Ports;
  readonly #parts: CalledDeviceParts;
  readonly #plan: CalledDevicePlan;
  readonly protocol: string | undefined;
  readonly #commander: ToneCommander;
  readonly #controller: CalledController | undefined;
  #call: ArcCall | undefined;
  #listener: CalledAlarmListener | undefined;
  #plays = 0;
  #commands = 0;
  readonly #waiting = new Map<string, (outcome: CommandOutcome) => void>();

  constructor(ports: Ports, parts: CalledDeviceParts, plan: CalledDevicePlan) {
    this.#ports = ports;
    this.#parts = parts;
    this.#plan = plan;
    const spoken = (deviceId: string) =>
      ports.tenant().byId(deviceId)?.serviceData?.alarmBridge?.alarmProtocol;
    // The called number may be that of a telephone next to the device.
    this.protocol = spoken(addressUserOf(plan.destination)) ?? spoken(plan.plan.order.deviceId ?? '');
    this.#commander = new ToneCommander({
      context: () => ({
        protocol: this.protocol ?? '',
        profiles: parts.profiles,
        // A unit of a scheme of TT has other commands.
        grouped: this.#controller !== undefined && this.protocol !== 'bs8521',
      }),
      play: (tones) => this.#play(tones),
      outcome: (id, outcome) => this.#over(id ?? '', outcome),
      hangUp: (reason) => this.#call?.hangUp(reason),
      start: (ms) => parts.start('echo', ms),
      stop: () => parts.stop('echo'),
    });
    const machine = this.#machine();
    this.#controller = machine && this.#newController(machine);
  }

  /** A controller of a scheme is spoken with before its unit is; undefined: it is none. */
  #machine(): ControllerMachine | undefined {
    const { profiles } = this.#parts;
    const { destination, from, plan } = this.#plan;
    const { order, target } = plan;
    if (this.protocol === 'bs8521')
      return bs8521Controller(target.voiceFrom(from.user), order.event, profiles.bs8521());
    if (this.protocol !== 'tt92' && this.protocol !== 'ttnew') return undefined;
    const isScheme = [addressUserOf(destination), order.deviceId ?? ''].some((deviceId) =>
      isSchemeType(this.#ports.tenant().byId(deviceId)?.deviceType),
    );
    return ttController(order.event, isScheme, profiles[this.protocol]());
  }

  #newController(machine: ControllerMachine): CalledController {
    const { plan } = this.#plan;
    return new CalledController(machine, {
      play: (tones) => void this.#play(tones),
      start: (ms) => this.#parts.start('controller', ms),
      stop: () => this.#parts.stop('controller'),
      trace: (text) => plan.trace.add('note', { text }),
      alarm: (line) => this.#listener?.said(line),
    });
  }

  call(user: { answered(): void; over(reached: boolean, reason: string, wasCutOff: boolean): void }): void {
    const { destination, from, plan, ringMs, near } = this.#plan;
    this.#call = new ArcCall(
      this.#ports,
      this.#parts.calls,
      { destination, from, target: plan.target, ringMs, near },
      plan.trace,
      {
        answered: () => {
          this.#byMessage(from);
          this.#listener = this.#listen();
          // Confirmations of the device are heard here; everything else passes to the receiver.
          this.#ports.run(this.#parts.media.listen(this.leg, LISTENING));
          user.answered();
          this.#controller?.opened();
        },
        mediaEvent: (event) => this.#onMediaEvent(event),
        over: (reason, reached) => {
          this.#parts.messages.close(this.leg);
          this.#listener?.over();
          user.over(reached, `${reason.cause} ${reason.text}`, isCutOff(reason));
        },
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
    const isMessage = isNowIp(this.protocol) && command !== 'sendTones';
    const say = () => {
      if (isMessage) this.#parts.messages.command(this.leg, command, (outcome) => this.#over(id, outcome));
      else this.#commander.command(id, command, parameters);
    };
    if (this.#controller === undefined) say();
    else this.#controller.whenFree(say);
  }

  /** The time for what it has to answer is over. */
  timer(timer: CalledTimer): void {
    if (timer === 'echo') this.#commander.timer();
    else this.#controller?.timer();
  }

  hearInfo(pass: (digit: string, ms: number) => void): void {
    this.#call?.hearInfo(pass);
  }

  joined(): void {}

  /** Unanswered is never cleared: it is hung up, so that it dials on by itself. */
  left(reason: string, hasHungUp: boolean): void {
    if (hasHungUp) this.clear(reason);
    else this.#call?.hangUp(reason);
  }

  clear(reason: string, done: (outcome: CommandOutcome) => void = () => undefined): void {
    const call = this.#call;
    if (call === undefined || call.isOver) {
      done({ kind: 'failed', code: 'noVoiceCall', reason: 'the device has hung up' });
      return;
    }
    const clearDown = () =>
      this.command('clearDown', undefined, (outcome) => {
        done(outcome);
        call.hangUp(reason);
      });
    if (this.protocol === undefined) {
      done({ kind: 'done' });
      call.hangUp(reason);
    } else if (this.#controller === undefined) clearDown();
    else this.#controller.clear(clearDown);
  }

  #listen(): CalledAlarmListener {
    const { destination, from, plan } = this.#plan;
    const controller = this.#controller;
    const { turn, strings } = this.#parts;
    return strings.listen({
      id: this.#call?.id ?? '',
      protocol: this.protocol,
      bridgeId: plan.order.bridgeId,
      device: addressUserOf(destination),
      us: plan.target.voiceFrom(from.user),
      traceId: plan.trace.traceId,
      play: (tones) => void this.#play(tones),
      trace: (text) => plan.trace.add('note', { text }),
      taken: () => turn(() => controller?.taken()),
      notTaken: () => turn(() => controller?.notTaken()),
    });
  }

  #byMessage(from: SendAddress['from']): void {
    const { destination, plan } = this.#plan;
    if (!isNowIp(this.protocol)) return;
    const { domain } = this.#ports.tenant();
    this.#parts.messages.open(this.leg, {
      protocol: this.protocol,
      device: addressIn(domain, destination),
      us: `sip:${plan.target.voiceFrom(from.user)}@${from.host === '' ? domain : from.host}`,
      flow: () => this.#parts.calls.flowOf(this.leg),
      trace: plan.trace,
    });
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

  #onMediaEvent(event: MediaEvent): void {
    if (event.kind === 'played') this.#commander.played(event.play);
    if (event.kind !== 'digit' && event.kind !== 'pause') return;
    const isOccupied = this.#controller?.isOccupied === true;
    if (!isOccupied) this.#listener?.sound(event);
    if (event.kind === 'digit' && event.edge === 'end') {
      const tone = { digit: event.digit, ms: event.durationMs ?? 0 };
      if (isOccupied || !this.#commander.takeDigit(event.digit)) this.#controller?.onTone(tone);
    }
  }

  #over(id: string, outcome: CommandOutcome): void {
    const done = this.#waiting.get(id);
    this.#waiting.delete(id);
    done?.(outcome);
  }
}

const isNowIp = (protocol: string | undefined): protocol is 'nowip' | 'nowipcontroller' =>
  protocol === 'nowip' || protocol === 'nowipcontroller';

/** A name without a host is a device of the tenant. */
function addressIn(domain: string, destination: string): string {
  if (/^sips?:/i.test(destination)) return destination;
  return destination.includes('@') ? `sip:${destination}` : `sip:${addressUserOf(destination)}@${domain}`;
}

const LISTENING: Listening = { profile: 'alarm', digits: true, tones: [] };
