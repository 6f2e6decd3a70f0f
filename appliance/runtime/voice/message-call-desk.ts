import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';
import type { Media } from '../../media/control/index.ts';
import type { AlarmCase } from '../alarm-case.ts';
import type { AlarmDesk } from '../alarm-desk.ts';
import type { RuntimePorts } from '../port.ts';
import type { AlarmVoiceDesk, Commander } from './alarm-voice-desk.ts';
import { commandTones } from './command-tones.ts';
import type { DeviceCall, DeviceCallDesk, DeviceCallUser } from './device-call.ts';
import { phrasesOf } from './tone-phrase.ts';

/** States of a session in which its device may call. */
const MAY_CALL: readonly string[] = ['asking', 'decided', 'waitingCall'];

/**
 * Calls of devices whose alarm came by MESSAGE (SCAIP): each belongs to the alarm of its device that waits for one.
 * Commands go as tones into the call.
 */
export class MessageCallDesk implements DeviceCallDesk {
  readonly #ports: RuntimePorts;
  readonly #desk: AlarmDesk;
  readonly #voice: AlarmVoiceDesk;
  readonly #otherwise: DeviceCallDesk;

  /** `otherwise` takes calls that no alarm waits for: a caller never ends in silence. */
  constructor(ports: RuntimePorts, desk: AlarmDesk, voice: AlarmVoiceDesk, otherwise: DeviceCallDesk) {
    this.#ports = ports;
    this.#desk = desk;
    this.#voice = voice;
    this.#otherwise = otherwise;
  }

  /** The newest alarm of this device that waits for its call. */
  waiting(deviceId: string | undefined, fromUser: string): AlarmCase | undefined {
    let found: AlarmCase | undefined;
    for (const known of this.#desk.running) {
      const { facts, session, conversation, front } = known;
      const its = facts.deviceId === undefined ? facts.sipFrom === fromUser : facts.deviceId === deviceId;
      if (front.name !== 'scaip' || !its || !MAY_CALL.includes(session.state)) continue;
      if (this.#voice.callOf(conversation) === undefined) found = known;
    }
    return found;
  }

  incoming(call: DeviceCall): DeviceCallUser {
    const known = this.waiting(call.deviceId, call.fromUser);
    if (known === undefined) return this.#otherwise.incoming(call);
    const { conversation } = known;
    const commands = new ToneCommands(call, this.#ports.media, this.#voice, this.#ports.run);
    const turn = (work: () => void) => this.#desk.turn(work);
    known.trace.add('note', { text: `the device calls: ${call.id}` });
    call.answer();
    return {
      answered: () => turn(() => this.#voice.attach(conversation, call, commands, true)),
      heard: (event) => {
        if (event.kind === 'played') turn(() => commands.played(event.play));
      },
      joined: () => turn(() => this.#voice.joined(conversation)),
      left: (reason) => turn(() => this.#voice.left(conversation, reason)),
      ended: () => turn(() => this.#voice.ended(conversation)),
    };
  }
}

/** Commands as control tones in the call (SCAIP 4.3): RFC 4733 events where they are agreed. */
class ToneCommands implements Commander {
  readonly #call: DeviceCall;
  readonly #media: Pick<Media, 'play'>;
  readonly #voice: AlarmVoiceDesk;
  readonly #run: RuntimePorts['run'];
  /** Commands that are done when their tones have been played. */
  readonly #under = new Map<string, string>();
  #direction: string | undefined;
  #plays = 0;

  constructor(call: DeviceCall, media: Pick<Media, 'play'>, voice: AlarmVoiceDesk, run: RuntimePorts['run']) {
    this.#call = call;
    this.#media = media;
    this.#voice = voice;
    this.#run = run;
  }

  command(id: string | undefined, command: DeviceCommand, parameters: CommandParameters | undefined): void {
    const made = commandTones(command, parameters, {
      protocol: 'scaip',
      grouped: false,
      ...(this.#direction !== undefined && { direction: this.#direction }),
    });
    if (!made.ok) {
      const { code, reason } = made.error;
      this.#voice.outcome(id, { kind: 'failed', code, reason });
      return;
    }
    if (made.value.kind === 'hangUp') {
      this.#voice.outcome(id, { kind: 'done' });
      this.#call.hangUp('clear-down');
      return;
    }
    this.#direction = made.value.direction ?? this.#direction;
    const play = `${this.#call.id} ${++this.#plays}`;
    if (id !== undefined) this.#under.set(play, id);
    this.#call.trace.add('tonePlayed', { tones: made.value.tones });
    const plan = { phrases: phrasesOf(made.value.tones, '2833'), over: 'instead' } as const;
    this.#run(
      this.#media.play(this.#call.leg, play, plan).then((done) => {
        if (!done.ok) this.#call.trace.add('note', { text: `media: ${done.error.reason}` });
      }),
    );
  }

  played(play: string): void {
    const id = this.#under.get(play);
    if (id === undefined) return;
    this.#under.delete(play);
    this.#voice.outcome(id, { kind: 'done' });
  }
}
