import { Listeners } from '#shared/listeners.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  RECORDING_METADATA,
  type RecordedParticipant,
  type RecordingMetadata,
  writeMetadata,
} from '../../call/siprec/index.ts';
import type { Media } from '../../media/control/index.ts';
import { type ToneSegment, tone } from '../../media/dtmf/index.ts';
import { answerChallenge, type Hash } from '../../sip/auth/index.ts';
import { type Flow, type Outgoing, type ServerTransaction, SipEndpoint } from '../../sip/endpoint/index.ts';
import type { HeaderFields, SipRequest, SipResponse } from '../../sip/message/index.ts';
import { parseSdp, SDP } from '../../sip/sdp/index.ts';

/** The identity of the client, and the call that it copies. */
export interface RecordingClientSetting {
  readonly user: string;
  readonly domain: string;
  readonly password: string | undefined;
  /** Our address in Contact and SDP. */
  readonly address: string;
  /** A stream each, and the tone it says, Hz. */
  readonly participants: readonly { readonly name: string; readonly aor: string; readonly hz: number }[];
}

export interface RecordingClientPorts {
  readonly clock: { readonly monoMs: () => number; readonly wallMs: () => number };
  readonly random: (length: number) => Uint8Array;
  readonly hash: Hash;
  readonly media: Pick<Media, 'openLeg' | 'updateLeg' | 'closeLeg' | 'play' | 'stop'>;
  readonly send: (flow: Flow, bytes: Buffer) => void;
  readonly defect: (cause: unknown) => void;
}

interface CopiedStream {
  readonly leg: string;
  readonly port: number;
  readonly participant: RecordedParticipant;
  readonly hz: number;
  held: boolean;
}

const BOUNDARY = 'carillon-recording';
/** Chosen: a tone of half a second, half a second of silence: both ends of a stretch are heard. */
const BEAT_MS = 500;
const LEVEL_DBM0 = -12;

/**
 * A recording client (RFC 7866): tells a server of a call of two or more, with a stream of each, and what changes in it.
 *
 *   begin ─ INVITE: streams, metadata ─ 200 ─▶ up ── hold: re-INVITE, metadata ── join, leave: UPDATE, metadata ── end: BYE
 */
export class RecordingClient {
  readonly #setting: RecordingClientSetting;
  readonly #ports: RecordingClientPorts;
  readonly #endpoint: SipEndpoint;
  readonly #streams: CopiedStream[] = [];
  readonly #callId: string;
  readonly #tag: string;
  /** Joined without a stream of their own: heard on the last one. */
  #guests: RecordedParticipant[] = [];
  #flow: Flow | undefined;
  #remote: { readonly uri: string; readonly to: string } | undefined;
  #target = '';
  #cseq = 0;
  #version = 0;
  readonly ended = new Listeners<[by: 'us' | 'server']>();

