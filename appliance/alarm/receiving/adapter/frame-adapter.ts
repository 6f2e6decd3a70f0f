import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import { uuid } from '#shared/id.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { BytePorts, KernelPorts } from '../../../kernel/port.ts';
import { ReportMemory } from '../../../kernel/report-memory.ts';
import { SessionTrace } from '../../../kernel/session-trace.ts';
import type { AnsweredFrame, FrameProtocol } from '../../protocol/index.ts';
import { LacsTable, type LacsTableEffect, type PersistedLacs } from '../../protocol/lacs/index.ts';
import type { AlarmReceiver } from '../../receiver/index.ts';
import type { AlarmSessions } from '../alarm-sessions.ts';
import { type Arrival, matchedReceiver, originOf } from '../arrival.ts';
import type {
  AdapterInput,
  PersistedAdapterState,
  ProtocolAdapter,
  RestoredAdapterState,
} from '../protocol-adapter.ts';
import type { FrameReplyPath } from './frame-reply-path.ts';

type Ports = KernelPorts & BytePorts;

export interface FrameAdapterDependencies {
  readonly alarmSessions: AlarmSessions;
  readonly alarms: PlatformAlarms;
  readonly receiver: () => AlarmReceiver;
}

interface IncomingFrame extends Arrival {
  readonly frame: AnsweredFrame;
  readonly replyPath: FrameReplyPath;
}

const MOST_STORED = 50_000;

/**
 * Joins the connections of one protocol of frames to the alarm sessions: a frame is stored, then answered, and its repeat is
 * answered alone. Frames carry no speech, so a session ends with its decision. A frame that no bridge of the protocol takes gets
 * no answer, so that its sender uses its next receiver.
 */
export class FrameAdapter implements ProtocolAdapter {
  readonly name: string;
  readonly #ports: Ports;
  readonly #dependencies: FrameAdapterDependencies;
  readonly #protocol: FrameProtocol;
  readonly repeats = new LacsTable<IncomingFrame>(MOST_STORED);
  /** Connections that are open: nothing is written to others. */
  readonly #open = new Set<string>();
  readonly #reported = new ReportMemory();

  constructor(ports: Ports, dependencies: FrameAdapterDependencies, protocol: FrameProtocol) {
    this.name = protocol.name;
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#protocol = protocol;
    dependencies.alarmSessions.join(this);
  }

  /** One whole frame. */
  frame(bytes: Uint8Array, replyPath: FrameReplyPath): void {
    const frame = this.#protocol.read(bytes);
    const receiver = this.#dependencies.receiver();
    const bridge = frame && receiver.anyBridge(frame.address, ({ protocol }) => protocol === this.name);
    if (frame === undefined || bridge === undefined) {
      this.#unanswered(frame, replyPath);
      return;
    }
    this.#open.add(replyPath.id);
    const { controllerId: fromUser, address: calledParty } = frame;
    const work = (): void => {
      const trace = new SessionTrace(uuid(this.#ports.random(16)), this.#ports.traceMs, this.#ports.sessions);
      trace.add('frameReceived', {
        transport: replyPath.transport,
        source: `${replyPath.sourceIp}:${replyPath.sourcePort}`,
      });
      trace.add('receiverMatched', matchedReceiver(bridge));
      const { sourceIp } = replyPath;
      const protocol = this.name as AlarmProtocol;
      this.#receive({ protocol, bridge, fromUser, calledParty, sourceIp, trace, frame, replyPath });
    };
    const { alarmSessions, alarms } = this.#dependencies;
    const isKnown = receiver.find(bridge, { controllerId: fromUser }).device !== undefined;
    if (isKnown) alarmSessions.turn(work);
    else alarms.strangers.takeAlarm(replyPath.sourceIp, bridge.protocol, () => alarmSessions.turn(work));
  }

  /** A connection has ended; its sender asks again. */
  closed(connectionId: string): void {
    this.#open.delete(connectionId);
  }

  input(conversation: string, input: AdapterInput): void {
    if (input.type === 'decision')
      this.#dependencies.alarmSessions.input(conversation, { type: 'answered', voice: 'none' });
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

  #unanswered(frame: AnsweredFrame | undefined, { sourceIp }: FrameReplyPath): void {
    const { name: protocol } = this;
    this.#ports.log('debug', 'frame.unanswered', 'Left a frame without an answer', { protocol, sourceIp });
    if (frame === undefined || !this.#reported.report('noReceiver', frame.address, this.#now())) return;
    const reason = `no alarm bridge of protocol ${protocol} matches ${frame.address}; provision one, or correct its destinationMatch`;
    const errorDetails = { reason, account: frame.controllerId, sourceIp };
    this.#dependencies.alarms.raise({ type: 'serviceAlarm', error: 'noReceiver', errorDetails });
  }

  #receive(came: IncomingFrame): void {
    const { frame } = came;
    const effects = this.repeats.receive({
      at: this.#now(),
      mark: this.#markOf(came),
      origin: originOf(came),
      repeatMs: frame.repeatMs,
      by: came,
      answer: Buffer.from(frame.answer()).toString('latin1'),
      withinMs: frame.withinMs,
    });
    this.#perform(effects, came);
  }

  #perform(effects: readonly LacsTableEffect<IncomingFrame>[], came: IncomingFrame | undefined): void {
    const { alarmSessions } = this.#dependencies;
    for (const effect of effects) {
      switch (effect.type) {
        case 'event': {
          if (came === undefined) break;
          const { conversation, possibleRepeatOf } = effect as typeof effect & { possibleRepeatOf?: string };
          const name = { text: this.#markOf(came), withinMs: came.frame.repeatMs };
          const first = possibleRepeatOf === undefined ? {} : { possibleRepeatOf };
          alarmSessions.event(this, {
            conversation,
            said: { ...came.frame.event(), name, ...first },
            arrival: came,
          });
          break;
        }
        case 'answer': {
          const { replyPath, trace } = effect.by;
          trace.add('deviceAnswered', { answer: effect.xml ?? '' });
          if (this.#open.has(replyPath.id)) replyPath.send(Buffer.from(effect.xml ?? '', 'latin1'));
          break;
        }
        case 'silence':
          break;
        case 'counted':
          if (came !== undefined) alarmSessions.counted(effect.conversation, came);
          break;
      }
    }
  }

  /** The same frame of the same device is the same alarm. */
  #markOf({ bridge, fromUser, frame }: IncomingFrame): string {
    const text = this.#ports.sha256Hex(Buffer.from(frame.text, 'latin1'));
    return `${this.name} ${bridge.id} ${fromUser} ${text.slice(0, 32)}`;
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
