import { createHash } from 'node:crypto';
import { answerChallenge } from '#appliance/sip/auth/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import {
  parseMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  writeRequest,
  writeResponse,
} from '#appliance/sip/message/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { bracketed } from '#shared/host-port.ts';
import type { testAppliance } from './appliance.ts';
import type { Phone } from './phone.ts';

export type Appliance = Awaited<ReturnType<typeof testAppliance>>;
type Headers = readonly (readonly [string, string])[];

export const hash = (algorithm: 'SHA-256' | 'MD5', text: string): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex');

export const DOMAIN = 'care.example';

/** One dialog as a telephone remembers it. */
export interface Talk {
  readonly callId: string;
  readonly ourTag: string;
  theirTag: string;
  /** Address of the appliance. */
  readonly from: string;
  readonly to: string;
  target: string;
  cseq: number;
  inviteCseq: number;
}

export interface Description {
  readonly direction?: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
  /** Payload types; 101 is telephone-event. */
  readonly formats?: string;
  readonly protocol?: string;
  readonly lines?: readonly string[];
  readonly version?: number;
  readonly host?: string;
}

/**
 * A SIP telephone as a script tells it: it says what the test says, answers nothing by itself, and keeps what it
 * hears in `inbox`. Its audio is a `Phone` on the fake network of the media engine.
 */
export class Telephone {
  readonly user: string;
  flow: Flow;
  /** Contact of its registration, its calls and its answers. */
  contact: string;
  /** Methods it names in Allow; empty: it names none. */
  allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS';
  readonly audio: Phone;
  /** Messages that came and were not looked at yet; a retransmission is not kept twice. */
  readonly inbox: SipMessage[] = [];
  /** Every message that came, also repeated ones. */
  readonly received: SipMessage[] = [];
  readonly #appliance: Appliance;
  readonly #password: string | undefined;
  readonly #seen = new Set<string>();
  #numbers = 0;

  constructor(
    appliance: Appliance,
    { user, host, password }: { readonly user: string; readonly host: string; readonly password?: string },
  ) {
    this.#appliance = appliance;
    this.user = user;
    this.#password = password;
    this.flow = {
      transport: 'UDP',
      reliable: false,
      localAddress: host.includes(':') ? '2001:db8::10' : '192.0.2.10',
      localPort: 5060,
      remoteAddress: host,
      remotePort: 5060,
      connection: 0,
    };
    this.contact = `<sip:${user}@${bracketed(host)}:5060>`;
    this.audio = appliance.media.phone({ host, port: 4_000 });
  }

  get host(): string {
    return this.flow.remoteAddress;
  }

