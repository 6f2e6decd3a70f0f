import type { Socket } from 'node:net';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { Connection } from './connection.ts';
import { StreamFramer } from './framing/stream-framer.ts';
import type { TransportLimits } from './limits.ts';
import type { CloseReason, SendFailure, TransportSink } from './sip-transport.ts';

/**
 * One TCP or TLS connection that is ready to carry messages.
 *
 *     open ──fault with an answer due──> draining ──next sweep──> ending ──peer closes, or closeMs──> over
 *       ├──── peer ends its half, answers due ──> answering ──the last, or closeMs──┘
 *       └──── idle, half message, congested, garbage ──> over
 *
 * `draining` reads nothing more and still writes: the answer to the message that ended the stream goes out. `answering`, too:
 * a peer that has sent all its messages still waits for answers that a disk or an application must confirm first.
 */
export class StreamConnection implements Connection {
  readonly flow: Flow;
  readonly #socket: Socket;
  readonly #limits: TransportLimits;
  readonly #monoMs: () => number;
  readonly #sink: TransportSink;
  readonly #framer: StreamFramer;
  #state: 'open' | 'draining' | 'answering' | 'ending' | 'gone' = 'open';
  #reason: CloseReason = 'peer';
  #receivedMs: number;
  #halfSinceMs = 0;
  #endingSinceMs = 0;
  /** Requests of the peer without a final response. */
  #unanswered = 0;

  constructor(
    flow: Flow,
    socket: Socket,
    limits: TransportLimits,
    monoMs: () => number,
    sink: TransportSink,
  ) {
    this.flow = flow;
    this.#socket = socket;
    this.#limits = limits;
    this.#monoMs = monoMs;
    this.#sink = sink;
    this.#framer = new StreamFramer(limits);
    this.#receivedMs = monoMs();
  }

  start(onClose: (reason: CloseReason) => void): void {
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, 60_000);
    // The event 'close', which follows each error, gives its reason.
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('end', () => this.#peerEnded());
    this.#socket.once('close', () => {
      this.#state = 'gone';
      onClose(this.#reason);
      this.#sink.closed(this.flow, this.#reason);
    });
  }

  write(bytes: Uint8Array): Result<void, SendFailure> {
    if (this.#state === 'gone' || this.#state === 'ending' || !this.#socket.writable) {
      return fail('Unreachable', 'the connection is closed');
    }
    if (this.#socket.writableLength + bytes.length > this.#limits.writeQueueBytes) {
      this.cut('congested');
      return fail('Congested', 'the peer does not read what it is sent');
    }
    this.#socket.write(bytes);
    if (isFinal(bytes) && this.#unanswered > 0) {
      this.#unanswered--;
      if (this.#unanswered === 0 && this.#state === 'answering') this.#end('peer');
    }
    return ok(undefined);
  }

  sweep(nowMs: number): void {
    if (this.#state === 'draining') this.#end(this.#reason);
    else if (this.#state === 'answering') {
      if (nowMs - this.#endingSinceMs >= this.#limits.closeMs) this.#end('peer');
    } else if (this.#state === 'ending') {
      if (nowMs - this.#endingSinceMs >= this.#limits.closeMs) this.#socket.destroy();
    } else if (this.#framer.halfMessage && nowMs - this.#halfSinceMs >= this.#limits.halfMessageMs) {
      this.cut('halfMessageTimeout');
    } else if (nowMs - this.#receivedMs >= this.#limits.idleMs) {
      if (this.#sink.inUse?.(this.flow) === true) this.#receivedMs = nowMs;
      else this.#end('idle');
    }
  }

  end(reason: CloseReason): void {
    this.#end(reason);
  }

  cut(reason: CloseReason): void {
    if (this.#state === 'open') this.#reason = reason;
    this.#state = 'gone';
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#state !== 'open') return;
    const nowMs = this.#monoMs();
    this.#receivedMs = nowMs;
    const wasHalf = this.#framer.halfMessage;
    const frames = this.#framer.push(chunk);
    let answerDue = false;
    for (const frame of frames) {
      if (frame.kind === 'message') {
        answerDue = true;
        if (isAnswered(frame.bytes)) this.#unanswered++;
        this.#sink.message(this.flow, frame.bytes, nowMs);
      } else if (frame.kind === 'ping') this.write(CRLF);
      else if (!answerDue) this.cut(frame.fault);
      else {
        this.#reason = frame.fault;
        this.#state = 'draining';
      }
    }
    if (this.#framer.halfMessage && (!wasHalf || frames.length > 0)) this.#halfSinceMs = nowMs;
  }

  #peerEnded(): void {
    if (this.#state !== 'open' || this.#unanswered === 0 || this.#framer.halfMessage) {
      this.#end('peer');
      return;
    }
    this.#reason = 'peer';
    this.#state = 'answering';
    this.#endingSinceMs = this.#monoMs();
  }

  #end(reason: CloseReason): void {
    if (this.#state === 'ending' || this.#state === 'gone') return;
    if (this.#state === 'open') this.#reason = reason;
    this.#state = 'ending';
    this.#endingSinceMs = this.#monoMs();
    this.#socket.end();
  }
}

const CRLF = Buffer.from('\r\n');

const [S, A, SLASH, SPACE, TWO] = [0x53, 0x41, 0x2f, 0x20, 0x32];

/** A response of 200 or more: `SIP/2.0 2`. */
const isFinal = (bytes: Uint8Array): boolean =>
  bytes[0] === S && bytes[3] === SLASH && (bytes[8] ?? 0) >= TWO;

/** A request, and no ACK. */
const isAnswered = (bytes: Uint8Array): boolean =>
  !(bytes[0] === S && bytes[3] === SLASH) && !(bytes[0] === A && bytes[3] === SPACE);
