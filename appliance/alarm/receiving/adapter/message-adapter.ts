import type { BytePorts, KernelPorts } from '../../../kernel/port.ts';
import type { AnsweredMessage, MessageProtocol } from '../../protocol/index.ts';
import { LacsTable, type LacsTableEffect, type PersistedLacs } from '../../protocol/lacs/index.ts';
import type { AlarmSessions } from '../alarm-sessions.ts';
import { type Arrival, originOf } from '../arrival.ts';
import {
  type AdapterInput,
  answeredVoice,
  type PersistedAdapterState,
  type ProtocolAdapter,
  type RestoredAdapterState,
} from '../protocol-adapter.ts';
import type { DeviceReply, DeviceReplyPath } from './device-reply.ts';

type Ports = KernelPorts & BytePorts;

/** One message with an alarm, past authentication, on its way to its session. */
export interface IncomingMessage extends Arrival {
  readonly message: AnsweredMessage;
  readonly replyPath: DeviceReplyPath;
}

const MOST_STORED = 50_000;

/**
 * Joins the exchanges of one protocol of messages, such as LACS, to the alarm sessions behind them and to the ways back.
 * Speech comes by a call of the device, as with SCAIP.
 */
export class MessageAdapter implements ProtocolAdapter {
  readonly name: string;
  readonly #ports: Ports;
  readonly #alarmSessions: AlarmSessions;
  readonly #reply: DeviceReply;
  readonly repeats = new LacsTable<IncomingMessage>(MOST_STORED);

  constructor(
    ports: Ports,
    dependencies: { readonly alarmSessions: AlarmSessions; readonly reply: DeviceReply },
    { name }: MessageProtocol,
  ) {
    this.name = name;
    this.#ports = ports;
    this.#alarmSessions = dependencies.alarmSessions;
    this.#reply = dependencies.reply;
    this.#alarmSessions.join(this);
  }

  receive(came: IncomingMessage): void {
    this.#alarmSessions.turn(() => {
      const effects = this.repeats.receive({
        at: this.#now(),
        mark: this.#markOf(came),
        origin: originOf(came),
        repeatMs: came.message.repeatMs,
        by: came,
        answer: came.message.answer(came.bridge.lacsCallback),
        withinMs: came.message.withinMs,
      });
      this.#perform(effects, came);
    });
  }

  input(conversation: string, input: AdapterInput): void {
    if (input.type === 'decision')
      this.#alarmSessions.input(conversation, { type: 'answered', voice: answeredVoice(input.decision) });
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

  #perform(effects: readonly LacsTableEffect<IncomingMessage>[], came: IncomingMessage | undefined): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'event':
          if (came !== undefined) this.#event(effect, came);
          break;
        case 'answer': {
          const { replyPath, message, trace } = effect.by;
          this.#reply.give(replyPath, effect.xml ?? '', message.responseMode, trace);
          break;
        }
        case 'silence':
          this.#reply.silence([effect.by.replyPath.id]);
          break;
        case 'counted':
          if (came !== undefined) this.#alarmSessions.counted(effect.conversation, came);
          break;
      }
    }
  }

  #event(
    {
      conversation,
      possibleRepeatOf,
    }: LacsTableEffect<IncomingMessage> & { readonly possibleRepeatOf?: string },
    came: IncomingMessage,
  ): void {
    const name = { text: this.#markOf(came), withinMs: came.message.repeatMs };
    const first = possibleRepeatOf === undefined ? {} : { possibleRepeatOf };
    const said = { ...came.message.event(came.fromUser), name, ...first };
    this.#alarmSessions.event(this, { conversation, said, arrival: came });
  }

  /** The same body of the same device is the same alarm. */
  #markOf({ bridge, fromUser, message }: IncomingMessage): string {
    return `${this.name} ${bridge.id} ${fromUser} ${this.#ports.sha256Hex(message.text).slice(0, 32)}`;
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
