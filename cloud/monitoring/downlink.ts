import { type HostPlace, type Lane, type RemoteOperation, topicOf } from '#shared/contract/feed/index.ts';
import type { MonitoringPort } from './port.ts';
import { RemoteBook } from './remote-book.ts';

/** A ping is worth an answer until the verdict. */
const EXPIRY_MS = 10_000;

/** What hosts are told and asked. */
export class Downlink {
  readonly #port: MonitoringPort;
  readonly remote = new RemoteBook();

  constructor(port: MonitoringPort) {
    this.#port = port;
  }

  async acknowledge(place: HostPlace, ack: { readonly [L in Lane]?: number }): Promise<void> {
    await this.#send(topicOf(place, 'dn/ack'), { v: 1, ack });
  }

  async ask(
    place: HostPlace,
    op: RemoteOperation,
    args: Record<string, unknown>,
    heard?: Parameters<RemoteBook['ask']>[6],
  ): Promise<void> {
    const { clock, random } = this.#port;
    const request = this.remote.ask(place.uid, op, args, clock.wallMs(), EXPIRY_MS, random(10), heard);
    await this.#send(topicOf(place, 'dn/req'), request);
  }

  /** What cannot be sent comes again by itself: acknowledgements with the next batch or birth, pings by the machine. */
  async #send(topic: string, payload: object): Promise<void> {
    await this.#port.publish(topic, JSON.stringify(payload)).catch((error: Error) => {
      this.#port.log('debug', 'monitoring: not published', { topic, reason: error.message });
    });
  }
}
