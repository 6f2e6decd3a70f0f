import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import { ALARM_PROTOCOLS, type AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import { HandshakeMeter } from '../handshake/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import {
  initialToneCall,
  initialToneExchange,
  protocolOf,
  type ReceivedTone,
  stepToneCall,
  stepToneExchange,
  type ToneCall,
  type ToneEffect,
  type ToneExchangeEffect,
  type ToneExchangeInput,
  type ToneExchangeState,
  type ToneInput,
  type ToneTimer,
} from '../protocol/tone/index.ts';
import { isGroup, type TtFields } from '../protocol/tt/index.ts';
import { type AdapterInput, answeredVoice } from '../receiving/protocol-adapter.ts';
import type { Commander } from './alarm-voice.ts';
import { Bs8521Talk } from './bs8521-talk.ts';
import { callEvent } from './call-event.ts';
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
 * One call of a device to a receiver: carries out what its machines say, the one that decides what the caller is
 * (`protocol/tone/exchange.ts`) and the one of the tones (`protocol/tone/call.ts`).
 */
export class ToneExchange implements Commander {
  readonly call: DeviceCall;
  /** Name of the session that runs now: in a scheme each unit's alarm has its own. */
  name: string;
  readonly #ports: ConversationPorts;
  readonly #given: ToneSteps | undefined;
  #tone: ToneCall | undefined;
  #state: ToneExchangeState = initialToneExchange;
  #talk: CallTalk | undefined;
  #answeredMs = 0;
  readonly #player: CallPlayer;
  readonly #commander: ToneCommander;
  readonly #meter = new HandshakeMeter();
  #sessions = 1;
  /** Commands that wait until the device has its acknowledge. */
  readonly #unsaid: (() => void)[] = [];
  #protocol: AlarmProtocol;
  #last: ProtocolEvent | undefined;
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
    this.#step({ type: 'answered', isAsked: this.#tone !== undefined });
  }

  onMediaEvent(event: MediaEvent): void {
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
    else if (of === 'call') this.#step({ type: 'timer' });
    else this.#talk?.timer(name ?? '');
  }

  /** The device has left. */
  ended(reason: string, isCutOff: boolean): void {
    if (this.#state.isOver) return;
    this.#player.isOver = true;
    this.call.trace.add('note', { text: `the device's call ended: ${reason}` });
    this.#step({ type: 'hungUp' });
    this.#ports.voice.ended(this.name, isCutOff);
    this.#ports.over();
  }

  input(input: AdapterInput): void {
    switch (input.type) {
      case 'stored':
      case 'storeFailed':
        // No session came of it: the device says its string again, and that one is new.
        if (input.type === 'storeFailed' && input.ordinal === 0) this.#step({ type: 'storeFailed' });
        if (this.#talk?.storing === true) this.#talk.stored(input.type === 'stored');
        else this.#ask({ type: input.type, at: this.#at(), ordinal: input.ordinal });
        return;
      case 'decision':
        this.#ports.voice.answered(this.name, answeredVoice(input.decision));
        return;
      case 'sessionEnded':
        this.#step({ type: 'sessionEnded', isClearing: this.clearing });
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
    if (!this.#state.isReady) this.#unsaid.push(() => this.command(...given));
    else if (this.#talk?.command(id, order, ends) !== true) this.#commander.command(id, order, parameters);
  }

  #digit(event: MediaEvent & { readonly kind: 'digit' }): void {
    const stmf = event.stmf === undefined ? {} : { stmf: event.stmf };
    if (event.edge === 'begin') {
      this.#ask({ type: 'began', at: this.#at(), digit: event.digit, ...stmf });
      return;
    }
    const tone: ReceivedTone = {
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
    if (this.#commander.takeDigit(tone.digit)) return;
    this.#talk?.onTone(tone);
    // A device that has missed its acknowledge says its string again, also when we are further.
    if (this.#talk?.grouped !== true) this.#ask({ type: 'heard', at: this.#at(), tone });
  }

  #ask(input: ToneInput): void {
    if (this.#tone === undefined) return;
    const { state, effects } = stepToneCall(this.#tone, input);
    this.#tone = state;
    for (const effect of effects) this.#perform(effect);
    // A scheme of TT that has its acknowledge names its waiting units at once.
    const isAcknowledged = this.#tone?.state === 'open' && !this.#tone.owed;
    if (isAcknowledged && !this.#state.hasTalk && this.#scheme !== undefined)
      this.#step({ type: 'schemeHeard' });
  }

  #step(input: ToneExchangeInput, said?: ProtocolEvent): void {
    const { state, effects } = stepToneExchange(this.#state, input);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect, said);
  }

  /** `said`: the event that the input brought. */
  #carryOut(effect: ToneExchangeEffect, said: ProtocolEvent | undefined): void {
    const { voice, start, named } = this.#ports;
    switch (effect.type) {
      case 'ask':
        this.#ask({ type: 'answered', at: 0 });
        return;
      case 'askFallback':
        this.#askFallback();
        return;
      case 'readRest':
        this.#ask({ type: 'hungUp', at: this.#at() });
        this.#talk?.hungUp();
        this.#step({ type: 'allRead' });
        return;
      case 'nextSession':
        voice.release(this.name);
        this.name = `tone ${this.call.id} ${++this.#sessions}`;
        named(this.name);
        return;
      case 'tell':
        if (said !== undefined) this.#tell(said);
        return;
      case 'tellCall':
        this.#tellCall(effect.warnings, effect.isOnTheLine);
        return;
      case 'attach':
        voice.attach(this.name, this.call, this, effect.isReady);
        return;
      case 'openTalk':
        this.#openTalk();
        return;
      case 'opened':
        voice.opened(this.name);
        return;
      case 'sayWaiting':
        for (const say of this.#unsaid.splice(0)) say();
        return;
      case 'startTimer':
        start('call again', effect.ms);
        return;
      case 'hangUp':
        this.call.hangUp(effect.reason);
        return;
    }
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
        this.#step({ type: 'event', isNext: false }, effect);
        return;
      case 'ready': {
        const isLink = this.#protocol === 'bs8521' && this.#last !== undefined;
        this.#step({ type: 'acknowledged', isScheme: this.#scheme !== undefined, isLink });
        return;
      }
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
        this.#nothingRead(effect.reason, effect.collected);
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

  #tell(said: ProtocolEvent): void {
    this.#last = said;
    this.#ports.event(said, this.#protocol);
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
      speech: () => this.#step({ type: 'selected' }),
      outcome: (id, outcome) => voice.outcome(id, outcome),
      unit: (said, isNext) => this.#step({ type: 'event', isNext }, said),
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

  #nothingRead(reason: 'noAnswer' | 'noValidString', lines: readonly string[]): void {
    this.call.trace.add('note', { text: `no alarm could be read (${reason}): ${lines.join(' ')}` });
    this.#step({ type: 'nothingRead', reason, hasFallback: this.#fallback !== undefined });
  }

  /** The one more try of a caller who said nothing that could be read. */
  get #fallback(): ToneSteps | undefined {
    return fallbackSteps(this.call.bridge, this.#given?.steps ?? [], this.#ports.profiles);
  }

  #askFallback(): void {
    const again = this.#fallback;
    if (again === undefined) return;
    this.#player.listen(listeningFor(again));
    this.#tone = initialToneCall(again.steps, { listenMs: again.listenMs });
    this.#ask({ type: 'answered', at: this.#at() });
  }

  /** Records how the start of the call went, once. */
  #measured(taken: boolean): void {
    if (this.#tone === undefined) return;
    const handshake = this.#meter.over(protocolOf(this.#tone).name, taken);
    if (handshake !== undefined) this.#ports.handshake(handshake);
  }

  #tellCall(warnings: readonly string[], isOnTheLine: boolean): void {
    this.#measured(false);
    this.#tone = undefined;
    const { fromUser, bridge } = this.call;
    const voice = bridge.protocol === 'call' || bridge.protocol === 'voicecall';
    this.#protocol = voice ? bridge.protocol : 'voicecall';
    this.#tell(callEvent(this.#protocol, fromUser, this.#said, warnings, isOnTheLine));
  }

  /** A format without a value of its own in the API goes by the protocol of its receiver. */
  #named(protocol: string): AlarmProtocol {
    return ALARM_PROTOCOLS.find((one) => one === protocol) ?? this.call.bridge.protocol;
  }

  #at(): number {
    return this.#ports.clock.monoMs() - this.#answeredMs;
  }
}
