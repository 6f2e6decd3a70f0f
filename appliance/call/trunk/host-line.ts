import { bracketed } from '#shared/host-port.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { answerChallenge, type Hash } from '../../sip/auth/index.ts';
import type { Flow, Outcome, Outgoing, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { HopTransport, Random } from '../../sip/location/index.ts';
import type { HeaderFields, SipResponse } from '../../sip/message/index.ts';
import {
  DEFAULT_SUPERVISION,
  type HostStanding,
  initialRegistration,
  initialSupervision,
  type RegistrationInput,
  type SupervisionInput,
  stepRegistration,
  superviseHost,
  type Trunk,
  type TrunkHost,
} from '../../sip/trunk/index.ts';
import type { NextHopResolver } from './next-hop-resolver.ts';
import type { TrunkRegistrationStatus } from './trunk-probe.ts';

export type LineTimer = 'probe' | 'patience' | 'register';

/** The part of the trunk group that a line needs. */
export interface LineHost {
  readonly ports: KernelPorts & TenantPorts;
  readonly endpoint: SipEndpoint;
  readonly reach: NextHopResolver;
  readonly hash: Hash;
  readonly random: Random;
  /** Host and port of our Contact towards this flow. */
  readonly contactAt: (flow: Flow) => string;
  readonly start: (timer: LineTimer, afterMs: number) => void;
  readonly stop: (timer: LineTimer) => void;
  /** Whether this host of the site is the one that registers. */
  readonly registers: () => boolean;
  /** The line fell out of use, or is of use again. */
  readonly standing: (down: boolean, reason: string) => void;
}

const TRANSPORT: Readonly<Record<Trunk['transport'], HopTransport>> = { udp: 'UDP', tcp: 'TCP', tls: 'TLS' };

/** One host of a trunk: its supervision, our registration there, and the requests both need. */
export class HostLine {
  readonly trunk: Trunk;
  readonly host: TrunkHost;
  readonly #by: LineHost;
  readonly #callId: string;
  readonly #tag: string;
  #supervision = initialSupervision;
  #registration = initialRegistration;
  #down = { silent: false, refused: false };
  #avoidedUntilMs = 0;
  #registeredBy: Flow | undefined;
  #optionsSeq = 0;
  #ended = false;
  /** The last request on its way to a flow. */
  #sending: Promise<void> = Promise.resolve();

  constructor(trunk: Trunk, host: TrunkHost, by: LineHost) {
    this.trunk = trunk;
    this.host = host;
    this.#by = by;
    this.#callId = `${this.#token(12)}@${by.ports.place.address}`;
    this.#tag = this.#token(6);
  }

  get standing(): HostStanding {
    return this.#supervision.standing;
  }

  /** The flow our registration lives on: what comes from its far end comes from this trunk. */
  get registeredBy(): Flow | undefined {
    return this.#registration.phase === 'leaving' ? undefined : this.#registeredBy;
  }

  /** How our registration there is; undefined: none is wanted. */
  get registration(): TrunkRegistrationStatus | undefined {
    if (!this.trunk.register || !this.#by.registers()) return undefined;
    if (this.#registration.phase === 'registered') return 'registered';
    return this.#down.refused ? 'refused' : 'underWay';
  }

  avoided(nowMs: number): boolean {
    return this.#supervision.standing === 'down' || nowMs < this.#avoidedUntilMs;
  }

  /** Begins to supervise and to register, each at once. */
  begin(): void {
    if (this.trunk.optionsInterval > 0) this.#supervise({ kind: 'probeDue' });
    if (this.trunk.register && this.#by.registers()) this.#register({ kind: 'due' });
  }

  /** This host registers from now on, or not any more. */
  registersNow(yes: boolean): void {
    if (!this.trunk.register) return;
    if (!yes) {
      this.#register({ kind: 'stop' });
      // The host that registers now sees for itself whether it is refused.
      this.#tell({ refused: false }, '');
      return;
    }
    // Numbers go on: an answer to what was given back is none to this.
    this.#registration = { ...initialRegistration, cseq: this.#registration.cseq };
    this.#register({ kind: 'due' });
  }

  /** The trunk was changed or removed: gives its registration back. Resolves when the request is sent. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const timer of ['probe', 'patience'] as const) this.#by.stop(timer);
    if (this.trunk.register) this.#register({ kind: 'stop' });
    await this.#sending;
  }

  timer(timer: LineTimer): void {
    if (timer === 'register') this.#register({ kind: 'due' });
    else this.#supervise({ kind: timer === 'probe' ? 'probeDue' : 'failed' });
  }

  /** A call failed because of this host: others first for a while, and a look at it now. */
  failedCall(nowMs: number, avoidedMs: number): void {
    this.#avoidedUntilMs = nowMs + avoidedMs;
    if (this.trunk.optionsInterval > 0) this.#supervise({ kind: 'probeDue' });
  }

  servedCall(): void {
    this.#avoidedUntilMs = 0;
  }

  #supervise(input: SupervisionInput): void {
    if (this.#ended) return;
    const rules = { ...DEFAULT_SUPERVISION, intervalMs: this.trunk.optionsInterval };
    const { state, effects } = superviseHost(this.#supervision, input, rules);
    this.#supervision = state;
    for (const effect of effects) {
      if (effect.kind === 'start') this.#by.start(effect.timer, effect.afterMs);
      else if (effect.kind === 'stop') this.#by.stop(effect.timer);
      else if (effect.kind === 'sendOptions') this.#sendOptions();
      else {
        // A host that has come back is the first choice again, whatever calls reported before.
        if (effect.kind === 'up') this.#avoidedUntilMs = 0;
        this.#tell({ silent: effect.kind === 'down' }, `${DEFAULT_SUPERVISION.failures} OPTIONS unanswered`);
      }
    }
  }

  #register(input: RegistrationInput, challenge?: SipResponse): void {
    const { state, effects } = stepRegistration(this.#registration, input, this.#by.random);
    this.#registration = state;
    for (const effect of effects) {
      if (effect.kind === 'start') this.#by.start(effect.timer, effect.afterMs);
      else if (effect.kind === 'stop') this.#by.stop(effect.timer);
      else if (effect.kind === 'sendRegister') this.#sendRegister(effect.cseq, effect.expires, challenge);
      else this.#tell({ refused: effect.kind === 'refused' }, effect.kind === 'refused' ? effect.reason : '');
    }
  }

  /** Down when either is: without OPTIONS no call goes there, without registration no call comes from there. */
  #tell(change: Partial<{ silent: boolean; refused: boolean }>, reason: string): void {
    const before = this.#down.silent || this.#down.refused;
    this.#down = { ...this.#down, ...change };
    const now = this.#down.silent || this.#down.refused;
    if (before !== now) this.#by.standing(now, reason);
  }

  #sendOptions(): void {
    const cseq = ++this.#optionsSeq;
    const from = `<sip:${bracketed(this.#by.ports.place.address)}>;tag=${this.#tag}`;
    const options = (): Outgoing => ({
      method: 'OPTIONS',
      uri: this.host.uri,
      headers: [
        ['From', from],
        ['To', `<${this.host.uri}>`],
        ['Call-ID', `o${this.#callId}`],
        ['CSeq', `${cseq} OPTIONS`],
        ['Accept', 'application/sdp'],
      ],
    });
    this.#send(options, this.#supervision.failures, (outcome) => {
      if (cseq !== this.#optionsSeq) return;
      const status = outcome.kind === 'response' ? outcome.response.status : 408;
      // With these a host says about itself that it cannot serve. Any other answer, 404 or 405 included, is a sign of life.
      const dead = status === 408 || status === 503 || status === 504;
      this.#supervise({ kind: dead ? 'failed' : 'answered' });
    });
  }

  #sendRegister(cseq: number, expires: number, challenge: SipResponse | undefined): void {
    const { username = '', password = '' } = this.trunk;
    const uri = registrarUri(this.host.uri);
    const identity = `<${withUser(uri, username)}>`;
    const answer = challenge && this.#answer(challenge, { username, password }, uri);
    const register = (flow: Flow): Outgoing => {
      this.#registeredBy = expires > 0 ? flow : undefined;
      const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
      const contact = `<sip:${encodeURIComponent(username)}@${this.#by.contactAt(flow)}${transport}>`;
      const headers: HeaderFields = [
        ['From', `${identity};tag=${this.#tag}`],
        ['To', identity],
        ['Call-ID', this.#callId],
        ['CSeq', `${cseq} REGISTER`],
        ['Contact', contact],
        ['Expires', String(expires)],
        ...(answer === undefined ? [] : [answer]),
      ];
      return { method: 'REGISTER', uri, headers };
    };
    this.#send(register, this.#registration.failures, (outcome) => {
      if (cseq !== this.#registration.cseq) return;
      if (outcome.kind !== 'response') this.#register({ kind: 'failed' });
      else this.#registerAnswered(outcome.response);
    });
  }

  #registerAnswered(response: SipResponse): void {
    const minExpires = Number(response.header('Min-Expires'));
    const granted = grantedSeconds(response);
    const challenged = response.status === 401 || response.status === 407;
    const { username = '', password = '' } = this.trunk;
    this.#register(
      {
        kind: 'answered',
        status: response.status,
        ...(granted === undefined ? {} : { granted }),
        ...(Number.isInteger(minExpires) ? { minExpires } : {}),
        ...(challenged
          ? { answerable: this.#answer(response, { username, password }, this.host.uri) !== undefined }
          : {}),
      },
      challenged ? response : undefined,
    );
  }

  #answer(challenge: SipResponse, login: { username: string; password: string }, uri: string) {
    const use = { count: 1, cnonce: this.#token(8) };
    const answer = answerChallenge(this.#by.hash, challenge, login, { method: 'REGISTER', uri }, use);
    return answer.ok ? answer.value : undefined;
  }

  /**
   * By the first way that opens. Finding it takes time, and by then the request must be made for that flow. After a
   * failure the next place comes first: over UDP only silence tells that one is dead.
   */
  #send(outgoing: (flow: Flow) => Outgoing, failures: number, onFinal: (outcome: Outcome) => void): void {
    this.#sending = this.#sendByFirst(outgoing, failures, onFinal);
    this.#by.ports.run(this.#sending);
  }

  async #sendByFirst(
    outgoing: (flow: Flow) => Outgoing,
    failures: number,
    onFinal: (outcome: Outcome) => void,
  ): Promise<void> {
    const { reach, endpoint, ports } = this.#by;
    const candidates = await reach.candidates(this.host.uri, { transport: TRANSPORT[this.trunk.transport] });
    let reason = candidates.ok ? 'no way' : candidates.error.reason;
    for (const candidate of candidates.ok ? turned(candidates.value, failures) : []) {
      const flow = await candidate.open();
      if (flow.ok) {
        endpoint.request(outgoing(flow.value), flow.value, ports.clock.monoMs(), (outcome) => {
          if (outcome.kind !== 'response' || outcome.response.status >= 200) onFinal(outcome);
        });
        return;
      }
      reason = flow.error.reason;
    }
    ports.log('debug', 'trunk_host.connect_failed', 'Could not reach a host of a trunk', {
      trunk: this.trunk.id,
      host: this.host.uri,
      reason,
    });
    onFinal({ kind: 'transportFailed' });
  }

  #token(bytes: number): string {
    return Buffer.from(this.#by.ports.random(bytes)).toString('hex');
  }
}

const turned = <T>(list: readonly T[], by: number): readonly T[] => {
  const first = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

/** A registrar is named without a user (RFC 3261 10.2). */
const registrarUri = (uri: string): string => uri.replace(/^(sips?:)[^@]*@/i, '$1');

const withUser = (uri: string, user: string): string => {
  const bare = uri.split(';')[0] ?? uri;
  return bare.replace(/^(sips?:)/i, `$1${encodeURIComponent(user)}@`);
};

/** The interval that the registrar granted: `expires` of our Contact, the only one we send, else Expires (RFC 3261 10.2.4). */
function grantedSeconds(response: SipResponse): number | undefined {
  const contacts = response.contacts;
  const times = (contacts.ok ? contacts.value : []).flatMap((contact) => {
    const seconds = Number(contact.parameter('expires') ?? Number.NaN);
    return Number.isInteger(seconds) && seconds > 0 ? [seconds] : [];
  });
  return times.length > 0 ? Math.min(...times) : response.expires;
}
