import type { BytePorts, KernelPorts } from '../../kernel/port.ts';
import { encodeReply, type LacsProfile, type LacsRequest, lacsEvent } from '../protocol/lacs/index.ts';
import { NOWHERE, type Remembered, RepeatMemory, sourceName } from '../protocol/repeat/index.ts';
import { type Arrival, originOf } from './alarm-intake.ts';
import type { AlarmSessions } from './alarm-sessions.ts';
import type { DeviceReply, Way } from './device-reply.ts';
import {
  type AdapterInput,
  answeredVoice,
  type PersistedAdapterState,
  type ProtocolAdapter,
  type RestoredAdapterState,
} from './protocol-adapter.ts';

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
  /** What its repeat is known by; absent: the conversation itself. */
  readonly mark?: string;
}

/** An alarm that was told, with what it needs to answer a repeat. */
interface Told extends Remembered {
  readonly answer: string | undefined;
  /** Everybody who waits for its answer until it is on the disk. */
  waiting: readonly (IncomingLacs & { readonly atMs: number })[];
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
export class LacsAdapter implements ProtocolAdapter {
  readonly name = 'lacs';
  readonly #ports: Ports;
  readonly #desk: AlarmSessions;
  readonly #reply: DeviceReply;
  readonly #memory = new RepeatMemory<Told>(MOST_STORED);

  constructor(ports: Ports, dependencies: { readonly desk: AlarmSessions; readonly reply: DeviceReply }) {
    this.#ports = ports;
    this.#desk = dependencies.desk;
    this.#reply = dependencies.reply;
    this.#desk.join(this);
  }

  receive(came: IncomingLacs): void {
    this.#desk.turn(() => {
      const mark = this.#nameOf(came);
      const origin = originOf(came);
      const verdict = this.#memory.judge(mark, origin, this.#now());
      if (verdict.kind === 'repeat' || verdict.kind === 'counted') {
        if (verdict.kind === 'counted') this.#desk.counted(verdict.of.conversation, came);
        if (verdict.of.stored) this.#answer(came, verdict.of.answer);
        else verdict.of.waiting = [...verdict.of.waiting, { ...came, atMs: this.#now() }];
        return;
      }
      const first = verdict.kind === 'possible' ? { possibleRepeatOf: verdict.of.conversation } : {};
      const conversation = verdict.kind === 'new' ? mark : `${mark} ${sourceName(origin)}`;
      const repeatMs = dedupeOf(came);
      const waiting = [{ ...came, atMs: this.#now() }];
      const told = { mark, conversation, origin, repeatMs, answer: replyTo(came), waiting, stored: false };
      this.#memory.add(told, this.#now());
      const said = lacsEvent(came.request, came.fromUser, came.profile);
      const name = { text: mark, withinMs: repeatMs };
      this.#desk.event(this, { conversation, said: { ...said, name, ...first }, arrival: came });
    });
  }

  input(conversation: string, input: AdapterInput): void {
    const told = this.#memory.find(conversation);
    switch (input.type) {
      case 'stored': {
        for (const came of told?.waiting ?? []) {
          // Nobody listens any more: the repeat gets the answer.
          if (this.#now() - came.atMs > came.profile.ackWithinMs) this.#reply.silence([came.way.id]);
          else this.#answer(came, replyTo(came));
        }
        if (told !== undefined) told.waiting = [];
        return;
      }
      case 'storeFailed':
        for (const { way } of told?.waiting ?? []) this.#reply.silence([way.id]);
        this.#memory.drop(conversation);
        return;
      case 'decision':
        this.#desk.input(conversation, { type: 'answered', voice: answeredVoice(input.decision) });
        return;
      case 'sessionEnded':
        // Its receiver is gone: it was never stored.
        if (told?.stored === false) this.#memory.drop(conversation);
        return;
    }
  }

  keep(conversation: string): PersistedAdapterState {
    const told = this.#memory.find(conversation);
    const { mark = conversation, repeatMs: dedupeMs = DEDUPE_MS.named } = told ?? {};
    const other = mark === conversation ? {} : { mark };
    const kept: Kept = { conversation, answer: told?.answer, dedupeMs, ...other };
    return { body: kept, dedupeKey: conversation, dedupeMs };
  }

  alsoStored(): readonly [] {
    return [];
  }

  eventStored(conversation: string): void {
    this.#memory.stored(conversation, this.#now());
  }

  conversationOf(body: unknown): string | undefined {
    return (body as Kept | null)?.conversation;
  }

  restore({ body, came }: RestoredAdapterState): void {
    const { conversation, answer, dedupeMs: repeatMs = DEDUPE_MS.named, mark = conversation } = body as Kept;
    const origin = came?.origin ?? NOWHERE;
    this.#memory.add(
      { mark, conversation, origin, repeatMs, answer, waiting: [], stored: true },
      this.#now(),
    );
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
