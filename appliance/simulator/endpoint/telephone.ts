import { sipUserOf } from '#shared/address-user.ts';
import { bracketed } from '#shared/host-port.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { LegPolicy, SipLeg, SipLegUser } from '../../call/control/index.ts';
import type { MediaEvent } from '../../media/control/index.ts';
import { answerChallenge, type Hash, type Login } from '../../sip/auth/index.ts';
import type { Flow, Outcome, ServerTransaction } from '../../sip/endpoint/index.ts';
import type { HeaderFields, SipRequest, SipResponse } from '../../sip/message/index.ts';
import { type LegWorld, openLegs } from './open-legs.ts';

/** The identity and the behaviour of the telephone. */
export interface TelephoneSetting {
  readonly user: string;
  readonly domain: string;
  readonly password: string | undefined;
  /** Our address in Contact and SDP. */
  readonly address: string;
  readonly policy: LegPolicy;
}

export interface TelephonePorts extends LegWorld {
  readonly hash: Hash;
  readonly contactPort: (flow: Flow) => number;
}

/** One call of the telephone. */
export interface Line {
  readonly name: string;
  /** User part of the other side. */
  readonly peer: string;
  readonly hangUp: () => void;
}

/** The events of a call; every call ends with `ended`. */
export interface LineUser {
  readonly ringing?: (line: Line, status: number) => void;
  /** Audio runs both ways. */
  readonly answered: (line: Line) => void;
  readonly mediaEvent?: (line: Line, event: MediaEvent) => void;
  readonly ended: (line: Line, reason: string) => void;
}

/** A body to send, with its media type. */
export interface MessageAnswer {
  readonly type: string;
  readonly body: string;
}

/** A further MESSAGE to whoever has sent one. */
export type SayBack = (said: MessageAnswer) => void;

const ALLOW: readonly string[] = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'INFO',
  'UPDATE',
  'PRACK',
  'MESSAGE',
];
const T1_MS = 500;
const T2_MS = 4_000;

interface Talk extends Line {
  readonly leg: SipLeg;
  readonly user: LineUser;
}

/** Takes a MESSAGE, and says what goes back as a MESSAGE of our own; undefined: nothing does. */
type TakeMessage = (
  body: Uint8Array,
  back: SayBack,
) => MessageAnswer | undefined | Promise<MessageAnswer | undefined>;

/**
 * A SIP telephone on the cores of the appliance: it registers, calls and is called, and its audio is a leg of the same
 * media engine. Its owner decides what it says and how it reacts.
 */
export class Telephone {
  readonly #setting: TelephoneSetting;
  readonly #ports: TelephonePorts;
  readonly #sip: ReturnType<typeof openLegs>;
  readonly #talks = new Map<string, Talk>();
  #flow: Flow | undefined;
  #calls = 0;
  #cseq = 0;
  #takeCall: (caller: string) => LineUser | undefined = () => undefined;
  #takeMessage: TakeMessage | undefined;

