import { sipUserOf } from '#shared/address-user.ts';
import { MessageAttempt, type MessageOutcome } from '../../../call/message/index.ts';
import type {
  NextHopCandidate,
  NextHopCandidates,
  NextHopResolver,
  TrunkGroup,
} from '../../../call/trunk/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Hash } from '../../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../../sip/endpoint/index.ts';
import type { SendAddress, SendTarget } from '../order/send-target.ts';

type Ports = KernelPorts & TenantPorts;

/** `isDeflated`: the bytes are, and say so (Content-Encoding). */
export interface SentBody {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly isDeflated?: boolean;
}

/** Silence is no outcome: the sender of the message has timers of its own. */
export type LineOutcome = Exclude<MessageOutcome, { readonly kind: 'silent' }>;

export interface SentMessage {
  readonly target: SendTarget;
  readonly address: SendAddress;
  readonly method: 'MESSAGE' | 'OPTIONS';
  readonly body?: SentBody;
  /** The same over all tries of one event. */
  readonly attempt: MessageAttempt;
  /** It was said before in vain: by the way that is usual there, whatever its length. */
  readonly isRepeat?: boolean;
  /** The way it left by, before any answer. */
  readonly onFlow?: (flow: Flow) => void;
}

export interface MessageLineDependencies {
  readonly endpoint: SipEndpoint;
  readonly reach: NextHopResolver;
  readonly trunks: TrunkGroup;
  readonly hash: Hash;
}

/**
 * Sends requests outside a dialog to receivers: MESSAGE with an event, and OPTIONS to see whether a receiver is there.
 */
export class MessageLine {
  readonly #ports: Ports;
  readonly #dependencies: MessageLineDependencies;

  constructor(ports: Ports, dependencies: MessageLineDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
  }

  newAttempt({ login }: SendAddress): MessageAttempt {
    return new MessageAttempt(
      { endpoint: this.#dependencies.endpoint, hash: this.#dependencies.hash, ports: this.#ports },
      login,
    );
  }

  send(message: SentMessage, done: (outcome: LineOutcome) => void): void {
    this.#ports.run(this.#send(message, done));
  }

  /**
   * Asks a receiver by OPTIONS whether it is there, at one place after the other. `silent`: why it is not; undefined:
   * it has answered, even if it refused.
   */
  ask(target: SendTarget, address: SendAddress, done: (silent: string | undefined) => void): void {
    const asked = async () => {
      const places = await this.#places({ target, address });
      const candidates = places.flatMap(({ uri, nextHops: found }) =>
        found.ok ? found.value.map((candidate) => ({ uri, nextHop: candidate })) : [],
      );
      const [failed] = places.flatMap(({ nextHops: found }) => (found.ok ? [] : [found.error.reason]));
      this.#askNext(candidates, failed ?? 'no next hop leads there', { target, address, done });
    };
    this.#ports.run(asked());
  }

  #askNext(
    [next, ...left]: readonly { readonly uri: string; readonly nextHop: NextHopCandidate }[],
    reason: string,
    asked: {
      readonly target: SendTarget;
      readonly address: SendAddress;
      readonly done: (silent: string | undefined) => void;
    },
  ): void {
    if (next === undefined) {
      asked.done(reason);
      return;
    }
    const { target, address, done } = asked;
    const opened = async () => {
      const flow = await next.nextHop.open();
      if (!flow.ok) {
        this.#askNext(left, flow.error.reason, asked);
        return;
      }
      const options = this.#outgoing({ target, address, method: 'OPTIONS' }, next.uri);
      this.newAttempt(address).send(options, flow.value, (outcome) => {
        const absent = absence(outcome);
        if (absent === undefined) done(undefined);
        else this.#askNext(left, absent, asked);
      });
    };
    this.#ports.run(opened());
  }

  async #send(message: SentMessage, done: (outcome: LineOutcome) => void): Promise<void> {
    const [place] = await this.#places(message);
    let reason = place?.nextHops.ok === false ? place.nextHops.error.reason : 'no next hop leads there';
    for (const candidate of place?.nextHops.ok === true ? place.nextHops.value : []) {
      const flow = await candidate.open();
      if (!flow.ok) {
        reason = flow.error.reason;
        continue;
      }
      message.onFlow?.(flow.value);
      message.attempt.send(this.#outgoing(message, message.address.destination), flow.value, (outcome) => {
        if (outcome.kind !== 'silent') done(outcome);
      });
      return;
    }
    done({ kind: 'unreachable', reason });
  }

  /** By the trunk group that is named, where it takes the destination; else to the address itself. A number has trunks only. */
  async #places({ target, address, body, isRepeat }: Asked): Promise<readonly Place[]> {
    const { destination } = address;
    const number = numberOf(destination);
    const user = number ?? sipUserOf(destination);
    const targets =
      user === undefined || (number === undefined && target.trunkGroupId === undefined)
        ? []
        : this.#dependencies.trunks.outbound(user, target.trunkGroupId);
    if (number !== undefined)
      return await Promise.all(
        targets.map(async ({ uri, nextHops }) => ({ uri, nextHops: await nextHops() })),
      );
    const isLong = isRepeat !== true && (body?.bytes.length ?? 0) > UDP_BYTES;
    const { reach } = this.#dependencies;
    const candidates = await (targets[0]?.nextHops() ??
      (isLong ? reach.streamCandidates(destination) : reach.candidates(destination)));
    return [{ uri: destination, nextHops: candidates }];
  }

  #outgoing({ target, address, method, body, isRepeat }: Omit<SentMessage, 'attempt'>, uri: string) {
    const { from } = address;
    return {
      method,
      uri,
      headers: [
        ['From', `<sip:${escaped(from.user)}@${from.host}>;tag=${hex(this.#ports.random(6))}`],
        ['To', `<${uri}>`],
        ...target.headers,
        ...(body === undefined ? [] : [['Content-Type', body.type]]),
        ...(body?.isDeflated === true ? [['Content-Encoding', 'deflate']] : []),
      ] as readonly (readonly [string, string])[],
      ...(body !== undefined && { body: Buffer.from(body.bytes) }),
      // A connection may have swallowed it: fragments are the other way.
      pinned: isRepeat === true,
    };
  }
}

type Asked = Pick<SentMessage, 'target' | 'address' | 'body' | 'isRepeat'>;

/** Bodies beyond prefer a connection (protocols 4.1). */
const UDP_BYTES = 1_000;

/** Where a request may go, with its Request-URI there. */
interface Place {
  readonly uri: string;
  readonly nextHops: NextHopCandidates;
}

/** Answers of a proxy on the way, which says that the receiver behind it is absent. */
const ABSENT: readonly number[] = [408, 503];

/** @returns why the receiver is absent; undefined: it has answered */
function absence(outcome: MessageOutcome): string | undefined {
  if (outcome.kind === 'unreachable') return outcome.reason;
  if (outcome.kind === 'silent') return 'no answer';
  const { status } = outcome.response;
  return ABSENT.includes(status) ? `SIP ${status}` : undefined;
}

/** A number as it is provisioned: plain, or as tel or gsm URI. Undefined: it is none. */
export const numberOf = (destination: string): string | undefined =>
  /^(?:(?:tel|gsm):)?(\+?[0-9*#().-]+)(?:;.*)?$/i.exec(destination)?.[1];

/** User part of a URI (RFC 3261 25.1). */
const escaped = (user: string): string =>
  user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (sign) => encodeURIComponent(sign));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
