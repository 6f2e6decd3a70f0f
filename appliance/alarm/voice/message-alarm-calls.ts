import type { KernelPorts } from '../../kernel/port.ts';
import type { MediaPorts } from '../../media/control/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { AlarmVoice } from './alarm-voice.ts';
import { CallPlayer } from './call-player.ts';
import { commandProfiles } from './command-tones.ts';
import type { DeviceCall, DeviceCallHandler, DeviceCallUser } from './device-call.ts';
import { ToneCommander } from './tone-commander.ts';
import { digitForm } from './tone-phrase.ts';

type Ports = KernelPorts & MediaPorts;

/** States of a session in which its device may call. */
const MAY_CALL: readonly string[] = ['asking', 'decided', 'waitingCall'];

/**
 * Calls of devices whose alarm came by MESSAGE (SCAIP, and every row of `MESSAGE_PROTOCOLS`): each belongs to the alarm of its device that waits for one.
 * Commands go as tones into the call.
 */
export class MessageAlarmCalls implements DeviceCallHandler {
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #voice: AlarmVoice;
  readonly #profiles: ProfileTables;
  readonly #byMessage: readonly string[];
  readonly #otherwise: DeviceCallHandler;

  /**
   * `otherwise` takes calls that no alarm waits for: a caller never ends in silence. `byMessage`: names of the adapters whose devices
   * call after their alarm.
   */
  constructor(
    ports: Ports,
    dependencies: {
      readonly alarmSessions: AlarmSessions;
      readonly voice: AlarmVoice;
      readonly profiles: ProfileTables;
      readonly byMessage: readonly string[];
      readonly otherwise: DeviceCallHandler;
    },
  ) {
    this.#ports = ports;
    this.#alarmSessions = dependencies.alarmSessions;
    this.#voice = dependencies.voice;
    this.#profiles = dependencies.profiles;
    this.#byMessage = dependencies.byMessage;
    this.#otherwise = dependencies.otherwise;
  }

  /** The newest alarm of this device that waits for its call; of those from where the call comes, if there are any. */
  waiting(deviceId: string | undefined, fromUser: string, sourceIp?: string): ActiveAlarm | undefined {
    const all = this.#waiting(deviceId, fromUser);
    return all.findLast(({ facts }) => facts.sourceIp === sourceIp) ?? all.at(-1);
  }

  #waiting(deviceId: string | undefined, fromUser: string): ActiveAlarm[] {
    return [...this.#alarmSessions.running].filter(({ facts, session, conversation, front }) => {
      const its = facts.deviceId === undefined ? facts.sipFrom === fromUser : facts.deviceId === deviceId;
      if (!this.#byMessage.includes(front.name) || !its || !MAY_CALL.includes(session.state)) return false;
      return this.#voice.callOf(conversation) === undefined;
    });
  }

  /** A running alarm of this device whose call came from another address than the alarm: the device itself may still call. */
  displaced(deviceId: string | undefined): ActiveAlarm | undefined {
    for (const known of this.#alarmSessions.running) {
      const { facts, conversation, front } = known;
      if (
        !this.#byMessage.includes(front.name) ||
        facts.deviceId === undefined ||
        facts.deviceId !== deviceId
      )
        continue;
      const call = this.#voice.callOf(conversation);
      if (call !== undefined && !call.isProven && call.sourceIp !== facts.sourceIp) return known;
    }
    return undefined;
  }

  /** Addresses of the alarms of this device that wait for its call. */
  sources(deviceId: string | undefined, fromUser: string): readonly string[] {
    return this.#waiting(deviceId, fromUser).map(({ facts }) => facts.sourceIp);
  }

  incoming(call: DeviceCall): DeviceCallUser {
    const known = this.waiting(call.deviceId, call.fromUser, call.sourceIp);
    return known === undefined ? this.#otherwise.incoming(call) : this.#attached(call, known);
  }

  /** Takes our own call to the device of this alarm, whatever its protocol is. */
  of(known: ActiveAlarm): DeviceCallHandler {
    return { incoming: (call) => this.#attached(call, known) };
  }

  #attached(call: DeviceCall, known: ActiveAlarm): DeviceCallUser {
    const { conversation } = known;
    const player = new CallPlayer(call, digitForm(call, '2833'), this.#ports);
    const commands = this.#commander(call, player, known.facts.protocol);
    const turn = (work: () => void) => this.#alarmSessions.turn(work);
    known.trace.add('note', { text: `the device calls: ${call.id}` });
    call.answer();
    return {
      answered: () => turn(() => this.#voice.attach(conversation, call, commands, true)),
      mediaEvent: (event) => {
        if (event.kind !== 'played') return;
        player.played(event.play);
        turn(() => commands.played(event.play));
      },
      joined: () => turn(() => this.#voice.joined(conversation)),
      left: (reason, hasHungUp) => turn(() => this.#voice.left(conversation, reason, hasHungUp)),
      ended: (_, isCutOff) => {
        player.isOver = true;
        turn(() => this.#voice.ended(conversation, isCutOff));
      },
    };
  }

  /** Commands are control tones in the call (SCAIP 4.3): RFC 4733 events where they are agreed. */
  #commander(call: DeviceCall, player: CallPlayer, protocol: string): ToneCommander {
    const spoken = commandProfiles(this.#profiles, call.bridge.protocolProfile);
    return new ToneCommander({
      context: () => ({ protocol, profiles: spoken, grouped: false }),
      play: (tones) => player.play(tones),
      outcome: (id, outcome) => this.#voice.outcome(id, outcome),
      hangUp: (reason) => call.hangUp(reason),
    });
  }
}
