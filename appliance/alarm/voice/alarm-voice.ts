import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { rewrittenDestination } from '#shared/matching/index.ts';
import type { Towards } from '../../call/control/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { LegId } from '../../media/control/index.ts';
import type { ActiveAlarm } from '../receiving/active-alarm.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import type { AlarmSpeech } from '../receiving/alarm-speech.ts';
import type { CommandParameters, RaisedAlarm, SessionSetting, VoiceEffect } from '../session/index.ts';
import type { DeviceCall } from './device-call.ts';

/** Result of a command that an application waits for. */
export type CommandOutcome =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed';
      readonly code:
        | 'commandNotSupported'
        | 'badTones'
        | 'noVoiceCall'
        | 'controlCommandsDisabled'
        | 'deviceSilent';
      readonly reason: string;
    };

/** Places our own call to a device that wants to be called. */
export type CallDevice = (known: ActiveAlarm, destination: string | undefined) => void;

/** Receivers that have taken an alarm and wait for its device. */
export interface ReceiverOnLine {
  /** Joins a device with people who are reached otherwise than by a call to `destination`; false: that is called. */
  join(conversation: string, call: DeviceCall, destination: string): boolean;
  /** Audio of the side that waits for the device of this session; undefined: none waits yet. */
  legOf(sessionId: string): LegId | undefined;
}

/** The people of an emergency list, whom the device waits for. */
export interface PeopleOnCall {
  /** The device listens; false: its alarm has no list. */
  hold(conversation: string, call: DeviceCall): boolean;
  /** Audio that the device will be joined with; undefined: none is open. */
  nearOf(conversation: string): LegId | undefined;
  /** Fields and parts of a call to people for this alarm. */
  towards(known: ActiveAlarm): Towards;
}

/** Says commands in the words of the device's protocol. */
export interface Commander {
  /**
   * `id` absent: the outcome is not waited for. `ends`: a clear-down of the session, with or without a waiting
   * application.
   */
  command(
    id: string | undefined,
    command: DeviceCommand,
    parameters: CommandParameters | undefined,
    ends: boolean,
  ): void;
  /** The call is not to be ended yet: further alarms of it wait. */
  readonly clearing?: boolean;
}

/** Whom a device reaches that calls by itself: `destinationRewrite` of the device, else its emergency destination. */
const destinationOf = (
  { destinationRewrite, emergencyDestination }: SessionSetting,
  called: string,
): string | undefined =>
  destinationRewrite === undefined ? emergencyDestination : rewrittenDestination(destinationRewrite, called);

/** The speech of one alarm. */
interface Line {
  readonly call: DeviceCall;
  readonly commander: Commander;
  /** The device has its acknowledge and listens: people may be joined. */
  open: boolean;
  /** Its session wants people to be joined. */
  isWanted: boolean;
  destination: string | undefined;
  joined: boolean;
  tries: number;
  /** The clear-down that an application waits for. */
  clearDown?: string;
}

const NO_DESTINATION = 'neither the device nor its alarm bridge has an emergency destination';

/** Chosen: people who do not answer are called this often, so far apart, as long as the device is on the line. */
const MOST_TRIES = 5;
const REDIAL_MS = 5_000;

type Ports = KernelPorts & TimerPorts;

/**
 * Carries out what alarm sessions want of speech: people are joined once the device is ready for them, commands go
 * to the machine that speaks with the device, and every end of a call is an input of the session.
 */
export class AlarmVoice implements AlarmSpeech {
  readonly #alarmSessions: AlarmSessions;
  readonly #nowMs: () => number;
  readonly #lines = new Map<string, Line>();
  readonly #timers: TimerScope<'redial'>;
  /** Sessions that call their device. */
  readonly #calling = new WeakSet<ActiveAlarm>();
  /** Outcome of a command that the application waits for. */
  readonly commandOver = new Listeners<[id: string, outcome: CommandOutcome]>();
  /** The device has left, or its session is over. */
  readonly deviceLost = new Listeners<[conversation: string]>();
  /** The device is commanded now; `ends`: it is cleared. */
  readonly commanded = new Listeners<[conversation: string, ends: boolean]>();
  #callDevice: CallDevice | undefined;
  #receiver: ReceiverOnLine | undefined;
  #people: PeopleOnCall | undefined;

  constructor(ports: Ports, alarmSessions: AlarmSessions) {
    this.#alarmSessions = alarmSessions;
    this.#nowMs = () => ports.clock.monoMs();
    this.#timers = ports.timers.scope((owner) =>
      alarmSessions.turn(() => {
        const line = this.#lines.get(owner);
        if (line !== undefined) this.#connect(owner, line);
      }),
    );
    alarmSessions.speakBy(this);
    alarmSessions.over.add((known) => this.#lineLost(known.conversation));
  }

