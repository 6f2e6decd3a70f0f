import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { answerChallenge, type Hash, type HeldLogin, type Login } from '../../sip/auth/index.ts';
import type { Flow, Outgoing, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { SipResponse } from '../../sip/message/index.ts';

/** How a request of ours ended. */
export type MessageOutcome =
  | { readonly kind: 'answered'; readonly response: SipResponse }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** No answer has come for 64 x T1. */
  | { readonly kind: 'silent' };

/** A request outside a dialog, but for what an attempt gives it: Call-ID, CSeq and credentials. */
export interface MessageRequest extends Omit<Outgoing, 'headers'> {
  readonly headers: readonly (readonly [string, string])[];
}

export interface MessageAttemptDependencies {
  readonly endpoint: SipEndpoint;
  readonly hash: Hash;
  readonly ports: Pick<KernelPorts, 'random' | 'clock'> & Pick<TenantPorts, 'place'>;
}

/**
 * One thing that is said by MESSAGE (or asked by OPTIONS), over all its tries: one Call-ID, CSeq counts. A challenged attempt
 * sends it once more with our credentials (RFC 3261 22.2), and takes a second challenge for a refusal.
 */
export class MessageAttempt {
  readonly callId: string;
  readonly #dependencies: MessageAttemptDependencies;
  readonly #login: Login | HeldLogin | undefined;
  #cseq = 0;

  constructor(dependencies: MessageAttemptDependencies, login: Login | HeldLogin | undefined) {
    this.#dependencies = dependencies;
    this.#login = login;
    this.callId = `${hex(dependencies.ports.random(12))}@${dependencies.ports.place.address}`;
  }

  /** `done` is called once. */
  send(request: MessageRequest, flow: Flow, done: (outcome: MessageOutcome) => void): void {
    this.#send(request, flow, undefined, (outcome) => {
      const proof = outcome.kind === 'answered' ? this.#proof(outcome.response, request) : undefined;
      if (proof === undefined) done(outcome);
      else this.#send(request, flow, proof, done);
    });
  }

  #send(
    request: MessageRequest,
    flow: Flow,
    proof: readonly [string, string] | undefined,
    done: (outcome: MessageOutcome) => void,
  ): void {
    const { endpoint, ports } = this.#dependencies;
    const headers = [
      ...request.headers,
      ['Call-ID', this.callId] as const,
      ['CSeq', `${++this.#cseq} ${request.method}`] as const,
      ...(proof === undefined ? [] : [proof]),
    ].map(([name, value]): [string, string] => [name, value]);
    endpoint.request({ ...request, headers }, flow, ports.clock.monoMs(), (outcome) => {
      if (outcome.kind === 'timeout') done({ kind: 'silent' });
      else if (outcome.kind === 'transportFailed')
        done({ kind: 'unreachable', reason: 'the connection to it broke before it answered' });
      else if (outcome.response.status >= 200) done({ kind: 'answered', response: outcome.response });
    });
  }

  /** Undefined: no challenge, or none that we have an answer to. */
  #proof(response: SipResponse, { method, uri }: MessageRequest): readonly [string, string] | undefined {
    if ((response.status !== 401 && response.status !== 407) || this.#login === undefined) return undefined;
    const use = { cnonce: hex(this.#dependencies.ports.random(8)), count: 1 };
    const field = answerChallenge(this.#dependencies.hash, response, this.#login, { method, uri }, use);
    return field.ok ? field.value : undefined;
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
