import type { BytePorts, KernelPorts } from '../../../kernel/port.ts';
import {
  encodeReply,
  type LacsProfile,
  type LacsRequest,
  LacsTable,
  type LacsTableEffect,
  lacsEvent,
  type PersistedLacs,
  REPEAT_MS,
} from '../../protocol/lacs/index.ts';
import type { AlarmSessions } from '../alarm-sessions.ts';
import { type Arrival, originOf } from '../arrival.ts';
import {
  type AdapterInput,
  answeredVoice,
  type PersistedAdapterState,
  type ProtocolAdapter,
  type RestoredAdapterState,
} from '../protocol-adapter.ts';
import type { DeviceReply, Way } from './device-reply.ts';

type Ports = KernelPorts & BytePorts;

/** One LACS request, past authentication, on its way to its session. */
export interface IncomingLacs extends Arrival {
  readonly request: LacsRequest;
  readonly profile: LacsProfile;
  readonly way: Way;
}

const MOST_STORED = 50_000;

/**
 * Joins the exchanges with LACS devices to the alarm sessions behind them and to the ways back. Speech comes by a call of
 * the device, as with SCAIP.
 */
export class LacsAdapter implements ProtocolAdapter {
  readonly name = 'lacs';
  readonly #ports: Ports;
  readonly #desk: AlarmSessions;
  readonly #reply: DeviceReply;
  readonly repeats = new LacsTable<IncomingLacs>(MOST_STORED);

  constructor(ports: Ports, dependencies: { readonly desk: AlarmSessions; readonly reply: DeviceReply }) {
    this.#ports = ports;
    this.#desk = dependencies.desk;
    this.#reply = dependencies.reply;
    this.#desk.join(this);
  }

  receive(came: IncomingLacs): void {
    this.#desk.turn(() => {
      const effects = this.repeats.receive({
        at: this.#now(),
        mark: this.#markOf(came),
        origin: originOf(came),
        repeatMs: repeatMsOf(came),
        by: came,
        answer: encodeReply(came.request, came.bridge.lacsCallback, came.profile),
        withinMs: came.profile.ackWithinMs,
      });
      this.#perform(effects, came);
    });
  }

  input(conversation: string, input: AdapterInput): void {
    if (input.type === 'decision')
      this.#desk.input(conversation, { type: 'answered', voice: answeredVoice(input.decision) });
    else this.#perform(this.repeats.input(conversation, { type: input.type, at: this.#now() }), undefined);
  }

  keep(conversation: string): PersistedAdapterState {
    const kept = this.repeats.keep(conversation);
    return { body: kept, dedupeKey: conversation, dedupeMs: kept.dedupeMs };
  }

  alsoStored(): readonly [] {
    return [];
  }

  conversationOf(body: unknown): string | undefined {
    return (body as PersistedLacs | null)?.conversation;
  }

  restore({ body, came }: RestoredAdapterState): void {
    this.repeats.restore(body as PersistedLacs, came?.origin, this.#now());
  }

  #perform(effects: readonly LacsTableEffect<IncomingLacs>[], came: IncomingLacs | undefined): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'event':
          if (came !== undefined) this.#event(effect, came);
          break;
        case 'answer': {
          const { way, profile, trace } = effect.by;
          this.#reply.give(way, effect.xml ?? '', profile.responseMode, trace);
          break;
        }
        case 'silence':
          this.#reply.silence([effect.by.way.id]);
          break;
        case 'counted':
          if (came !== undefined) this.#desk.counted(effect.conversation, came);
          break;
      }
    }
  }

  #event(
    {
      conversation,
      possibleRepeatOf,
    }: LacsTableEffect<IncomingLacs> & { readonly possibleRepeatOf?: string },
    came: IncomingLacs,
  ): void {
    const name = { text: this.#markOf(came), withinMs: repeatMsOf(came) };
    const first = possibleRepeatOf === undefined ? {} : { possibleRepeatOf };
    const said = { ...lacsEvent(came.request, came.fromUser, came.profile), name, ...first };
    this.#desk.event(this, { conversation, said, arrival: came });
  }

  /** The same body of the same device is the same alarm; a reference makes two alarms of equal content two. */
  #markOf({ bridge, fromUser, request }: IncomingLacs): string {
    return `lacs ${bridge.id} ${fromUser} ${this.#ports.sha256Hex(request.raw).slice(0, 32)}`;
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

const repeatMsOf = ({ request: { fields } }: IncomingLacs): number =>
  fields.reference === undefined ? REPEAT_MS.unnamed : REPEAT_MS.named;