  /** Once: devices that want to be called are called from now on. */
  callDevicesBy(callDevice: CallDevice): void {
    this.#callDevice = callDevice;
  }

  /** Once: devices whose alarm a receiver has taken are joined with it from now on. */
  joinReceiversBy(receiver: ReceiverOnLine): void {
    this.#receiver = receiver;
  }

  /** Once: devices whose people are called from a list wait for them from now on. */
  holdBy(people: PeopleOnCall): void {
    this.#people = people;
  }

  /** Audio of the side that waits for the device of this session; undefined: none waits yet. */
  nearOf({ conversation, facts }: Pick<ActiveAlarm, 'conversation' | 'facts'>): LegId | undefined {
    return this.#receiver?.legOf(facts.sessionId) ?? this.#people?.nearOf(conversation);
  }

  /** Calls with an alarm. */
  get size(): number {
    return this.#lines.size;
  }

  /** The device has its acknowledge: what it hears is speech. */
  listens(conversation: string): boolean {
    return this.#lines.get(conversation)?.open === true;
  }

  callOf(conversation: string): DeviceCall | undefined {
    return this.#lines.get(conversation)?.call;
  }

  /** The device's call is here. `open`: it listens already; else `opened` follows. */
  attach(conversation: string, call: DeviceCall, commander: Commander, open: boolean): void {
    this.#lines.set(conversation, {
      call,
      commander,
      open,
      isWanted: false,
      destination: undefined,
      joined: false,
      tries: 0,
    });
    call.alarm.emit(conversation);
    const known = this.#alarmSessions.caseOf(conversation);
    if (known !== undefined) call.trace.joins(known.trace);
    if (known !== undefined && isForeign(known, call))
      this.#alarmSessions.raise(known, foreignCall(known, call));
    this.#alarmSessions.input(conversation, { type: 'voiceArrived' });
    // A device whose address has changed calls for its latest telling: no call need come for those before.
    if (known === undefined) return;
    for (const sibling of this.#alarmSessions.siblingsOf(known))
      if (isBefore(sibling, known))
        this.#alarmSessions.input(sibling.conversation, { type: 'voiceElsewhere' });
  }

  opened(conversation: string): void {
    const line = this.#lines.get(conversation);
    if (line === undefined || line.open) return;
    line.open = true;
    this.#connect(conversation, line);
  }

  joined(conversation: string): void {
    const line = this.#lines.get(conversation);
    if (line === undefined) return;
    line.joined = true;
    this.#alarmSessions.input(conversation, { type: 'voiceJoined' });
  }

  /**
   * The people are not on the line any more, or did not answer. `hasHungUp`: they had answered, and have ended their call; whoever
   * did not has cleared nothing, and is called again while the device is on the line.
   */
  left(conversation: string, reason: string, hasHungUp: boolean): void {
    const line = this.#lines.get(conversation);
    if (line === undefined) return;
    const wasJoined = line.joined;
    if (wasJoined && hasHungUp) {
      this.#alarmSessions.input(conversation, { type: 'voiceEnded', by: 'arc' });
      return;
    }
    line.joined = false;
    if (wasJoined) this.#alarmSessions.input(conversation, { type: 'voiceEnded', by: 'arc', isCutOff: true });
    if (line.tries >= MOST_TRIES) {
      this.#unreached(conversation, line, reason);
      return;
    }
    line.call.trace.add('note', { text: `the destination was not reached and is called again: ${reason}` });
    this.#timers.start(conversation, 'redial', this.#nowMs() + REDIAL_MS);
  }

  /** No destination can be called for the device. */
  unreached(conversation: string, why: string): void {
    this.#alarmSessions.input(conversation, {
      type: 'voiceUnreached',
      reason: `nobody could be called: ${why}`,
    });
  }

  #unreached(conversation: string, { destination, tries }: Line, why: string): void {
    if (destination === undefined) {
      this.unreached(conversation, why);
      return;
    }
    const reason = `${destination} was called ${tries} times and did not answer (${why})`;
    this.#alarmSessions.input(conversation, { type: 'voiceUnreached', reason, destination });
  }

  /** The device has left its call; `isCutOff`: neither side has hung up. */
  ended(conversation: string, isCutOff = false): void {
    // A device that hangs up because it was cleared has confirmed it, whatever else its protocol would say.
    const asked = this.#lines.get(conversation)?.clearDown;
    if (!isCutOff) this.outcome(asked, { kind: 'done' });
    if (this.#lineLost(conversation))
      this.#alarmSessions.input(conversation, { type: 'voiceEnded', by: 'device', isCutOff });
  }

  /** The device knows the decision about its alarm: it is on the line, or was asked to use its next receiver. */
  answered(conversation: string, voice: 'none' | 'refused' | 'deviceCalls'): void {
    this.#alarmSessions.input(conversation, { type: 'answered', voice });
  }

  /** The same call goes on with another alarm: a unit of a scheme is done, the next one is on the line. */
  release(conversation: string): void {
    if (this.#lineLost(conversation))
      this.#alarmSessions.input(conversation, { type: 'voiceEnded', by: 'device' });
  }

  outcome(id: string | undefined, outcome: CommandOutcome): void {
    if (id !== undefined) this.commandOver.emit(id, outcome);
  }

  perform(known: ActiveAlarm, effect: VoiceEffect): void {
    const line = this.#lines.get(known.conversation);
    switch (effect.type) {
      case 'callDevice':
        if (this.#isCalled(known)) {
          known.trace.add('note', { text: 'the device is called by another session of the same alarm' });
          this.#alarmSessions.input(known.conversation, { type: 'voiceElsewhere' });
          return;
        }
        this.#calling.add(known);
        if (this.#callDevice !== undefined) this.#callDevice(known, effect.destination);
        else
          this.#alarmSessions.input(known.conversation, {
            type: 'voiceFailed',
            reason: 'this appliance places no calls to devices of this protocol',
          });
        return;
      case 'join':
        if (line === undefined) return;
        // Null: the device is programmed with its destination and has reached it: the people are at this receiver.
        line.destination = effect.destination ?? destinationOf(known.session.setting, line.call.calledParty);
        known.trace.add('voiceJoining', { destination: line.destination, direction: effect.direction });
        line.isWanted = true;
        this.#connect(known.conversation, line);
        return;
      case 'deviceCommand':
        known.trace.add('deviceCommand', { command: effect.command });
        if (line !== undefined) {
          const ends = effect.ends ?? (effect.id === undefined && effect.command === 'clearDown');
          this.commanded.emit(known.conversation, ends || effect.command === 'clearDown');
          if (ends && effect.id !== undefined) line.clearDown = effect.id;
          line.commander.command(effect.id, effect.command, effect.parameters, ends);
        } else
          this.outcome(effect.id, {
            kind: 'failed',
            code: 'noVoiceCall',
            reason: 'the device has no call through this appliance',
          });
        return;
      case 'commandRefused':
        this.outcome(effect.id, { kind: 'failed', code: effect.code, reason: effect.reason });
        return;
      case 'commandDone':
        this.outcome(effect.id, { kind: 'done' });
        return;
      case 'hangUp':
        this.#lineLost(known.conversation);
        if (line?.commander.clearing !== true) line?.call.hangUp('the alarm session is over');
        return;
    }
  }

  /** One alarm that came from several addresses has one device, which is called once, where it is provisioned or registered. */
  #isCalled(known: ActiveAlarm): boolean {
    return this.#alarmSessions.siblingsOf(known).some((sibling) => {
      const { state, answered } = sibling.session;
      if (this.#lines.has(sibling.conversation)) return true;
      if (state !== 'waitingCall' || answered !== 'weCall') return false;
      // After a restart no call runs yet: the session of the first telling begins.
      return this.#calling.has(sibling) || (!this.#calling.has(known) && isBefore(sibling, known));
    });
  }

  #connect(conversation: string, line: Line): void {
    if (!line.open || !line.isWanted) return;
    if (line.destination === undefined) {
      this.#unreached(conversation, line, NO_DESTINATION);
      return;
    }
    if (this.#people?.hold(conversation, line.call) === true) return;
    line.tries++;
    if (this.#receiver?.join(conversation, line.call, line.destination) === true) return;
    const known = this.#alarmSessions.caseOf(conversation);
    line.call.connect(line.destination, known && this.#people?.towards(known));
  }

  /** False: there was no line. */
  #lineLost(conversation: string): boolean {
    const had = this.#lines.delete(conversation);
    this.deviceLost.emit(conversation);
    return had;
  }
}

/**
 * Chosen: a device without a secret is known by the address of its alarm. Its call from another one may be a stranger's, or come
 * after a change of its own address: it is taken, since a person may need help, and reported. `voiceCallSource: strict` refuses it.
 */
const isForeign = ({ facts }: ActiveAlarm, call: DeviceCall): boolean =>
  !call.isProven && call.sourceIp !== facts.sourceIp;

const foreignCall = ({ facts }: ActiveAlarm, { sourceIp }: DeviceCall): RaisedAlarm => ({
  type: 'serviceAlarm',
  error: 'voiceFromOtherAddress',
  reason: `the alarm came from ${facts.sourceIp}, its voice call from ${sourceIp}, and the device has no secret that proves it; give the device a password, or refuse such calls with voiceCallSource strict`,
  detail: { sourceIp, alarmSourceIp: facts.sourceIp },
});

const isBefore = ({ facts: one }: ActiveAlarm, { facts: other }: ActiveAlarm): boolean =>
  one.sessionId === other.possibleRepeatOf || one.createdMs < other.createdMs;