  constructor(setting: RecordingClientSetting, ports: RecordingClientPorts) {
    this.#setting = setting;
    this.#ports = ports;
    this.#callId = `${this.#token()}@${setting.address}`;
    this.#tag = this.#token();
    this.#endpoint = new SipEndpoint({
      capability: {
        methods: ['INVITE', 'ACK', 'BYE', 'OPTIONS', 'UPDATE'],
        accept: [SDP],
        supported: ['siprec'],
      },
      random: ports.random,
      nowMs: ports.clock.monoMs(),
      effects: {
        send: ports.send,
        deliver: (request, server) => this.#deliver(request, server),
        acknowledged: () => undefined,
        onDefect: ports.defect,
      },
    });
  }

  use(flow: Flow): void {
    this.#flow = flow;
  }

  message(flow: Flow, bytes: Buffer): void {
    this.#endpoint.receive(flow, bytes, this.#ports.clock.monoMs());
  }

  advance(): void {
    this.#endpoint.advance(this.#ports.clock.monoMs());
  }

  get callId(): string {
    return this.#callId;
  }

  /** Opens the session at a recording service; every stream says its tone from then on. */
  async begin(to: string): Promise<Result<undefined>> {
    const { domain, participants } = this.#setting;
    this.#target = to.includes(':') ? to : `sip:${to}@${domain}`;
    for (const [index, { name, aor, hz }] of participants.entries()) {
      const leg = `stream-${index + 1}`;
      const opened = await this.#ports.media.openLeg({ leg, profile: 'ordinary', family: 4 });
      if (!opened.ok) return fail('noPort', opened.error.reason);
      const participant = { id: `participant-${index + 1}`, name, aor };
      this.#streams.push({ leg, port: opened.value.port, participant, hz, held: false });
    }
    const answered = await this.#change('INVITE', this.#metadata('complete'));
    if (!answered.ok) return answered;
    for (const { leg, hz } of this.#streams) {
      const segments: readonly ToneSegment[] = [tone(hz, BEAT_MS, LEVEL_DBM0)];
      const phrases = [{ kind: 'tone', segments }] as const;
      await this.#ports.media.play(leg, `${leg} says`, {
        phrases,
        loop: { pauseMs: BEAT_MS },
        over: 'instead',
      });
    }
    return ok(undefined);
  }

  /** Puts a participant on hold, or back: its stream is inactive, and the metadata name no participant on it. */
  async hold(index: number, held: boolean): Promise<Result<undefined>> {
    const stream = this.#streams[index];
    if (stream === undefined) return fail('unknown', `there is no participant ${index + 1}`);
    stream.held = held;
    return await this.#change('INVITE', this.#metadata('partial', [stream.participant]));
  }

  /** A guest joins the call, heard on the last stream. */
  async join(name: string, aor: string): Promise<Result<undefined>> {
    const guest = { id: `guest-${this.#guests.length + 1}`, name, aor };
    this.#guests = [...this.#guests, guest];
    return await this.#change('UPDATE', this.#metadata('partial', [guest]));
  }

  /** The guest who came last leaves. */
  async leave(): Promise<Result<undefined>> {
    const guest = this.#guests.at(-1);
    if (guest === undefined) return fail('unknown', 'nobody has joined');
    this.#guests = this.#guests.slice(0, -1);
    const removal: RecordingMetadata = {
      ...{ dataMode: 'partial', participants: [], streams: [], placed: [] },
      left: [guest.id],
    };
    return await this.#change('UPDATE', removal);
  }

  async end(): Promise<void> {
    if (this.#remote === undefined) return;
    await this.#request('BYE', []);
    await this.#over('us');
  }

  /** @param only of a partial one: whom it is about */
  #metadata(dataMode: 'complete' | 'partial', only?: readonly RecordedParticipant[]): RecordingMetadata {
    const last = this.#streams.at(-1);
    const all = [...this.#streams.map(({ participant }) => participant), ...this.#guests];
    const participantsOf = (stream: CopiedStream): readonly string[] => [
      ...(stream.held ? [] : [stream.participant.id]),
      ...(stream === last ? this.#guests.map(({ id }) => id) : []),
    ];
    const participants = only ?? all;
    const ids = participants.map(({ id }) => id);
    return {
      dataMode,
      participants,
      left: [],
      placed: ids,
      streams: this.#streams.map((stream, index) => ({
        id: `stream-${index + 1}`,
        label: String(index + 1),
        participants: participantsOf(stream).filter((id) => ids.includes(id)),
      })),
    };
  }

  /** INVITE with description and metadata, UPDATE with metadata alone. */
  async #change(method: 'INVITE' | 'UPDATE', metadata: RecordingMetadata): Promise<Result<undefined>> {
    const text = writeMetadata(metadata, this.#callId, new Date(this.#ports.clock.wallMs()));
    const alone: HeaderFields = [
      ['Content-Type', RECORDING_METADATA],
      ['Content-Disposition', 'recording-session'],
    ];
    const both: HeaderFields = [['Content-Type', `multipart/mixed;boundary=${BOUNDARY}`]];
    const body = method === 'UPDATE' ? text : this.#multipart(text);
    const sent: HeaderFields = [...(method === 'UPDATE' ? alone : both), ['Require', 'siprec']];
    const response = await this.#proved(method, sent, body);
    if (response === undefined) return fail('unreachable', `${this.#target} does not answer`);
    if (response.status >= 300)
      return fail('refused', `${method} was refused: ${response.status} ${response.reason}`);
    return method === 'UPDATE' ? ok(undefined) : await this.#answered(response);
  }

  async #answered(response: SipResponse): Promise<Result<undefined>> {
    const contact = /<([^>]+)>/.exec(response.header('Contact') ?? '')?.[1] ?? this.#target;
    this.#remote = { uri: contact, to: response.header('To') ?? '' };
    this.#endpoint.sendAck(
      this.#outgoing('ACK', this.#cseq, []),
      this.#flowNow(),
      this.#ports.clock.monoMs(),
    );
    const answer = parseSdp(response.body);
    if (!answer.ok) return fail('unfit', answer.error.reason);
    for (const [index, { leg }] of this.#streams.entries()) {
      const media = answer.value.media[index];
      const taken = media !== undefined && media.port > 0 && media.address !== undefined;
      if (!taken) return fail('unfit', `stream ${index + 1} was not taken`);
      const { address, port, rtcpPort = port + 1 } = media;
      await this.#ports.media.updateLeg(leg, {
        remote: { host: address?.host ?? '', port, rtcpPort },
        rtcpMux: false,
        direction: media.direction === 'recvonly' ? 'sendonly' : 'inactive',
        send: { payloadType: 8, codec: 'PCMA' },
        receive: [{ payloadType: 8, codec: 'PCMA' }],
        latching: false,
      });
    }
    return ok(undefined);
  }

  #multipart(metadata: string): string {
    const { address } = this.#setting;
    const sdp = [
      'v=0',
      `o=- ${parseInt(this.#tag, 16) % 1_000_000} ${++this.#version} IN IP4 ${address}`,
      's=-',
      `c=IN IP4 ${address}`,
      't=0 0',
      ...this.#streams.flatMap(({ port, held }, index) => [
        `m=audio ${port} RTP/AVP 8`,
        held ? 'a=inactive' : 'a=sendonly',
        `a=label:${index + 1}`,
      ]),
      '',
    ].join('\r\n');
    const part = (type: string, more: string, content: string): string =>
      `--${BOUNDARY}\r\nContent-Type: ${type}\r\n${more}\r\n${content}\r\n`;
    const about = 'Content-Disposition: recording-session\r\n';
    return `${part(SDP, '', sdp)}${part(RECORDING_METADATA, about, metadata)}--${BOUNDARY}--\r\n`;
  }

  /** A challenge is answered once. */
  async #proved(method: string, headers: HeaderFields, body: string): Promise<SipResponse | undefined> {
    const first = await this.#request(method, headers, body);
    const { user, password } = this.#setting;
    if (password === undefined || (first?.status !== 401 && first?.status !== 407)) return first;
    const use = { cnonce: this.#token(), count: 1 };
    const login = { username: user, password };
    const uri = this.#remote?.uri ?? this.#target;
    const field = answerChallenge(this.#ports.hash, first, login, { method, uri }, use);
    return field.ok ? await this.#request(method, [...headers, field.value], body) : first;
  }

  #request(method: string, headers: HeaderFields, body?: string): Promise<SipResponse | undefined> {
    const outgoing = this.#outgoing(method, ++this.#cseq, headers, body);
    return new Promise((resolve) => {
      this.#endpoint.request(outgoing, this.#flowNow(), this.#ports.clock.monoMs(), (outcome) => {
        if (outcome.kind !== 'response') resolve(undefined);
        else if (outcome.response.status >= 200) resolve(outcome.response);
      });
    });
  }

  #outgoing(method: string, cseq: number, headers: HeaderFields, body?: string): Outgoing {
    const { user, domain, address } = this.#setting;
    const { localPort } = this.#flowNow();
    return {
      method,
      uri: this.#remote?.uri ?? this.#target,
      headers: [
        ['From', `<sip:${user}@${domain}>;tag=${this.#tag}`],
        ['To', this.#remote?.to ?? `<${this.#target}>`],
        ['Call-ID', this.#callId],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', `<sip:${user}@${address}:${localPort}>;+sip.src`],
        ...headers,
      ],
      ...(body !== undefined && { body: Buffer.from(body) }),
    };
  }

  #deliver(request: SipRequest, server: ServerTransaction): void {
    const nowMs = this.#ports.clock.monoMs();
    const known = request.callId === this.#callId;
    server.respond({ status: known || request.method === 'OPTIONS' ? 200 : 481 }, nowMs);
    if (known && request.method === 'BYE') void this.#over('server').catch(this.#ports.defect);
  }

  async #over(by: 'us' | 'server'): Promise<void> {
    if (this.#remote === undefined) return;
    this.#remote = undefined;
    for (const { leg } of this.#streams.splice(0)) await this.#ports.media.closeLeg(leg);
    this.ended.emit(by);
  }

  #flowNow(): Flow {
    if (this.#flow === undefined) throw new Error('the recording client has no way to its server yet');
    return this.#flow;
  }

  #token(): string {
    return Buffer.from(this.#ports.random(8)).toString('hex');
  }
}
