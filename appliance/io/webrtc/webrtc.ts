import { Worker } from 'node:worker_threads';
import { Listeners } from '#shared/listeners.ts';
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
import { AskedThread } from '../thread/index.ts';
import type { WebRtcAnswer, WebRtcCommand, WebRtcThreadSetting } from './webrtc-message.ts';

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

class ThreadedWebRtc implements OpenedWebRtc {
  readonly #open = new Set<WebRtcId>();
  readonly #thread: AskedThread<WebRtcCommand, WebRtcAnswer, WebRtcEvent>;
  readonly events = new Listeners<[event: WebRtcEvent]>();

  constructor({ ports, extraHosts = [], ipv6 = true }: WebRtcSetting) {
    this.#thread = new AskedThread({
      start: () => {
        const workerData: WebRtcThreadSetting = { extraHosts, ipv6, ...(ports && { ports }) };
        return new Worker(new URL('./webrtc-worker.ts', import.meta.url), { workerData, name: 'webrtc' });
      },
      event: (event) => this.events.emit(event),
      died: (reason) => {
        const failed = [...this.#open];
        this.#open.clear();
        for (const id of failed) this.events.emit({ kind: 'failed', id, reason });
      },
    });
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

  /** Timers of the library may outlive its connections: the thread is not waited for. */
  async end(): Promise<void> {
    await this.#thread.end({ kind: 'end' }, { terminate: true });
    this.#open.clear();
  }

  async #ask(command: WebRtcCommand): Promise<WebRtcAnswer> {
    return (await this.#thread.ask(command)) ?? fail('Lost', `WebRTC ended: ${this.#thread.reason}`);
  }
}

const done = (answer: WebRtcAnswer): Result<undefined, WebRtcFault> => (answer.ok ? ok(undefined) : answer);
