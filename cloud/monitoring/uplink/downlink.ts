import {
  type HostPlace,
  type Lane,
  type RemoteOperation,
  type RemoteResponse,
  topicOf,
} from '#shared/contract/feed/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { MonitoringPort } from '../alarm/port.ts';
import { type Answered, PendingRemoteRequests } from './pending-remote-requests.ts';

/** A ping is worth an answer until the verdict. */
const EXPIRY_MS = 10_000;

/** A request to a host that a caller awaits. */
export interface Question {
  readonly op: RemoteOperation;
  readonly args: Record<string, unknown>;
  readonly forMs: number;
  /** For the audit of the host: `user:<name>`. */
  readonly by: string;
}

/** Messages and requests to hosts. */
export class Downlink {
  readonly #port: MonitoringPort;
  readonly remote = new PendingRemoteRequests();

  constructor(port: MonitoringPort) {
    this.#port = port;
  }

  /** `rec`: up to which number records are committed. */
  async acknowledge(place: HostPlace, ack: { readonly [L in Lane]?: number }, rec?: number): Promise<void> {
    await this.#send(topicOf(place, 'dn/ack'), { v: 1, ack, ...(rec !== undefined && { rec }) });
  }

  async ask(
    place: HostPlace,
    op: RemoteOperation,
    args: Record<string, unknown>,
    onAnswer?: Answered,
  ): Promise<void> {
    const { clock, random } = this.#port;
    const request = this.remote.ask(place.uid, op, args, clock.wallMs(), EXPIRY_MS, random(10), onAnswer);
    await this.#send(topicOf(place, 'dn/req'), request);
  }

  /** Asks and waits. Fails with `unreachable` when nothing can be sent, with `late` without an answer in `forMs`. */
  async question(place: HostPlace, question: Question): Promise<Result<RemoteResponse>> {
    const { clock, random, publish } = this.#port;
    const { op, args, forMs, by } = question;
    const answer = Promise.withResolvers<RemoteResponse | undefined>();
    const { resolve } = answer;
    const request = this.remote.ask(place.uid, op, args, clock.wallMs(), forMs, random(10), resolve, by);
    try {
      await publish(topicOf(place, 'dn/req'), JSON.stringify(request));
    } catch (error) {
      return fail(
        'unreachable',
        `The request did not reach the host: ${(error as Error).message}. Check the broker and try again.`,
      );
    }
    const response = await answer.promise;
    return response === undefined
      ? fail('late', `The request has no answer: the host did not answer in ${forMs / 1000} s. Try again.`)
      : ok(response);
  }

  /** A message that cannot be sent comes again by itself: acknowledgements with the next batch or birth, pings by the machine. */
  async #send(topic: string, payload: object): Promise<void> {
    await this.#port.publish(topic, JSON.stringify(payload)).catch((error: Error) => {
      this.#port.log('debug', 'downlink.publish_failed', 'Could not publish a message to a host', {
        topic,
        reason: error.message,
      });
    });
  }
}
