import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '#shared/result.ts';
import type {
  IceCandidate,
  OpenWebRtc,
  WebRtc,
  WebRtcEvent,
  WebRtcFault,
  WebRtcFigures,
  WebRtcId,
  WebRtcOpening,
  WebRtcTransport,
} from '../../media/webrtc/index.ts';
import type { WebRtcAnswer, WebRtcCommand, WebRtcReport, WebRtcThreadSetting } from './webrtc-message.ts';

export interface WebRtcSetting {
  /** Ports of the ICE sockets, both ends included; any without it. */
  readonly ports?: { readonly from: number; readonly to: number };
  /** Addresses offered beside those of the interfaces: one that is forwarded to us, or the loopback of a test. */
  readonly extraHosts?: readonly string[];
  /** Offer IPv6 addresses too; true without it. */
  readonly ipv6?: boolean;
}

/** WebRTC peers of ordinary media legs, by a thread of its own. */
export interface OpenedWebRtc extends WebRtc {
  /** Closes every connection and ends the thread. */
  end(): Promise<void>;
}

/** Nothing runs before the first leg: the thread starts with it. */
export const openWebRtc = (setting: WebRtcSetting): OpenedWebRtc => new ThreadedWebRtc(setting);

/*
 *   none ──open──▶ running ──end──▶ ended
 *    ▲               │
 *    └─ thread dies ─┘    waiting answers: Lost; every open leg: failed
 */
class ThreadedWebRtc implements OpenedWebRtc {
  readonly #setting: WebRtcSetting;
  readonly #waiting = new Map<number, (answer: WebRtcAnswer) => void>();
  readonly #open = new Set<WebRtcId>();
  #thread: Worker | undefined;
  #commands = 0;
  #ended = false;
  onEvent: (event: WebRtcEvent) => void = () => undefined;

  constructor(setting: WebRtcSetting) {
    this.#setting = setting;
  }

  async open(opening: WebRtcOpening) {
    const answer = await this.#ask({ kind: 'open', opening });
    if (answer.ok) this.#open.add(opening.id);
    return answer as Result<OpenWebRtc, WebRtcFault>;
  }

  async accept(id: WebRtcId, remote: WebRtcTransport) {
    return done(await this.#ask({ kind: 'accept', id, remote }));
  }

  async addCandidate(id: WebRtcId, candidate: IceCandidate) {
    return done(await this.#ask({ kind: 'candidate', id, candidate }));
  }

  async close(id: WebRtcId) {
    this.#open.delete(id);
    return (await this.#ask({ kind: 'close', id })) as Result<WebRtcFigures, WebRtcFault>;
  }

  async end(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    await this.#ask({ kind: 'end' });
    this.#ended = true;
    this.#open.clear();
    // Timers of the library may outlive its connections.
    await thread.terminate();
  }

  #ask(command: WebRtcCommand): Promise<WebRtcAnswer> {
    if (this.#ended) return Promise.resolve(fail('Lost', 'WebRTC is closed.'));
    this.#thread ??= this.#startThread();
    const thread = this.#thread;
    const id = ++this.#commands;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      thread.postMessage({ id, command });
    });
  }

  #startThread(): Worker {
    const { ports, extraHosts = [], ipv6 = true } = this.#setting;
    const workerData: WebRtcThreadSetting = {
      extraHosts,
      ipv6,
      ...(ports === undefined ? {} : { ports }),
    };
    const worker = new Worker(new URL('./webrtc-worker.ts', import.meta.url), { workerData, name: 'webrtc' });
    let reason = 'its thread ended';
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.on('exit', () => this.#died(reason));
    worker.on('message', (report: WebRtcReport) => {
      if (report.kind === 'event') this.onEvent(report.event);
      else {
        this.#waiting.get(report.id)?.(report.answer);
        this.#waiting.delete(report.id);
      }
    });
    return worker;
  }

  #died(reason: string): void {
    this.#thread = undefined;
    for (const settle of this.#waiting.values()) settle(fail('Lost', `WebRTC died: ${reason}`));
    this.#waiting.clear();
    for (const id of this.#open) this.onEvent({ kind: 'failed', id, reason });
    this.#open.clear();
  }
}

const done = (answer: WebRtcAnswer): Result<undefined, WebRtcFault> => (answer.ok ? ok(undefined) : answer);
