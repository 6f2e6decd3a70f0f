import { bracketed } from '#shared/host-port.ts';
import type { HopEcho, TrunkHostProbe } from '#shared/self-test/index.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { answerChallenge, type Hash, type Login } from '../../sip/auth/index.ts';
import { type Flow, hostOf, type SipEndpoint } from '../../sip/endpoint/index.ts';
import type { HeaderFields, SipResponse } from '../../sip/message/index.ts';
import { firstOf, type NextHopCandidates } from './next-hop-resolver.ts';

/** The answer of a host of a trunk to a question now. */
export type TrunkProbeOutcome = TrunkHostProbe['outcome'];

export type TrunkRegistrationStatus = NonNullable<TrunkHostProbe['registration']>;

export interface ProbeDependencies {
  readonly ports: KernelPorts & TimerPorts & TenantPorts;
  readonly endpoint: SipEndpoint;
  readonly hash: Hash;
}

/** As supervision waits: Timer F (RFC 3261 17.1.2.2) would keep a technician for half a minute. */
const PATIENCE_MS = 8_000;

interface Looking {
  readonly over: (outcome: TrunkProbeOutcome) => void;
  readonly beganMs: number;
}

/**
 * One OPTIONS now (RFC 3261 11) to a host of a trunk, apart from its supervision: for the person who stands before the
 * machine. A challenge is answered once, so that a wrong password is found here and not by the first alarm.
 */
export class TrunkProbes {
  readonly #dependencies: ProbeDependencies;
  readonly #timers: TimerScope<'patience'>;
  readonly #looking = new Map<string, Looking>();

  constructor(dependencies: ProbeDependencies) {
    this.#dependencies = dependencies;
    this.#timers = dependencies.ports.timers.scope((owner, _, nowMs) => {
      const { over, beganMs = nowMs } = this.#looking.get(owner) ?? {};
      over?.({ kind: 'silent', waitedMs: nowMs - beganMs });
    });
  }

  async look(
    uri: string,
    login: Login | undefined,
    candidates: () => Promise<NextHopCandidates>,
  ): Promise<TrunkProbeOutcome> {
    const { clock } = this.#dependencies.ports;
    const id = this.#token(12);
    const done = Promise.withResolvers<TrunkProbeOutcome>();
    const over = (outcome: TrunkProbeOutcome): void => {
      this.#timers.stop(id, 'patience');
      this.#looking.delete(id);
      done.resolve(outcome);
    };
    this.#looking.set(id, { over, beganMs: clock.monoMs() });
    this.#timers.start(id, 'patience', clock.monoMs() + PATIENCE_MS);
    this.#dependencies.ports.run(this.#ask(id, uri, login, candidates, over));
    return await done.promise;
  }

  async #ask(
    id: string,
    uri: string,
    login: Login | undefined,
    candidates: () => Promise<NextHopCandidates>,
    over: (outcome: TrunkProbeOutcome) => void,
  ): Promise<void> {
    const flow = await firstOf(await candidates());
    if (!flow.ok) return over({ kind: 'unreachable', ...flow.error });
    const beganMs = this.#dependencies.ports.clock.monoMs();
    const tag = this.#token(6);
    const answered = (response: SipResponse, sentVia: string, withLogin: boolean): void =>
      over({
        kind: 'answered',
        status: response.status,
        ms: this.#dependencies.ports.clock.monoMs() - beganMs,
        login: withLogin,
        hop: this.#echo(response, flow.value, { via: sentVia, callId: this.#callId(id) }),
      });
    const first = { id, tag, uri, cseq: 1, more: [] };
    this.#send(first, flow.value, over, (response, sentVia) => {
      const more =
        isChallenge(response) && login !== undefined ? this.#answer(response, login, uri) : undefined;
      if (more === undefined) return answered(response, sentVia, false);
      this.#send({ ...first, cseq: 2, more: [more] }, flow.value, over, (second, via) =>
        answered(second, via, true),
      );
    });
  }

  #send(
    { id, tag, uri, cseq, more }: Question,
    flow: Flow,
    over: (outcome: TrunkProbeOutcome) => void,
    onFinal: (response: SipResponse, sentVia: string) => void,
  ): void {
    const { endpoint, ports } = this.#dependencies;
    const headers: HeaderFields = [
      ['From', `<sip:${bracketed(ports.place.address)}>;tag=${tag}`],
      ['To', `<${uri}>`],
      ['Call-ID', this.#callId(id)],
      ['CSeq', `${cseq} OPTIONS`],
      ['Accept', 'application/sdp'],
      ...more,
    ];
    const asked = endpoint.request(
      { method: 'OPTIONS', uri, headers },
      flow,
      ports.clock.monoMs(),
      (outcome) => {
        if (!this.#looking.has(id)) return;
        if (outcome.kind === 'response') {
          if (outcome.response.status >= 200) onFinal(outcome.response, asked.via);
        } else if (outcome.kind === 'transportFailed') {
          over({ kind: 'unreachable', code: 'Unreachable', reason: `the connection to ${uri} was lost` });
        }
      },
    );
  }

  #callId(id: string): string {
    return `l${id}@${this.#dependencies.ports.place.address}`;
  }

  /** The answer repeats Via, Call-ID and From of the question (RFC 3261 8.2.6.2). */
  #echo(response: SipResponse, flow: Flow, sent: { readonly via: string; readonly callId: string }): HopEcho {
    const { address } = this.#dependencies.ports.place;
    const via = response.header('Via') ?? '';
    const sentBy = sentByOf(sent.via);
    const kept = {
      Via: sentBy !== undefined && sentByOf(via) === sentBy,
      'Call-ID': response.callId === sent.callId,
      From: response.from.uriText === `sip:${bracketed(address)}`,
    };
    const own = sentBy === undefined ? address : hostOf(sentBy);
    const altered = Object.entries(kept).flatMap(([name, is]) => (is ? [] : [name]));
    return { transport: flow.transport, own, peer: flow.remoteAddress, via, altered };
  }

  #answer(response: SipResponse, login: Login, uri: string) {
    const use = { count: 1, cnonce: this.#token(8) };
    const answer = answerChallenge(this.#dependencies.hash, response, login, { method: 'OPTIONS', uri }, use);
    return answer.ok ? answer.value : undefined;
  }

  #token(bytes: number): string {
    return Buffer.from(this.#dependencies.ports.random(bytes)).toString('hex');
  }
}

interface Question {
  readonly id: string;
  readonly tag: string;
  readonly uri: string;
  readonly cseq: number;
  readonly more: HeaderFields;
}

/** Host and port of a Via (RFC 3261 20.42). */
const sentByOf = (via: string): string | undefined =>
  /^SIP\s*\/\s*2\.0\s*\/\s*\w+\s+([^;,\s]+)/i.exec(via)?.[1];

const isChallenge = ({ status }: SipResponse): boolean => status === 401 || status === 407;
