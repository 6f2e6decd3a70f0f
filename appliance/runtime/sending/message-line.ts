import type { Hash } from '../../sip/auth/index.ts';
import type { Flow, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { RuntimePorts } from '../port.ts';
import { MessageAttempt, type MessageOutcome } from '../sip-message/index.ts';
import type { Reach, TrunkDesk, Ways } from '../trunk/index.ts';
import type { SendAddress, SendTarget } from './send-target.ts';

/** Silence is not told: who sends has timers of its own. */
export type LineOutcome = Exclude<MessageOutcome, { readonly kind: 'silent' }>;

export interface SentMessage {
  readonly target: SendTarget;
  readonly address: SendAddress;
  readonly method: 'MESSAGE' | 'OPTIONS';
  readonly body?: { readonly type: string; readonly text: string };
  /** The same over all tries of one event. */
  readonly attempt: MessageAttempt;
  /** The way it left by, before any answer. */
  readonly onFlow?: (flow: Flow) => void;
}

export interface MessageLineParts {
  readonly endpoint: SipEndpoint;
  readonly reach: Reach;
  readonly trunks: TrunkDesk;
  readonly hash: Hash;
}

/** Sends requests outside a dialog to receivers: MESSAGE with an event, OPTIONS to see whether somebody is there. */
export class MessageLine {
  readonly #ports: RuntimePorts;
  readonly #parts: MessageLineParts;

  constructor(ports: RuntimePorts, parts: MessageLineParts) {
    this.#ports = ports;
    this.#parts = parts;
  }

  newAttempt({ login }: SendAddress): MessageAttempt {
    return new MessageAttempt(
      { endpoint: this.#parts.endpoint, hash: this.#parts.hash, ports: this.#ports },
      login,
    );
  }

  send(message: SentMessage, done: (outcome: LineOutcome) => void): void {
    this.#ports.run(this.#send(message, done));
  }

  async #send(message: SentMessage, done: (outcome: LineOutcome) => void): Promise<void> {
    const ways = await this.#ways(message);
    let reason = ways.ok ? 'no way leads there' : ways.error.reason;
    for (const way of ways.ok ? ways.value : []) {
      const flow = await way.open();
      if (!flow.ok) {
        reason = flow.error.reason;
        continue;
      }
      message.onFlow?.(flow.value);
      message.attempt.send(this.#outgoing(message), flow.value, (outcome) => {
        if (outcome.kind !== 'silent') done(outcome);
      });
      return;
    }
    done({ kind: 'unreachable', reason });
  }

  /** By the trunk group that is named, where it takes the destination; else to the address itself. */
  async #ways({ target, address }: SentMessage): Promise<Ways> {
    const user = /^sips?:([^@;>]+)@/i.exec(address.destination)?.[1];
    const [trunk] =
      target.trunkGroupId === undefined || user === undefined
        ? []
        : this.#parts.trunks.outbound(user, target.trunkGroupId);
    return await (trunk?.ways() ?? this.#parts.reach.ways(address.destination));
  }

  #outgoing({ target, address, method, body }: SentMessage) {
    const { from, destination: uri } = address;
    return {
      method,
      uri,
      headers: [
        ['From', `<sip:${escaped(from.user)}@${from.host}>;tag=${hex(this.#ports.random(6))}`],
        ['To', `<${uri}>`],
        ...target.headers,
        ...(body === undefined ? [] : [['Content-Type', body.type]]),
      ] as readonly (readonly [string, string])[],
      ...(body !== undefined && { body: Buffer.from(body.text) }),
    };
  }
}

/** User part of a URI (RFC 3261 25.1). */
const escaped = (user: string): string =>
  user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (sign) => encodeURIComponent(sign));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