  constructor(setting: TelephoneSetting, ports: TelephonePorts) {
    this.#setting = setting;
    this.#ports = ports;
    this.#sip = openLegs(setting.address, ports, {
      capability: {
        methods: ALLOW,
        accept: ['application/sdp', 'application/scaip+xml', 'application/xml', 'text/xml'],
        supported: ['100rel', 'timer'],
      },
      arrive: (request, server, flow) => this.#arrive(request, server, flow),
      other: (request, server, flow) => {
        if (request.method === 'MESSAGE' && this.#takeMessage !== undefined)
          this.#message(request, server, flow, this.#takeMessage);
        else server.respond({ status: 481 }, this.#now());
      },
    });
    ports.media.events.add((event) => this.#media(event));
  }

  /** Calls go there from now on; undefined: it is busy. Without it the telephone is busy. */
  takeCallsBy(take: (caller: string) => LineUser | undefined): void {
    this.#takeCall = take;
  }

  /** MESSAGEs go there from now on; without it they are refused. */
  takeMessagesBy(take: TakeMessage): void {
    this.#takeMessage = take;
  }

  /** The way to the registrar, once there is one. */
  use(flow: Flow): void {
    this.#flow = flow;
  }

  message(flow: Flow, bytes: Buffer): void {
    this.#sip.message(flow, bytes);
  }

  flowFailed(flow: Flow): void {
    this.#sip.endpoint.transportFailed(flow, this.#now());
    if (flow.connection !== 0) this.#sip.legs.connectionLost(flow);
  }

  advance(): void {
    this.#sip.advance();
  }

  /** Lines that are up or ring. */
  get size(): number {
    return this.#talks.size;
  }

  /** Every call is over, and every peer has acknowledged its end. */
  get isDone(): boolean {
    return this.#sip.legs.kept === 0;
  }

  /** Ends every call, also those that ring. */
  hangUp(): void {
    for (const talk of [...this.#talks.values()]) talk.hangUp();
  }

  /** `expiresS` 0: removed from the registrar. */
  async register(expiresS: number): Promise<Result<undefined>> {
    const { user, domain } = this.#setting;
    const uri = `sip:${domain}`;
    const me = `<sip:${user}@${domain}>`;
    const head: HeaderFields = [
      ['From', `${me};tag=${this.#token()}`],
      ['To', me],
      ['Call-ID', `register-${this.#token()}@${this.#setting.address}`],
      ['Contact', this.#contact()],
      ['Expires', String(expiresS)],
    ];
    const last = await this.#request('REGISTER', uri, head);
    if (last.kind !== 'response')
      return fail('unreachable', `${domain} does not answer a REGISTER (${last.kind})`);
    const { status, reason } = last.response;
    return status === 200 ? ok(undefined) : fail('refused', `REGISTER was refused: ${status} ${reason}`);
  }

  /** Says something to a user of the domain by MESSAGE; what comes back is a MESSAGE of its own. */
  async say(to: string, { type, body }: MessageAnswer): Promise<Result<undefined>> {
    const { user, domain, address } = this.#setting;
    const uri = `sip:${to}@${domain}`;
    const head: HeaderFields = [
      ['From', `<sip:${user}@${domain}>;tag=${this.#token()}`],
      ['To', `<${uri}>`],
      ['Call-ID', `${this.#token()}@${address}`],
      ['Contact', this.#contact()],
      ['Content-Type', type],
    ];
    const last = await this.#request('MESSAGE', uri, head, Buffer.from(body));
    if (last.kind !== 'response')
      return fail('unreachable', `${domain} does not answer a MESSAGE (${last.kind})`);
    const { status, reason } = last.response;
    return status < 300 ? ok(undefined) : fail('refused', `MESSAGE was refused: ${status} ${reason}`);
  }

  /** Calls a user of the domain or an address; `user.ended` tells when it came to nothing. `codecs`: for this call only. */
  call(to: string, user: LineUser, codecs = this.#setting.policy.codecs): Line {
    const { domain } = this.#setting;
    const target = /^(sips?|tel):/i.test(to) ? to : `sip:${to}@${domain}`;
    const talk = this.#open(to, user, this.#flowNow(), codecs);
    talk.leg.call({
      target,
      localAddress: `<sip:${this.#setting.user}@${domain}>`,
      remoteAddress: `<${target}>`,
      localTag: this.#token(),
      callId: `${this.#token()}@${this.#setting.address}`,
      cseq: 1,
      headers: [['Max-Forwards', '70']],
    });
    return talk;
  }

  /** Says who it is when it is asked. */
  async #request(method: string, uri: string, head: HeaderFields, body?: Buffer): Promise<Outcome> {
    const first = await this.#ask(method, uri, head, body);
    const login = this.#login();
    if (first.kind !== 'response' || first.response.status !== 401 || login === undefined) return first;
    const use = { cnonce: this.#token(), count: 1 };
    const field = answerChallenge(this.#ports.hash, first.response, login, { method, uri }, use);
    return field.ok ? await this.#ask(method, uri, [...head, field.value], body) : first;
  }

  #ask(method: string, uri: string, head: HeaderFields, body?: Buffer): Promise<Outcome> {
    const flow = this.#flowNow();
    const headers = [...head, ['CSeq', `${++this.#cseq} ${method}`] as const];
    return new Promise((resolve) => {
      const outgoing = { method, uri, headers, ...(body !== undefined && { body }) };
      this.#sip.endpoint.request(outgoing, flow, this.#now(), (outcome) => {
        if (outcome.kind !== 'response' || outcome.response.status >= 200) resolve(outcome);
      });
    });
  }

  /** A reply goes to the source of the message, with the names of both turned round. */
  #message(request: SipRequest, server: ServerTransaction, flow: Flow, take: TakeMessage): void {
    server.respond({ status: 200 }, this.#now());
    const { uriText: device } = request.from;
    const back: SayBack = ({ type, body }) => {
      const headers: HeaderFields = [
        ['From', `<${request.to.uriText}>;tag=${this.#token()}`],
        ['To', `<${device}>`],
        ['Call-ID', `${this.#token()}@${this.#setting.address}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', type],
      ];
      const outgoing = { method: 'MESSAGE', uri: device, headers, body: Buffer.from(body) };
      this.#sip.endpoint.request(outgoing, flow, this.#now(), () => undefined);
    };
    const said = take(request.body, back);
    if (said instanceof Promise) void said.then((late) => late && back(late));
    else if (said !== undefined) back(said);
  }

  #arrive(request: SipRequest, server: ServerTransaction, flow: Flow): void {
    const caller = sipUserOf(request.from.uriText) ?? request.from.uriText;
    const user = this.#takeCall(caller);
    if (user === undefined) {
      server.respond({ status: 486 }, this.#now());
      return;
    }
    const { leg } = this.#open(caller, user, flow);
    this.#sip.legs.invited(server, leg);
    leg.arrive(request, server);
  }

  #open(peer: string, user: LineUser, flow: Flow, codecs = this.#setting.policy.codecs): Talk {
    const name = `${this.#setting.user}.${++this.#calls}`;
    const login = this.#login();
    const settings = {
      contact: this.#contact(flow),
      allow: ALLOW,
      timer: { expiresS: 1_800, minSeS: 90 },
      t1Ms: T1_MS,
      t2Ms: T2_MS,
      reliableProvisional: true,
    };
    const proof =
      login &&
      ((response: SipResponse, uri: string) => {
        const use = { cnonce: this.#token(), count: 1 };
        const field = answerChallenge(this.#ports.hash, response, login, { method: 'INVITE', uri }, use);
        return field.ok ? field.value : undefined;
      });
    const { address } = this.#setting;
    const policy = { ...this.#setting.policy, codecs };
    const plan = { name, flow, policy, settings, address, answerChallenge: proof };
    const leg = this.#sip.legs.open(plan, this.#legUser);
    const talk: Talk = {
      name,
      peer,
      leg,
      user,
      hangUp: () => {
        leg.end();
        this.#over(name, 'we hung up');
      },
    };
    this.#talks.set(name, talk);
    return talk;
  }

  readonly #legUser: SipLegUser = {
    // The called party answers at once.
    ready: (leg) => leg.accept(),
    progressed: (leg, status) => this.#tell(leg, (talk) => talk.user.ringing?.(talk, status)),
    answered: (leg) => this.#tell(leg, (talk) => talk.user.answered(talk)),
    acknowledged: (leg) => this.#tell(leg, (talk) => talk.user.answered(talk)),
    failed: (leg, { status, text }, response) =>
      this.#over(leg.name, `${status} ${response?.reason ?? text}`),
    ended: (leg, cause, reason) => this.#over(leg.name, reason?.text ?? cause),
    held: () => undefined,
    delivered: (leg, _request, server) => leg.respond(server, 200),
    replied: () => undefined,
    stranded: () => undefined,
    broken: (leg, status, text) => {
      leg.end();
      this.#over(leg.name, `${status} ${text}`);
    },
  };

  #tell(leg: SipLeg, tell: (talk: Talk) => void): void {
    const talk = this.#talks.get(leg.name);
    if (talk !== undefined) tell(talk);
  }

  #over(name: string, reason: string): void {
    const talk = this.#talks.get(name);
    this.#talks.delete(name);
    talk?.user.ended(talk, reason);
  }

  #media(event: MediaEvent): void {
    const talk = 'leg' in event ? this.#talks.get(event.leg) : undefined;
    if (talk !== undefined) talk.user.mediaEvent?.(talk, event);
  }

  #login(): Login | undefined {
    const { user, password } = this.#setting;
    return password === undefined ? undefined : { username: user, password };
  }

  #contact(flow: Flow = this.#flowNow()): string {
    const { user, address } = this.#setting;
    const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
    const host = bracketed(address);
    return `<sip:${user}@${host}:${this.#ports.contactPort(flow)}${transport}>`;
  }

  #flowNow(): Flow {
    if (this.#flow === undefined) throw new Error('the telephone has no way to its registrar yet');
    return this.#flow;
  }

  #token(): string {
    return Buffer.from(this.#ports.random(8)).toString('hex');
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}
