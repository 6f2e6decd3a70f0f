import {
  type EndCause,
  type Invitation,
  type InvitationEffect,
  type InvitationInput,
  invitation,
  invite,
  keyOfDialog,
  keyOfRequest,
  openIncoming,
  type RequestRef,
  requestFacts,
  responseFacts,
  type Session,
  type SessionEffect,
  type SessionInput,
  type SessionSettings,
  session,
} from '#appliance/sip/dialog/index.ts';
import {
  type Flow,
  type Outcome,
  type Outgoing,
  type SentRequest,
  type ServerTransaction,
  SipEndpoint,
} from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { capability, seeded, seededBytes, udp } from '../endpoint/stage.ts';

const METHODS = 'INVITE ACK BYE CANCEL OPTIONS INFO UPDATE PRACK REFER NOTIFY'.split(' ');
export type Plain = {
  [K in SessionInput['kind']]: Omit<Extract<SessionInput, { kind: K }>, 'atMs'>;
}[SessionInput['kind']];

export const settingsOf = (name: string, parts: Partial<SessionSettings> = {}): SessionSettings => ({
  contact: `<sip:${name}@${name}.example>`,
  allow: METHODS,
  timer: { expiresS: 1_800, minSeS: 90 },
  t1Ms: 500,
  t2Ms: 4_000,
  reliableProvisional: false,
  ...parts,
});

export const sdpOf = (text: string): Uint8Array => Buffer.from(text);
export const textOf = (sdp: Uint8Array | undefined): string => Buffer.from(sdp ?? []).toString();

/** One dialog as a runtime keeps it: the machine's state, its timers, the transactions it names. */
export class Call {
  readonly phone: Phone;
  readonly tag: string | undefined;
  #session: Session | undefined;
  events: string[] = [];
  /** Offer and answer that are in force. */
  agreed = '';
  ended: EndCause | undefined;
  /** Answer offers at once, as a runtime with its media plan does. */
  automatic = true;
  #openOffer = '';

  constructor(phone: Phone, tag: string | undefined, state?: Session) {
    this.phone = phone;
    this.tag = tag;
    this.#session = state;
  }

  get session(): Session {
    this.remember();
    if (this.#session === undefined) throw new Error(`no session ${this.tag}`);
    return this.#session;
  }

  /** Sessions of an invitation are kept there until it forgets them. */
  remember(): void {
    if (this.tag !== undefined) this.#session = this.phone.invitation?.legs.get(this.tag) ?? this.#session;
  }

  get alive(): boolean {
    return this.tag === undefined || this.phone.invitation?.legs.has(this.tag) === true;
  }

  input(input: Plain): void {
    const stamped = { ...input, atMs: this.phone.nowMs } as SessionInput;
    if (this.tag !== undefined) {
      this.phone.invite({ kind: 'leg', tag: this.tag, input: stamped, atMs: stamped.atMs });
      return;
    }
    const done = session.step(this.session, stamped);
    this.#session = done.state;
    if (done.ignored !== undefined) this.phone.ignored.push(done.ignored);
    for (const effect of done.effects) this.perform(effect);
  }

  perform(effect: SessionEffect): void {
    const { phone } = this;
    if (effect.kind === 'request')
      phone.send(effect.outgoing, (outcome) => this.#outcome(effect.ref, outcome));
    else if (effect.kind === 'acknowledge') phone.endpoint.sendAck(effect.outgoing, phone.flow, phone.nowMs);
    else if (effect.kind === 'respond') phone.servers[effect.server]?.respond(effect.answer, phone.nowMs);
    else if (effect.kind === 'repeat') phone.servers[effect.server]?.repeatFinal(phone.nowMs);
    else if (effect.kind === 'start') phone.start(this, effect.timer, effect.ms, effect.spreadMs);
    else if (effect.kind === 'stop') phone.stop(this, effect.timer);
    else this.#tell(effect);
  }

  #outcome(ref: RequestRef, outcome: Outcome): void {
    if (outcome.kind === 'response')
      this.input({ kind: 'response', ref, response: responseFacts(outcome.response) });
    else this.input({ kind: 'failed', ref });
  }

  #tell(effect: SessionEffect): void {
    if (effect.kind === 'offered') {
      this.events.push(`offered ${textOf(effect.sdp)} by ${effect.by}`);
      this.#openOffer = textOf(effect.sdp);
      if (!this.automatic) return;
      if (effect.by !== 'INVITE') this.answer();
      else if (this.session.phase === 'Confirmed') this.accept();
    } else if (effect.kind === 'asked') {
      this.events.push('asked');
      this.#openOffer = '';
      if (this.automatic && this.session.phase === 'Confirmed') this.accept();
    } else if (effect.kind === 'compose') {
      const sdp = this.phone.nextOffer();
      this.#openOffer = textOf(sdp);
      this.input({ kind: 'offer', sdp });
    } else if (effect.kind === 'agreed') {
      this.agreed = `${this.#openOffer || this.phone.lastOffer}>${textOf(effect.sdp)}`;
      this.events.push(`agreed ${textOf(effect.sdp)}`);
      this.phone.onAgreed(textOf(effect.sdp));
    } else if (effect.kind === 'ended') {
      this.ended = effect.cause;
      this.events.push(`ended ${effect.cause}`);
    } else if (effect.kind === 'progressed') {
      this.events.push(`progressed ${effect.status}${effect.sdp ? ` ${textOf(effect.sdp)}` : ''}`);
    } else if (effect.kind === 'unchanged') this.events.push(`unchanged ${effect.status}`);
    else if (effect.kind === 'delivered') {
      this.events.push(`delivered ${effect.request.method}`);
      this.phone.servers[effect.server]?.respond({ status: 200 }, this.phone.nowMs);
    } else if (effect.kind === 'replied') {
      this.events.push(`replied ${effect.id} ${effect.response?.status ?? 'nobody'}`);
    } else this.events.push(effect.kind);
  }

