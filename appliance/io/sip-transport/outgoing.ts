import type { SecureContext } from 'node:tls';
import { BoundedMap } from '#shared/bounded-map.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Connection } from './connection.ts';
import type { ConnectionTable } from './connection-table.ts';
import { dial, type Target } from './dialer.ts';
import type { TransportLimits } from './limits.ts';
import type { ConnectFailure, SendFailure, TlsCredentials, TransportSink } from './sip-transport.ts';
import { ClientContext } from './tls-options.ts';

/** Addresses we once connected to and would connect to again. */
const REMEMBERED = 1_024;

type Connected = Result<Connection, ConnectFailure>;

/** The connections we open: one per target, used again while it lives, opened again when a flow needs it. */
export class Outgoing {
  readonly #table: ConnectionTable;
  readonly #limits: TransportLimits;
  readonly #credentials: () => TlsCredentials | undefined;
  readonly #sink: TransportSink;
  /** Running and made connections by target; a target that failed or ended is not in here. */
  readonly #byTarget = new Map<string, Promise<Connected>>();
  readonly #targets = new BoundedMap<string, Target>(REMEMBERED);
  readonly #context = new ClientContext();
  readonly #closing = new AbortController();

  constructor(
    table: ConnectionTable,
    limits: TransportLimits,
    credentials: () => TlsCredentials | undefined,
    sink: TransportSink,
  ) {
    this.#table = table;
    this.#limits = limits;
    this.#credentials = credentials;
    this.#sink = sink;
  }

  connection(target: Target): Promise<Connected> {
    if (this.#closing.signal.aborted) return Promise.resolve(fail('Closed', 'the transport is closed'));
    const key = targetKey(target);
    const known = this.#byTarget.get(key);
    if (known !== undefined) return known;
    const context = this.#contextFor(target);
    if (!context.ok) return Promise.resolve(context);
    const opening = this.#open(target, context.value, () => this.#byTarget.delete(key));
    this.#byTarget.set(key, opening);
    return opening;
  }

  /**
   * For a flow whose connection is closed: if we had opened it, open it again and send there. The sink gets a later failure,
   * because the caller has continued.
   */
  sendAgain(flow: Flow, bytes: Uint8Array): Result<void, SendFailure> {
    const target = this.#targets.get(addressKey(flow));
    if (target === undefined || this.#closing.signal.aborted)
      return fail('Unreachable', 'the connection is closed');
    void this.connection(target).then((connected) => {
      const sent: Result<void, ConnectFailure | SendFailure> = connected.ok
        ? connected.value.write(bytes)
        : connected;
      if (!sent.ok) this.#sink.failed(flow, bytes, { code: 'Unreachable', reason: sent.error.reason });
    });
    return ok(undefined);
  }

  /** Gives up what is being connected; made connections end with the table. */
  close(): void {
    this.#closing.abort();
  }

  async #open(target: Target, context: SecureContext | undefined, forget: () => void): Promise<Connected> {
    const { handshakeMs } = this.#limits;
    const patienceMs = Math.min(target.options.withinMs ?? handshakeMs, handshakeMs);
    const dialled = await dial(target, context, patienceMs, this.#closing.signal);
    const connection = dialled.ok ? this.#table.adopt(target.transport, dialled.value, forget) : undefined;
    if (connection === undefined) {
      forget();
      return dialled.ok ? fail('Unreachable', 'the peer closed the connection at once') : dialled;
    }
    this.#remember(addressKey(connection.flow), target);
    return ok(connection);
  }

  #contextFor(target: Target): Result<SecureContext | undefined, ConnectFailure> {
    if (target.transport === 'TCP') return ok(undefined);
    try {
      return ok(this.#context.of(this.#credentials()));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return fail('NoCredentials', `the TLS certificate, key or authorities cannot be used: ${reason}`);
    }
  }

  #remember(key: string, target: Target): void {
    this.#targets.set(key, target);
  }
}

const addressKey = (flow: Flow): string => `${flow.transport} ${flow.remoteAddress} ${flow.remotePort}`;

/** A connection checked for one identity is none for another. */
const targetKey = (target: Target): string =>
  `${target.transport} ${target.host} ${target.port} ${target.options.trust === true ? '*' : (target.options.domain ?? target.host)}`;
