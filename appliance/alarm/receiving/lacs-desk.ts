import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import { encodeReply, type LacsProfile, type LacsRequest, lacsEvent } from '../protocol/lacs/index.ts';
import type { AlarmDesk } from './alarm-desk.ts';
import {
  type AlarmFront,
  answeredVoice,
  type FrontInput,
  type KeptFront,
  type RestoredFront,
} from './alarm-front.ts';
import type { Arrival } from './alarm-intake.ts';
import type { DeviceReply, Way } from './device-reply.ts';

type Ports = KernelPorts & BytePorts;

/** One LACS request, past authentication, on its way to its session. */
export interface IncomingLacs extends Arrival {
  readonly request: LacsRequest;
  readonly profile: LacsProfile;
  readonly way: Way;
}

/** What is written of an alarm: enough to answer its repeat. */
interface Kept {
  readonly conversation: string;
  readonly answer: string | undefined;
  readonly dedupeMs?: number;
}

/**
 * Chosen: as for SCAIP where the request has a reference, else as for NOW-IP: without one, whoever presses the button again
 * says the same as whoever repeats.
 */
const DEDUPE_MS = { named: 30 * 60_000, unnamed: 2 * 60_000 } as const;
const MOST_STORED = 50_000;

/**
 * Joins LACS devices to the alarm sessions: store, answer, and the same body again gets the same answer and is no event.
 * Speech comes by a call of the device, as with SCAIP.
 */
export class LacsDesk implements AlarmFront {
  readonly name = 'lacs';
  readonly #ports: Ports;
  readonly #desk: AlarmDesk;
  readonly #reply: DeviceReply;
  /** On their way to the disk, with everybody who waits for the answer. */
  readonly #storing = new Map<string, (IncomingLacs & { readonly atMs: number })[]>();
  /** Answers of what is on the disk, with the end of their time (monotonic ms); the oldest first. */
  readonly #stored = new Map<string, { readonly answer: string | undefined; readonly untilMs: number }>();

  constructor(ports: Ports, parts: { readonly desk: AlarmDesk; readonly reply: DeviceReply }) {
    this.#ports = ports;
    this.#desk = parts.desk;
    this.#reply = parts.reply;
    this.#desk.join(this);
  }

  receive(came: IncomingLacs): void {
    this.#desk.turn(() => {
      const conversation = this.#nameOf(came);
      const known = this.#stored.get(conversation);
      if (known !== undefined && known.untilMs > this.#now()) {
        this.#answer(came, known.answer);
        return;
      }
      const waiting = this.#storing.get(conversation);
      if (waiting !== undefined) {
        waiting.push({ ...came, atMs: this.#now() });
        return;
      }
      this.#storing.set(conversation, [{ ...came, atMs: this.#now() }]);
      const said = lacsEvent(came.request, came.fromUser, came.profile);
      const name = { text: conversation, withinMs: dedupeOf(came) };
      this.#desk.event(this, { conversation, said: { ...said, name }, arrival: came });
    });
  }

  input(conversation: string, input: FrontInput): void {
    switch (input.type) {
      case 'stored': {
        for (const came of this.#storing.get(conversation) ?? []) {
          // Nobody listens any more: the repeat gets the answer.
          if (this.#now() - came.atMs > came.profile.ackWithinMs) this.#reply.silence([came.way.id]);
          else this.#answer(came, replyTo(came));
        }
        this.#storing.delete(conversation);
        return;
      }
      case 'storeFailed':
        for (const { way } of this.#storing.get(conversation) ?? []) this.#reply.silence([way.id]);
        this.#storing.delete(conversation);
        return;
      case 'decision':
        this.#desk.input(conversation, { type: 'answered', voice: answeredVoice(input.decision) });
        return;
      case 'sessionEnded':
        return;
    }
  }

  keep(conversation: string): KeptFront {
    const [came] = this.#storing.get(conversation) ?? [];
    const answer = came === undefined ? this.#stored.get(conversation)?.answer : replyTo(came);
    const dedupeMs = came === undefined ? DEDUPE_MS.named : dedupeOf(came);
    const kept: Kept = { conversation, answer, dedupeMs };
    return { body: kept, dedupeKey: conversation, dedupeMs };
  }

  alsoStored(): readonly [] {
    return [];
  }

  eventStored(conversation: string): void {
    const [came] = this.#storing.get(conversation) ?? [];
    this.#remember(conversation, came && replyTo(came), came && dedupeOf(came));
  }

  conversationOf(body: unknown): string | undefined {
    return (body as Kept | null)?.conversation;
  }

  restore({ body }: RestoredFront): void {
    const { conversation, answer, dedupeMs } = body as Kept;
    this.#remember(conversation, answer, dedupeMs);
  }

  #remember(conversation: string, answer: string | undefined, dedupeMs: number = DEDUPE_MS.named): void {
    const nowMs = this.#now();
    for (const [known, { untilMs }] of this.#stored) {
      if (untilMs > nowMs && this.#stored.size < MOST_STORED) break;
      this.#stored.delete(known);
    }
    this.#stored.set(conversation, { answer, untilMs: nowMs + dedupeMs });
  }

  #answer({ way, profile, trace }: IncomingLacs, xml: string | undefined): void {
    this.#reply.give(way, xml ?? '', profile.responseMode, trace);
  }

  /** The same body of the same device is the same alarm; a reference makes two alarms of equal content two. */
  #nameOf({ bridge, fromUser, request }: IncomingLacs): string {
    return `lacs ${bridge.id} ${fromUser} ${this.#ports.sha256Hex(request.raw).slice(0, 32)}`;
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

const dedupeOf = ({ request: { fields } }: IncomingLacs): number =>
  fields.reference === undefined ? DEDUPE_MS.unnamed : DEDUPE_MS.named;

const replyTo = ({ request, bridge, profile }: IncomingLacs): string | undefined =>
  encodeReply(request, bridge.lacsCallback, profile);