  #answerText(): Uint8Array {
    const answer = this.phone.makeAnswer(this.#openOffer);
    this.agreed = `${this.#openOffer}>${answer}`;
    return sdpOf(answer);
  }

  /** 2xx with what is due: our answer, or our offer. */
  accept(): void {
    if (this.#openOffer !== '') this.input({ kind: 'accept', sdp: this.#answerText() });
    else {
      const sdp = this.phone.nextOffer();
      this.#openOffer = textOf(sdp);
      this.input({ kind: 'accept', sdp });
    }
  }

  answer(): void {
    this.input({ kind: 'answer', sdp: this.#answerText() });
  }

  ring(status: number, withSdp = false): void {
    this.input({ kind: 'progress', status, ...(withSdp ? { sdp: this.#answerText() } : {}) });
  }

  change(by: 'INVITE' | 'UPDATE', offer = true): void {
    this.input({ kind: 'change', change: { by, offer } });
  }

  end(): void {
    this.input({ kind: 'end' });
  }
}

interface Timer {
  readonly atMs: number;
  readonly name: string;
  readonly call: Call | undefined;
}

/** The smallest runtime: one endpoint, its calls and their timers, on a fake clock. */
export class Phone {
  readonly name: string;
  readonly settings: SessionSettings;
  readonly endpoint: SipEndpoint;
  readonly servers: ServerTransaction[] = [];
  readonly calls: Call[] = [];
  readonly log: string[] = [];
  readonly ignored: string[] = [];
  readonly defects: unknown[] = [];
  readonly random: () => number;
  nowMs = 0;
  invitation: Invitation | undefined;
  failed: number | undefined;
  lastOffer = '';
  onIncoming: (call: Call) => void = (call) => call.accept();
  readonly flow: Flow = udp;
  #client: SentRequest | undefined;
  #timers: Timer[] = [];
  #offers = 0;

  constructor(
    name: string,
    seed: number,
    out: (bytes: Buffer) => void,
    settings: Partial<SessionSettings> = {},
  ) {
    this.name = name;
    this.settings = settingsOf(name, settings);
    this.random = seeded(seed);
    this.endpoint = new SipEndpoint({
      capability: { ...capability, methods: METHODS },
      random: seededBytes(seed + 1),
      nowMs: 0,
      effects: {
        send: (_, bytes) => out(Buffer.from(bytes)),
        deliver: (request, server) => this.#deliver(request, server),
        acknowledged: (ack) => this.#find(ack)?.input({ kind: 'ack', request: requestFacts(ack) }),
        cancelled: (server) => {
          const call = this.calls.find(
            (each) => each.alive && each.session.pendingInvite?.server === this.servers.indexOf(server),
          );
          call?.input({ kind: 'cancelled' });
        },
        onDefect: (error) => this.defects.push(error),
      },
    });
  }

  /** Offers and answers of this phone: short words, or descriptions. `onAgreed` hears the peer's answers. */
  makeOffer: () => string = () => `${this.name}${++this.#offers}`;
  makeAnswer: (offer: string) => string = (offer) => `${this.name}:yes(${offer})`;
  onAgreed: (answer: string) => void = () => undefined;

  nextOffer(): Uint8Array {
    this.lastOffer = this.makeOffer();
    return sdpOf(this.lastOffer);
  }

  /** Calls `to`; `late`: without an offer. */
  dial(to: string, late = false): void {
    const sdp = late ? undefined : this.nextOffer();
    const step = invite(
      {
        target: `sip:${to}@${to}.example`,
        localAddress: `<sip:${this.name}@${this.name}.example>`,
        remoteAddress: `<sip:${to}@${to}.example>`,
        localTag: `${this.name}-tag`,
        callId: `${this.name}-call`,
        cseq: 1,
        ...(sdp === undefined ? {} : { sdp }),
      },
      this.settings,
    );
    this.invitation = step.state;
    for (const effect of step.effects) this.#perform(effect);
  }

  invite(input: InvitationInput): void {
    if (this.invitation === undefined) return;
    for (const call of this.calls) call.remember();
    const done = invitation.step(this.invitation, input);
    this.invitation = done.state;
    if (done.ignored !== undefined) this.ignored.push(done.ignored);
    for (const effect of done.effects) this.#perform(effect);
  }

  cancel(): void {
    this.invite({ kind: 'cancel', atMs: this.nowMs });
  }

  #perform(effect: InvitationEffect): void {
    if (effect.kind === 'invite') {
      this.#client = this.send(effect.outgoing, (outcome) => {
        const { nowMs } = this;
        if (outcome.kind === 'response')
          this.invite({ kind: 'response', response: responseFacts(outcome.response), atMs: nowMs });
        else
          this.invite({
            kind: 'failed',
            cause: outcome.kind === 'timeout' ? 'timeout' : 'transport',
            atMs: nowMs,
          });
      });
    } else if (effect.kind === 'cancel') this.#client?.cancel(this.nowMs);
    else if (effect.kind === 'leg') this.leg(effect.tag).perform(effect.effect);
    else if (effect.kind === 'start') this.start(undefined, effect.timer, effect.ms);
    else if (effect.kind === 'failed') this.failed = effect.status;
    else this.log.push(effect.kind);
  }

  /** The dialog of a To tag. */
  leg(tag: string): Call {
    const known = this.calls.find((call) => call.tag === tag);
    if (known !== undefined) return known;
    const call = new Call(this, tag);
    this.calls.push(call);
    return call;
  }

  send(outgoing: Outgoing, onOutcome: (outcome: Outcome) => void): SentRequest {
    return this.endpoint.request(outgoing, this.flow, this.nowMs, onOutcome);
  }

  #find(request: SipRequest): Call | undefined {
    const key = keyOfRequest(requestFacts(request));
    return this.calls.find((call) => call.alive && keyOfDialog(call.session.dialog) === key);
  }

  #deliver(request: SipRequest, server: ServerTransaction): void {
    const id = this.servers.push(server) - 1;
    const facts = requestFacts(request);
    const call = this.#find(request);
    if (call !== undefined) call.input({ kind: 'request', request: facts, server: id });
    else if (request.method !== 'INVITE' || facts.toTag !== '') server.respond({ status: 481 }, this.nowMs);
    else {
      const opened = openIncoming(facts, id, server.toTag, this.settings);
      if ('refusal' in opened) server.respond(opened.refusal, this.nowMs);
      else {
        const fresh = new Call(this, undefined, opened.state);
        this.calls.push(fresh);
        for (const effect of opened.effects) fresh.perform(effect);
        this.onIncoming(fresh);
      }
    }
  }

  start(call: Call | undefined, name: string, ms: number, spreadMs = 0): void {
    this.stop(call, name);
    const spread = Math.floor((this.random() * spreadMs) / 10) * 10;
    this.#timers.push({ atMs: this.nowMs + ms + spread, name, call });
  }

  stop(call: Call | undefined, name: string): void {
    this.#timers = this.#timers.filter((timer) => timer.call !== call || timer.name !== name);
  }

  get timers(): readonly Timer[] {
    return this.#timers;
  }

  advance(nowMs: number): void {
    this.nowMs = nowMs;
    this.endpoint.advance(nowMs);
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) return;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      if (due.call === undefined) this.invite({ kind: 'forksOver', atMs: nowMs });
      else due.call.input({ kind: 'timer', timer: due.name as 'retry' });
    }
  }

  nextDueMs(): number {
    return Math.min(this.endpoint.nextDueMs() ?? Infinity, ...this.#timers.map(({ atMs }) => atMs));
  }
}
