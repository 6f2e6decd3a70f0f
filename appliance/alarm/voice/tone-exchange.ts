import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import { ALARM_PROTOCOLS, type AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import { HandshakeMeter } from '../handshake/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import {
  initialToneCall,
  protocolOf,
  stepToneCall,
  type ToneCall,
  type ToneEffect,
  type ToneHeard,
  type ToneInput,
  type ToneTimer,
} from '../protocol/tone/index.ts';
import { isGroup, type TtFields } from '../protocol/tt/index.ts';
import { type AdapterInput, answeredVoice } from '../receiving/protocol-adapter.ts';
import type { Commander } from './alarm-voice.ts';
import { Bs8521Talk } from './bs8521-talk.ts';
import { callEvent, MOST_UNSTORED, UNSTORED_MS } from './call-event.ts';
import { CallPlayer } from './call-player.ts';
import type { CallTalk, TalkPorts } from './call-talk.ts';
import { commandProfiles } from './command-tones.ts';
import type { DeviceCall } from './device-call.ts';
import { quietWaitMs } from './silence-wait.ts';
import { ToneCommander } from './tone-commander.ts';
import type { ConversationPorts, ToneConversationTimer } from './tone-exchange-port.ts';
import { digitForm } from './tone-phrase.ts';
import { fallbackSteps, listeningFor, type ToneSteps } from './tone-steps.ts';
import { type TtFrame, TtTalk } from './tt-talk.ts';

/**
 * One call of a device to a receiver.
 *
 *   answered ── tone engine: ask, collect, check, store, acknowledge ──▶ ready ──▶ speech, commands ──▶ cleared
 *                 │ nothing that can be read: fallbackAlarmProtocol once, then the call itself is the event
 *
 * A caller never ends in silence: also one who hangs up early leaves an event, with a warning that says so.
 */
export class ToneExchange implements Commander {
  readonly call: DeviceCall;
  /** Of the session that runs now: in a scheme each unit's alarm has its own. */
  name: string;
  readonly #ports: ConversationPorts;
  readonly #given: ToneSteps | undefined;
  #tone: ToneCall | undefined;
  #talk: CallTalk | undefined;
  #fellBack = false;
  #answeredMs = 0;
  readonly #player: CallPlayer;
  readonly #commander: ToneCommander;
  readonly #meter = new HandshakeMeter();
  /** A session stands behind this call. */
  #hasSession = false;
  #sessions = 1;
  #attached = false;
  #ready = false;
  /** Commands that wait until the device has its acknowledge. */
  readonly #unsaid: (() => void)[] = [];
  #over = false;
  #protocol: AlarmProtocol;
  #last: ProtocolEvent | undefined;
  /** Warnings of the event that the call is by itself; undefined: its device says what it is. */
  #callSaid: readonly string[] | undefined;
  #unstored = 0;
  /** Everything that was said in tones, for an event without a string. */
  #said = '';

