import { isUtf8 } from 'node:buffer';
import type { RawData, WebSocket } from 'ws';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Connection } from './connection.ts';
import type { TransportLimits } from './limits.ts';
import type { CloseReason, SendFailure, TransportSink } from './sip-transport.ts';

/** RFC 6455 7.4.1. */
const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const POLICY = 1_008;

/**
 * SIP over one WebSocket (RFC 7118): one message per frame, text or binary.
 *
 *     open ── nothing heard for webSocketPingMs: ping ── no answer by the next ──> over
 *       └──── idle, congested, the peer closes ──> ending ── closeMs ──> over
 */
export class WebSocketConnection implements Connection {
  readonly flow: Flow;
  readonly #socket: WebSocket;
  readonly #limits: TransportLimits;
  readonly #monoMs: () => number;
  readonly #sink: TransportSink;
  #reason: CloseReason = 'peer';
  #closing = false;
  /** The last message, and the last sign of life of any kind. */
  #messageMs: number;
  #receivedMs: number;
  #pingedMs: number | undefined;
  #endingSinceMs = 0;

  constructor(
    flow: Flow,
    socket: WebSocket,
    limits: TransportLimits,
    monoMs: () => number,
    sink: TransportSink,
  ) {
    this.flow = flow;
    this.#socket = socket;
    this.#limits = limits;
    this.#monoMs = monoMs;
    this.#sink = sink;
    this.#messageMs = monoMs();
    this.#receivedMs = this.#messageMs;
  }

  start(onClose: (reason: CloseReason) => void): void {
    const socket = this.#socket;
    // The event 'close', which follows each error (a frame too long, broken framing), gives its reason.
    socket.on('error', () => undefined);
    socket.on('message', (data) => this.#read(bytesOf(data)));
    for (const event of ['ping', 'pong'] as const) socket.on(event, () => this.#alive(this.#monoMs()));
    socket.once('close', () => {
      this.#closing = true;
      onClose(this.#reason);
      this.#sink.closed(this.flow, this.#reason);
    });
  }

  write(bytes: Uint8Array): Result<void, SendFailure> {
    if (this.#closing || this.#socket.readyState !== this.#socket.OPEN)
      return fail('Unreachable', 'the WebSocket is closed');
    if (this.#socket.bufferedAmount + bytes.length > this.#limits.writeQueueBytes) {
      this.cut('congested');
      return fail('Congested', 'the peer does not read what it is sent');
    }
    // RFC 7118 5: a text frame wherever the message is UTF-8, which browsers hand over as a string.
    this.#socket.send(bytes, { binary: !isUtf8(bytes) }, () => undefined);
    return ok(undefined);
  }

  sweep(nowMs: number): void {
    if (this.#closing) {
      if (nowMs - this.#endingSinceMs >= this.#limits.closeMs) this.#socket.terminate();
    } else if (nowMs - this.#messageMs >= this.#limits.idleMs) {
      if (this.#sink.inUse?.(this.flow) === true) this.#messageMs = nowMs;
      else this.end('idle');
    } else if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs >= this.#limits.webSocketPongMs) this.cut('idle');
    } else if (nowMs - this.#receivedMs >= this.#limits.webSocketPingMs) {
      this.#pingedMs = nowMs;
      this.#socket.ping();
    }
  }

  end(reason: CloseReason): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#reason = reason;
    this.#endingSinceMs = this.#monoMs();
    this.#socket.close(reason === 'shutdown' ? GOING_AWAY : reason === 'idle' ? NORMAL : POLICY);
  }

  cut(reason: CloseReason): void {
    if (!this.#closing) this.#reason = reason;
    this.#closing = true;
    this.#socket.terminate();
  }

  #read(bytes: Buffer): void {
    if (this.#closing) return;
    const nowMs = this.#monoMs();
    this.#alive(nowMs);
    // RFC 5626 4.4.1 in a frame, as some browsers' libraries send it: two line ends want one back.
    if (bytes.length <= 4 && isLineEnds(bytes)) {
      if (bytes.length === 4) this.write(CRLF);
      return;
    }
    this.#messageMs = nowMs;
    this.#sink.message(this.flow, bytes, nowMs);
  }

  #alive(nowMs: number): void {
    this.#receivedMs = nowMs;
    this.#pingedMs = undefined;
  }
}

const CRLF = Buffer.from('\r\n');

const isLineEnds = (bytes: Buffer): boolean => bytes.every((byte) => byte === 13 || byte === 10);

const bytesOf = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
