import type { HandshakeQuery } from '#shared/contract/runtime/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { SessionTrace } from '../../kernel/session-trace.ts';
import type { Handshake } from './handshake-meter.ts';
import { type HandshakeOf, HandshakeTable } from './handshake-table.ts';

type Ports = KernelPorts & TimerPorts & HandshakePorts;

/** A place for the statistics; one text, replaced as a whole. */
export interface HandshakeStore {
  /** Undefined: nothing was kept. */
  readonly load: () => string | undefined;
  readonly save: (text: string) => Promise<void>;
}

const SAVE_EVERY_MS = 60_000;
/** Owner of the one timer: all statistics are one text. */
const ALL = 'all';

/** Keeps the statistics of handshakes: tells the trace, answers whoever asks, writes them down once a minute. */
export class HandshakeStatistics {
  readonly #ports: Ports;
  readonly #table = new HandshakeTable();
  readonly #timers: TimerScope<'save'>;
  #savesSoon = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#timers = ports.timers.scope(() => this.#save());
    const kept = ports.handshakes?.load();
    if (kept !== undefined) this.#table.restore(kept);
  }

  record(of: HandshakeOf, handshake: Handshake, trace: SessionTrace): void {
    trace.add('handshake', { ...handshake, trunkId: of.trunkId });
    this.#table.add(of, handshake, this.#ports.clock.wallMs());
    if (this.#savesSoon) return;
    this.#savesSoon = true;
    this.#timers.start(ALL, 'save', this.#ports.clock.monoMs() + SAVE_EVERY_MS);
  }

  readonly list = ({ kind, key, limit }: HandshakeQuery) => this.#table.entries({ kind, key, limit });

  get figures(): Readonly<Record<string, number>> {
    return this.#table.figures;
  }

  #save(): void {
    this.#savesSoon = false;
    const { handshakes, run } = this.#ports;
    if (!this.#table.isDirty || handshakes === undefined) return;
    this.#table.isDirty = false;
    run(handshakes.save(this.#table.kept));
  }
}

export interface HandshakePorts {
  /** Keeps the statistics of handshakes over a restart; without it they start from zero. */
  readonly handshakes?: HandshakeStore;
}