  constructor(call: DeviceCall, given: ToneSteps | undefined, ports: ConversationPorts) {
    this.call = call;
    this.name = `tone ${call.id}`;
    this.#ports = ports;
    this.#given = given;
    this.#player = new CallPlayer(call, digitForm(call, 'inaudio'), ports);
    this.#protocol = call.bridge.protocol;
    const { profiles, voice } = ports;
    const spoken = commandProfiles(profiles, call.bridge.protocolProfile);
    this.#commander = new ToneCommander({
      context: () => ({ protocol: this.#protocol, profiles: spoken, grouped: this.#talk?.grouped === true }),
      play: (tones) => this.#player.play(tones),
      outcome: (id, outcome) => voice.outcome(id, outcome),
      hangUp: (reason) => call.hangUp(reason),
      start: (ms) => ports.start('command echo', ms),
      stop: () => ports.stop('command echo'),
      quietMs: () => quietWaitMs(this.#tone, this.#last),
    });
    if (given !== undefined) this.#tone = initialToneCall(given.steps, { listenMs: given.listenMs });
  }

  answered(): void {
    this.#answeredMs = this.#ports.clock.monoMs();
    this.#player.listen(listeningFor(this.#given));
    if (this.#tone === undefined) this.#callIsEvent([]);
    else this.#ask({ type: 'answered', at: 0 });
  }

  heard(event: MediaEvent): void {
    switch (event.kind) {
      case 'digit':
        this.#digit(event);
        return;
      case 'pause':
        this.#ask({ type: 'pause', at: this.#at(), endMs: event.atMs, forMs: event.forMs });
        return;
      case 'tone':
        if (event.edge !== 'end') return;
        this.call.trace.add('toneHeard', { hz: event.frequencyHz, ms: event.durationMs });
        this.#ask({ type: 'frequency', at: this.#at(), hz: event.frequencyHz, ms: event.durationMs ?? 0 });
        return;
      case 'played':
        this.#player.played(event.play);
        this.#commander.played(event.play);
        return;
      case 'rtpTimeout':
        this.call.trace.add('note', { text: 'no audio of the device for 10 s' });
        return;
      default:
        return;
    }
  }

  timer(timer: ToneConversationTimer): void {
    const [of, name] = timer.split(' ');
    if (of === 'ask') this.#ask({ type: 'timer', at: this.#at(), timer: name as ToneTimer });
    else if (of === 'command') this.#commander.timer();
    else if (of === 'call') this.#callIsEvent(this.#callSaid ?? []);
    else this.#talk?.timer(name ?? '');
  }

  /** The device has left. */
  ended(reason: string, isCutOff: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#player.isOver = true;
    this.call.trace.add('note', { text: `the device's call ended: ${reason}` });
    this.#ask({ type: 'hungUp', at: this.#at() });
    this.#talk?.hungUp();
    if (!this.#hasSession) this.#callIsEvent(['hungUp']);
    this.#ports.voice.ended(this.name, isCutOff);
    this.#ports.gone();
  }

  input(input: AdapterInput): void {
    switch (input.type) {
      case 'stored':
      case 'storeFailed':
        // No session came of it: the device says its string again, and that one is new.
        if (input.type === 'storeFailed' && input.ordinal === 0) {
          this.#hasSession = false;
          this.#attached = false;
          if (this.#callSaid !== undefined && !this.#over) this.#sayAgain();
        }
        if (this.#talk?.storing === true) this.#talk.stored(input.type === 'stored');
        else this.#ask({ type: input.type, at: this.#at(), ordinal: input.ordinal });
        return;
      case 'decision':
        this.#ports.voice.answered(this.name, answeredVoice(input.decision));
        return;
      case 'sessionEnded':
        if (!this.#over && this.#hasSession && !this.clearing) this.call.hangUp('the alarm session is over');
        return;
    }
  }

  /** A scheme is being cleared, unit by unit: the call goes on although the alarm of one is over. */
  get clearing(): boolean {
    return this.#talk?.clearing === true;
  }

  command(...given: Parameters<Commander['command']>): void {
    const [id, order, parameters, ends] = given;
    // Before its acknowledge the device is no listener: what is said then would be heard as something else.
    if (!this.#ready) this.#unsaid.push(() => this.command(...given));
    else if (this.#talk?.command(id, order, ends) !== true) this.#commander.command(id, order, parameters);
  }

  #digit(event: MediaEvent & { readonly kind: 'digit' }): void {
    const stmf = event.stmf === undefined ? {} : { stmf: event.stmf };
    if (event.edge === 'begin') {
      this.#ask({ type: 'began', at: this.#at(), digit: event.digit, ...stmf });
      return;
    }
    const tone: ToneHeard = {
      digit: event.digit,
      startMs: event.atMs,
      ms: event.durationMs ?? 0,
      source: event.source === 'inband' ? 'inaudio' : '2833',
      ...stmf,
    };
    this.call.trace.add('toneHeard', {
      digit: tone.digit,
      ms: Math.round(tone.ms),
      source: tone.source,
      ...stmf,
      levelDbm0: event.levelDbm0,
      twistDb: event.twistDb,
    });
    if (tone.stmf === undefined || tone.stmf === 'heard') this.#meter.digit(event);
    if (this.#said.length < 256) this.#said += tone.digit;
    if (this.#commander.heard(tone.digit)) return;
    this.#talk?.heard(tone);
    // A device that has missed its acknowledge says its string again, also when we are further.
    if (this.#talk?.grouped !== true) this.#ask({ type: 'heard', at: this.#at(), tone });
  }

  #ask(input: ToneInput): void {
    if (this.#tone === undefined) return;
    const { state, effects } = stepToneCall(this.#tone, input);
    this.#tone = state;
    for (const effect of effects) this.#perform(effect);
    // A scheme of TT that has its acknowledge names its waiting units at once.
    const isHeard = this.#tone?.state === 'open' && !this.#tone.owed;
    if (isHeard && this.#talk === undefined && this.#scheme !== undefined) this.#openTalk();
  }

  #perform(effect: ToneEffect): void {
    const { start, stop, log } = this.#ports;
    switch (effect.type) {
      case 'play':
        this.#player.play(effect.tones, this.#tone?.state === 'open');
        return;
      case 'stopPlaying':
        this.#player.quiet();
        return;
      case 'event':
        this.#measured(true);
        if (this.#tone !== undefined) this.#protocol = this.#named(protocolOf(this.#tone).name);
        this.#ports.spoke(this.#protocol);
        this.#event(effect);
        return;
      case 'ready':
        this.#becomeReady();
        return;
      case 'learned':
        this.#meter.learned(effect.methods);
        this.call.trace.add('note', {
          text: `check methods that fit: ${effect.methods.join(', ') || 'none'}`,
        });
        return;
      case 'asked':
        this.#meter.asked();
        return;
      case 'badString':
        this.#meter.badString();
        return;
      case 'failed':
        this.#nothingRead(effect.reason, effect.heard);
        return;
      case 'startTimer':
        start(`ask ${effect.timer}`, effect.ms);
        return;
      case 'stopTimer':
        stop(`ask ${effect.timer}`);
        return;
      case 'trace':
        log('debug', 'tone_exchange.step_traced', 'Traced a step of a tone exchange', {
          call: this.name,
          step: effect.text,
        });
        return;
    }
  }

  #event(said: ProtocolEvent): void {
    this.#last = said;
    this.#hasSession = true;
    this.#ports.event(said, this.#protocol);
    if (this.#attached || this.#over) return;
    this.#attached = true;
    this.#ports.voice.attach(this.name, this.call, this, this.#ready);
  }

  /** The device has its acknowledge. BS 8521 goes on with a machine of commands; others are ready for people. */
  #becomeReady(): void {
    if (this.#talk !== undefined) return;
    // A scheme that has no acknowledge and did not ask for it again: its units are listened for before anybody speaks.
    this.#ready = this.#scheme === undefined;
    if (!this.#ready || (this.#protocol === 'bs8521' && this.#last !== undefined)) this.#openTalk();
    else this.#ports.voice.opened(this.name);
    if (this.#ready) for (const say of this.#unsaid.splice(0)) say();
  }

  /** The frame of a TT scheme. */
  get #scheme(): TtFrame | undefined {
    const { protocol, raw, fields } = this.#last?.source ?? {};
    if ((protocol !== 'tt92' && protocol !== 'ttnew') || raw === undefined) return undefined;
    const read = fields as unknown as TtFields;
    const isScheme = isGroup(read) || this.#ports.isScheme(read.identity);
    return isScheme ? { name: protocol, raw, fields: read } : undefined;
  }

  #openTalk(): void {
    const { voice, profiles, start, stop, log } = this.#ports;
    const named = this.call.bridge.protocolProfile;
    const ports: TalkPorts = {
      at: () => this.#at(),
      play: (tones) => void this.#player.play(tones),
      speech: () => this.#selected(),
      outcome: (id, outcome) => voice.outcome(id, outcome),
      unit: (said, isNext) => this.#unit(said, isNext),
      hangUp: (reason) => this.call.hangUp(reason),
      start: (timer, ms) => start(`link ${timer}`, ms),
      stop: (timer) => stop(`link ${timer}`),
      trace: (text) =>
        log('debug', 'tone_command.step_traced', 'Traced a step of the tone commands', {
          call: this.name,
          step: text,
        }),
    };
    const scheme = this.#scheme;
    const fields = this.#last?.source.fields as unknown as Bs8521Fields;
    this.#talk =
      scheme === undefined
        ? new Bs8521Talk(this.#ports.provisioned(fields), profiles.bs8521(named), ports)
        : new TtTalk(scheme, profiles[scheme.name](named), ports);
    this.#talk.open();
  }

  /** The unit listens: people may be joined, and what was to be said to it is said. */
  #selected(): void {
    this.#ready = true;
    this.#ports.voice.opened(this.name);
    for (const say of this.#unsaid.splice(0)) say();
  }

  #nothingRead(reason: 'noAnswer' | 'noValidString', heard: readonly string[]): void {
    this.call.trace.add('note', { text: `no alarm could be read (${reason}): ${heard.join(' ')}` });
    const again = this.#fellBack
      ? undefined
      : fallbackSteps(this.call.bridge, this.#given?.steps ?? [], this.#ports.profiles);
    if (again !== undefined && !this.#over) {
      this.#fellBack = true;
      this.#player.listen(listeningFor(again));
      this.#tone = initialToneCall(again.steps, { listenMs: again.listenMs });
      this.#ask({ type: 'answered', at: this.#at() });
      return;
    }
    this.#callIsEvent([reason]);
  }

  /** What the start of the call was like, told once. */
  #measured(taken: boolean): void {
    if (this.#tone === undefined) return;
    const handshake = this.#meter.over(protocolOf(this.#tone).name, taken);
    if (handshake !== undefined) this.#ports.handshake(handshake);
  }

  /** The call itself is the alarm: somebody wants help whatever his device said. */
  #callIsEvent(warnings: readonly string[]): void {
    if (this.#hasSession) return;
    this.#callSaid = warnings;
    this.#measured(false);
    this.#tone = undefined;
    this.#ready = true;
    const { fromUser, bridge } = this.call;
    const voice = bridge.protocol === 'call' || bridge.protocol === 'voicecall';
    this.#protocol = voice ? bridge.protocol : 'voicecall';
    this.#event(callEvent(this.#protocol, fromUser, this.#said, warnings, !this.#over));
  }

  /** The event that the call is by itself is not on the disk: no string of its device will repeat it. */
  #sayAgain(): void {
    if (++this.#unstored < MOST_UNSTORED) this.#ports.start('call again', UNSTORED_MS);
    else this.call.hangUp('the alarm could not be stored');
  }

  /** Another alarm of the scheme waited behind the one that is done: same call, a session of its own. */
  #unit(said: ProtocolEvent, isNext: boolean): void {
    if (isNext) {
      this.#ports.voice.release(this.name);
      this.name = `tone ${this.call.id} ${++this.#sessions}`;
      this.#ports.named(this.name);
      this.#attached = false;
      this.#ready = false;
    }
    this.#event(said);
  }

  /** A format without a value of its own in the API goes by the protocol of its receiver. */
  #named(protocol: string): AlarmProtocol {
    return ALARM_PROTOCOLS.find((one) => one === protocol) ?? this.call.bridge.protocol;
  }

  #at(): number {
    return this.#ports.clock.monoMs() - this.#answeredMs;
  }
}