  receive(bytes: Buffer): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) throw new Error(`the appliance sent a malformed message: ${parsed.error.reason}`);
    const message = parsed.value;
    this.received.push(message);
    const text = bytes.toString('latin1');
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    this.inbox.push(message);
  }

  /** Takes the first request of this method out of the inbox. */
  request(method: string): SipRequest {
    const at = this.inbox.findIndex((each) => each.kind === 'request' && each.method === method);
    const [found] = at < 0 ? [] : this.inbox.splice(at, 1);
    if (found?.kind !== 'request') throw new Error(`${this.user} got no ${method}, but ${this.#summary()}`);
    return found;
  }

  /** Takes the first response with this status out of the inbox. */
  response(status: number, method = 'INVITE'): SipResponse {
    const at = this.inbox.findIndex(
      (each) => each.kind === 'response' && each.status === status && each.cseq.method === method,
    );
    const [found] = at < 0 ? [] : this.inbox.splice(at, 1);
    if (found?.kind !== 'response')
      throw new Error(`${this.user} got no ${status} ${method}, but ${this.#summary()}`);
    return found;
  }

  has(what: string | number): boolean {
    return this.inbox.some((each) => (each.kind === 'request' ? each.method : each.status) === what);
  }

  #summary(): string {
    const words = this.inbox.map((each) =>
      each.kind === 'request' ? each.method : `${each.status} ${each.cseq.method}`,
    );
    return words.length === 0 ? 'nothing' : words.join(', ');
  }

  send(text: { method: string; uri: string; headers: Headers; body?: Uint8Array }, branch?: string): string {
    const via = branch ?? `z9hG4bK-${this.user}-${++this.#numbers}`;
    const headers: Headers = [
      ['Via', `SIP/2.0/UDP ${bracketed(this.host)}:5060;branch=${via};rport`],
      ...(text.headers.some(([name]) => name === 'Max-Forwards') ? [] : [['Max-Forwards', '70'] as const]),
      ...text.headers,
    ];
    this.#appliance.runtime.message(this.flow, writeRequest({ ...text, headers }));
    return via;
  }

  respond(
    request: SipRequest,
    status: number,
    parts: { tag?: string; sdp?: string; headers?: Headers; reason?: string; contact?: string } = {},
  ): void {
    const to = request.header('To') ?? '';
    const tag = parts.tag ?? `${this.user}-tag`;
    const headers: (readonly [string, string])[] = [
      ...request.headers('Via').map((via): [string, string] => ['Via', via]),
      ['From', request.header('From') ?? ''],
      ['To', to.includes(';tag=') || status === 100 ? to : `${to};tag=${tag}`],
      ['Call-ID', request.callId],
      ['CSeq', request.header('CSeq') ?? ''],
      ['Contact', parts.contact ?? this.contact],
      ...(request.method === 'INVITE' ? this.#allowed(parts.headers ?? []) : []),
      ...(parts.headers ?? []),
      ...(parts.sdp === undefined ? [] : [['Content-Type', 'application/sdp'] as const]),
    ];
    const body = parts.sdp === undefined ? {} : { body: Buffer.from(parts.sdp) };
    this.#appliance.runtime.message(
      this.flow,
      writeResponse({ status, reason: parts.reason ?? 'Said', headers, ...body }),
    );
  }

  describe({
    direction = 'sendrecv',
    formats = '8 101',
    protocol = 'RTP/AVP',
    lines = [],
    version = 1,
    host = this.host,
  }: Description = {}): string {
    const family = (address: string): string => (address.includes(':') ? 'IP6' : 'IP4');
    return [
      'v=0',
      `o=- 1 ${version} IN ${family(this.host)} ${this.host}`,
      's=-',
      `c=IN ${family(host)} ${host}`,
      't=0 0',
      `m=audio ${this.audio.port} ${protocol} ${formats}`,
      ...(formats.includes('101') ? ['a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-15'] : []),
      `a=${direction}`,
      ...lines,
      '',
    ].join('\r\n');
  }

  /** Registers with its password; the second REGISTER answers the challenge. */
  async register(pump: () => Promise<void>, fields: Headers = []): Promise<SipResponse> {
    const uri = `sip:${DOMAIN}`;
    const me = `<sip:${this.user}@${DOMAIN}>`;
    const headers = (cseq: number): Headers => [
      ['From', `${me};tag=reg`],
      ['To', me],
      ['Call-ID', `reg-${this.user}-${this.host}`],
      ['CSeq', `${cseq} REGISTER`],
      ['Contact', this.contact],
      ['Expires', '3600'],
    ];
    this.send({ method: 'REGISTER', uri, headers: headers(1) });
    await pump();
    const field = this.proof(this.response(401, 'REGISTER'), 'REGISTER', uri);
    this.send({ method: 'REGISTER', uri, headers: [...headers(2), ...fields, field] });
    await pump();
    return this.response(200, 'REGISTER');
  }

  proof(challenge: SipResponse, method: string, uri: string): readonly [string, string] {
    const login = { username: this.user, password: this.#password ?? '' };
    const use = { cnonce: `${this.user}${++this.#numbers}`, count: 1 };
    const answer = answerChallenge(hash, challenge, login, { method, uri }, use);
    if (!answer.ok) throw new Error(answer.error.reason);
    return answer.value;
  }

  /** INVITE, with the proof of who it is when the appliance asks for it. */
  async invite(
    user: string,
    pump: () => Promise<void>,
    parts: {
      sdp?: string | null;
      headers?: Headers;
      callId?: string;
      challenged?: boolean;
      uri?: string;
      /** Type of the body; `application/sdp` without it. */
      contentType?: string;
    } = {},
  ): Promise<Talk & { readonly branch: string }> {
    const uri = parts.uri ?? `sip:${user}@${DOMAIN}`;
    const talk: Talk = {
      callId: parts.callId ?? `call-${this.user}-${++this.#numbers}`,
      ourTag: `${this.user}-${this.#numbers}`,
      theirTag: '',
      from: `<sip:${this.user}@${DOMAIN}>`,
      to: `<${uri}>`,
      target: uri,
      cseq: 1,
      inviteCseq: 1,
    };
    const sdp = parts.sdp === undefined ? this.describe() : parts.sdp;
    const challenged = parts.challenged ?? this.#password !== undefined;
    const { contentType } = parts;
    let branch = this.#sendInvite(talk, sdp, parts.headers ?? [], contentType);
    if (challenged) {
      await pump();
      const refusal = this.response(401);
      this.#ack(talk, refusal, branch);
      talk.cseq = 2;
      talk.inviteCseq = 2;
      const proof = this.proof(refusal, 'INVITE', uri);
      branch = this.#sendInvite(talk, sdp, [...(parts.headers ?? []), proof], contentType);
    }
    await pump();
    return Object.assign(talk, { branch });
  }

  #allowed(headers: Headers): Headers {
    return this.allow === '' || headers.some(([name]) => name === 'Allow') ? [] : [['Allow', this.allow]];
  }

  #sendInvite(talk: Talk, sdp: string | null, headers: Headers, type = 'application/sdp'): string {
    return this.send({
      method: 'INVITE',
      uri: talk.target,
      headers: [
        ['From', `${talk.from};tag=${talk.ourTag}`],
        ['To', talk.to],
        ['Call-ID', talk.callId],
        ['CSeq', `${talk.cseq} INVITE`],
        ['Contact', this.contact],
        ...this.#allowed(headers),
        ...headers,
        ...(sdp === null ? [] : [['Content-Type', type] as const]),
      ],
      ...(sdp === null ? {} : { body: Buffer.from(sdp) }),
    });
  }

  /** ACK of a response that is no 2xx: in the branch of its INVITE. */
  #ack(talk: Talk, response: SipResponse, branch: string): void {
    this.send(
      {
        method: 'ACK',
        uri: talk.target,
        headers: [
          ['From', `${talk.from};tag=${talk.ourTag}`],
          ['To', response.header('To') ?? talk.to],
          ['Call-ID', talk.callId],
          ['CSeq', `${talk.cseq} ACK`],
        ],
      },
      branch,
    );
  }

  cancel(talk: Talk & { readonly branch: string }): void {
    this.send(
      {
        method: 'CANCEL',
        uri: talk.target,
        headers: [
          ['From', `${talk.from};tag=${talk.ourTag}`],
          ['To', talk.to],
          ['Call-ID', talk.callId],
          ['CSeq', `${talk.inviteCseq} CANCEL`],
        ],
      },
      talk.branch,
    );
  }

  /** The 2xx settles the dialog; its ACK goes out, with an answer when the offer was late. */
  acknowledge(talk: Talk, ok: SipResponse, sdp?: string): void {
    talk.theirTag = ok.to.tag ?? '';
    const contacts = ok.contacts;
    if (contacts.ok && contacts.value[0] !== undefined) talk.target = contacts.value[0].uriText;
    this.inDialog(talk, 'ACK', { ...(sdp === undefined ? {} : { sdp }), cseq: ok.cseq.seq });
    this.hearPort(ok);
  }

  /** Its audio goes where this description says. */
  hearPort(message: SipMessage): void {
    const read = parseSdp(message.body);
    const port = read.ok ? read.value.media[0]?.port : undefined;
    if (port !== undefined && port > 0) this.audio.talkTo(port);
  }

  /** The dialog of a call that came to us. */
  answeredTalk(request: SipRequest, tag = `${this.user}-tag`): Talk {
    const contacts = request.contacts;
    return {
      callId: request.callId,
      ourTag: tag,
      theirTag: request.from.tag ?? '',
      from: `<${request.to.uriText}>`,
      to: `<${request.from.uriText}>`,
      target: (contacts.ok ? contacts.value[0]?.uriText : undefined) ?? '',
      cseq: 0,
      inviteCseq: request.cseq.seq,
    };
  }

  /** @returns the branch of the request, which a CANCEL or the ACK of a refusal repeats */
  inDialog(
    talk: Talk,
    method: string,
    parts: { sdp?: string; headers?: Headers; body?: string; cseq?: number; branch?: string } = {},
  ): string {
    const seq = parts.cseq ?? ++talk.cseq;
    const body = parts.sdp ?? parts.body;
    const message = {
      method,
      uri: talk.target,
      headers: [
        ['From', `${talk.from};tag=${talk.ourTag}`],
        ['To', `${talk.to};tag=${talk.theirTag}`],
        ['Call-ID', talk.callId],
        ['CSeq', `${seq} ${method}`],
        ...(method === 'INVITE' || method === 'UPDATE' ? [['Contact', this.contact] as const] : []),
        ...(parts.headers ?? []),
        ...(parts.sdp === undefined ? [] : [['Content-Type', 'application/sdp'] as const]),
      ] as const,
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    };
    return this.send(message, parts.branch);
  }
}
