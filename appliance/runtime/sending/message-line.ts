import { answerChallenge, type Hash } from '../../sip/auth/index.ts';
import type { Flow, Outgoing, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { SipResponse } from '../../sip/message/index.ts';
import type { RuntimePorts } from '../port.ts';
import type { Reach, TrunkDesk, Ways } from '../trunk/index.ts';
import type { SendAddress, SendTarget } from './send-target.ts';

/** How a MESSAGE of ours ended. */
export type MessageOutcome =
  | { readonly kind: 'answered'; readonly response: SipResponse }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface SentMessage {
  readonly target: SendTarget;
  readonly address: SendAddress;
  readonly method: 'MESSAGE' | 'OPTIONS';
  readonly body?: { readonly type: string; readonly text: string };
  /** The same over all tries of one event; CSeq counts. */
  readonly callId: string;
  readonly cseq: number;
  /** Credentials are sent for this challenge. */
  readonly challenge?: SipResponse | undefined;
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

  newCallId(): string {
    return `${hex(this.#ports.random(12))}@${this.#ports.place.address}`;
  }

  send(message: SentMessage, done: (outcome: MessageOutcome) => void): void {
    this.#ports.run(this.#send(message, done));
  }

  async #send(message: SentMessage, done: (outcome: MessageOutcome) => void): Promise<void> {
    const ways = await this.#ways(message);
    let reason = ways.ok ? 'no way leads there' : ways.error.reason;
    for (const way of ways.ok ? ways.value : []) {
      const flow = await way.open();
      if (!flow.ok) {
        reason = flow.error.reason;
        continue;
      }
      message.onFlow?.(flow.value);
      const nowMs = this.#ports.clock.monoMs();
      this.#parts.endpoint.request(this.#outgoing(message), flow.value, nowMs, (outcome) => {
        if (outcome.kind === 'transportFailed')
          done({ kind: 'unreachable', reason: 'the connection to it failed' });
        else if (outcome.kind === 'response' && outcome.response.status >= 200)
          done({ kind: 'answered', response: outcome.response });
        // A timeout is the machine's own to judge: it has timers of its own.
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

  #outgoing({ target, address, method, body, callId, cseq, challenge }: SentMessage): Outgoing {
    const { from, destination: uri, login } = address;
    const field =
      challenge === undefined || login === undefined
        ? undefined
        : answerChallenge(
            this.#parts.hash,
            challenge,
            login,
            { method, uri },
            { cnonce: hex(this.#ports.random(8)), count: 1 },
          );
    return {
      method,
      uri,
      headers: [
        ['From', `<sip:${escaped(from.user)}@${from.host}>;tag=${hex(this.#ports.random(6))}`],
        ['To', `<${uri}>`],
        ['Call-ID', callId],
        ['CSeq', `${cseq} ${method}`],
        ...target.headers.map(([name, value]): [string, string] => [name, value]),
        ...(field?.ok === true ? [[field.value[0], field.value[1]] as [string, string]] : []),
        ...(body === undefined ? [] : [['Content-Type', body.type] as [string, string]]),
      ],
      ...(body !== undefined && { body: Buffer.from(body.text) }),
    };
  }
}

/** User part of a URI (RFC 3261 25.1). */
const escaped = (user: string): string =>
  user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (sign) => encodeURIComponent(sign));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
