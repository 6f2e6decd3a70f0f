import type { AlarmEvent } from '#shared/alarm-event/index.ts';
import { BoundedMap } from '#shared/bounded-map.ts';
import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { Media } from '../../media/control/index.ts';
import type { Handshake, HandshakeStatistics } from '../handshake/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { AlarmReceiver } from '../receiver/index.ts';
import type { AlarmSessions } from '../receiving/alarm-sessions.ts';
import {
  type AdapterInput,
  answeredVoice,
  type PersistedAdapterState,
  type ProtocolAdapter,
} from '../receiving/protocol-adapter.ts';
import type { AlarmVoice } from './alarm-voice.ts';
import type { DeviceCall, DeviceCallHandler, DeviceCallUser } from './device-call.ts';
import { asProvisioned } from './scheme-unit.ts';
import { ToneExchange } from './tone-exchange.ts';
import type { ToneConversationTimer } from './tone-exchange-port.ts';
import { digitForm } from './tone-phrase.ts';
import { toneSteps } from './tone-steps.ts';

/** Numbers whose protocol is remembered; the oldest is forgotten beyond. */
const MOST_REMEMBERED = 10_000;

type Ports = KernelPorts & TimerPorts;

export interface ToneCallsDependencies {
  readonly alarmSessions: AlarmSessions;
  readonly voice: AlarmVoice;
  readonly media: Pick<Media, 'play' | 'stop' | 'listen'>;
  readonly receiver: () => AlarmReceiver;
  readonly profiles: ProfileTables;
  readonly handshakes: HandshakeStatistics;
}

/**
 * Takes calls of devices that speak in tones, and calls that are an alarm by themselves: each is a conversation with a
 * machine of its protocol, behind which stands an alarm session like any other.
 */
export class ToneCalls implements ProtocolAdapter, DeviceCallHandler {
  readonly name = 'tone';
  readonly #ports: Ports;
  readonly #dependencies: ToneCallsDependencies;
  /** By call. */
  readonly #running = new Map<string, ToneExchange>();
  /** By the name of the session that runs in it now, and those before. */
  readonly #sessions = new Map<string, ToneExchange>();
  readonly #timers: TimerScope<ToneConversationTimer>;
  /** Protocol by calling number; insertion order is order of use. */
  readonly #remembered = new BoundedMap<string, string>(MOST_REMEMBERED);

  constructor(ports: Ports, dependencies: ToneCallsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#timers = ports.timers.scope((owner, timer) =>
      dependencies.alarmSessions.turn(() => this.#running.get(owner)?.timer(timer)),
    );
    dependencies.alarmSessions.join(this);
  }

  get size(): number {
    return this.#running.size;
  }

  incoming(call: DeviceCall): DeviceCallUser {
    const { alarmSessions, voice, media, receiver, profiles } = this.#dependencies;
    const device = receiver().sender(call.bridge, call);
    const steps = toneSteps(call.bridge, device, this.#remembered.get(call.fromUser), profiles);
    let begun: Handshake | undefined;
    const conversation: ToneExchange = new ToneExchange(call, steps, {
      clock: this.#ports.clock,
      media,
      voice,
      profiles,
      run: this.#ports.run,
      log: this.#ports.log,
      event: (said, protocol) => {
        if (begun !== undefined) this.#measured(call, begun, said.event);
        begun = undefined;
        this.#event(conversation, said, protocol);
      },
      start: (timer, ms) => this.#timers.start(call.id, timer, this.#ports.clock.monoMs() + ms),
      stop: (timer) => this.#timers.stop(call.id, timer),
      spoke: (protocol) => this.#remembered.set(call.fromUser, protocol),
      handshake: (handshake) => {
        // Its string tells which device it is.
        if (handshake.result === 'failed') this.#measured(call, handshake, undefined);
        else begun = handshake;
      },
      provisioned: (fields) => asProvisioned(fields, call.bridge, this.#dependencies.receiver()),
      isScheme: (controllerId) => receiver().isScheme(call.bridge, { controllerId }),
      named: (name) => this.#sessions.set(name, conversation),
      over: () => this.#over(conversation),
    });
    this.#running.set(call.id, conversation);
    this.#sessions.set(conversation.name, conversation);
    const inTurn =
      <T extends readonly unknown[]>(work: (...given: T) => void) =>
      (...given: T) =>
        alarmSessions.turn(() => work(...given));
    call.answer();
    return {
      answered: inTurn(() => conversation.answered()),
      mediaEvent: inTurn((event) => conversation.onMediaEvent(event)),
      joined: inTurn(() => voice.joined(conversation.name)),
      left: inTurn((reason, hasHungUp) => voice.left(conversation.name, reason, hasHungUp)),
      ended: inTurn((reason, isCutOff) => conversation.ended(reason, isCutOff)),
    };
  }

  input(name: string, input: AdapterInput): void {
    const conversation = this.#sessions.get(name);
    if (conversation?.name === name) conversation.input(input);
    // It has hung up, or an earlier run had its call: a device that waits for speech has to call again, and if it does not, a
    // person is notified.
    else if (input.type === 'decision')
      this.#dependencies.alarmSessions.input(name, {
        type: 'answered',
        voice: answeredVoice(input.decision),
      });
  }

  keep(conversation: string): PersistedAdapterState {
    return { body: { conversation }, dedupeKey: conversation, dedupeMs: 0 };
  }

  alsoStored(): readonly [] {
    return [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as { readonly conversation?: string } | null)?.conversation;
  }

  restore(): void {}

  #event(conversation: ToneExchange, said: ProtocolEvent, protocol: AlarmProtocol): void {
    const { call, name } = conversation;
    const { bridge, fromUser, calledParty, sourceIp, trace } = call;
    const arrival = { protocol, bridge, fromUser, calledParty, sourceIp, trace };
    this.#dependencies.alarmSessions.event(this, { conversation: name, said, arrival });
  }

  /** `said`: what its string says; a number alone often is no device. */
  #measured(call: DeviceCall, handshake: Handshake, said: AlarmEvent | undefined): void {
    const { trunkId, fromUser: number, trace, bridge } = call;
    const receiver = this.#dependencies.receiver();
    const { device } = receiver.find(bridge, {
      controllerId: said?.controllerId ?? call.deviceId ?? number,
      ...(said?.deviceId !== undefined && { deviceId: said.deviceId }),
      callingParty: number,
    });
    const deviceId = device?.deviceId ?? call.deviceId;
    const deviceType = device?.deviceType;
    const saidAs = digitForm(call, 'inaudio');
    this.#dependencies.handshakes.record(
      { deviceId, deviceType, number, trunkId, bridgeId: bridge.id },
      { ...handshake, saidAs },
      trace,
    );
  }

  #over(conversation: ToneExchange): void {
    this.#running.delete(conversation.call.id);
    for (const [name, known] of this.#sessions) if (known === conversation) this.#sessions.delete(name);
  }
}
