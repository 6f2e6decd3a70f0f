import type { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import {
  type Capability,
  type EndpointEffects,
  type EndpointOptions,
  type Flow,
  type ServerTransaction,
  SipEndpoint,
} from '#appliance/sip/endpoint/index.ts';
import {
  parseMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '#appliance/sip/message/index.ts';

export const capability: Capability = {
  methods: ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'REGISTER', 'MESSAGE', 'INFO'],
  accept: ['application/scaip+xml', 'application/sdp', 'text/plain'],
  supported: ['100rel', 'timer', 'path'],
};

export const udp: Flow = {
  transport: 'UDP',
  reliable: false,
  localAddress: '192.0.2.254',
  localPort: 5060,
  remoteAddress: '192.0.2.1',
  remotePort: 5060,
  connection: 0,
};
export const tcp: Flow = { ...udp, transport: 'TCP', reliable: true, remotePort: 40_000, connection: 7 };

/** Random numbers that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const seededBytes = (seed: number): ((length: number) => Uint8Array) => {
  const next = seeded(seed);
  return (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256));
};

export function parsed(bytes: Buffer): SipMessage {
  const result = parseMessage(bytes);
  if (!result.ok) throw new Error(`malformed: ${result.error.reason}\n${bytes.toString()}`);
  return result.value;
}

export interface Sent {
  readonly flow: Flow;
  readonly bytes: Buffer;
  readonly atMs: number;
}

/** An endpoint on a fake clock that writes down all it does. */
export class Stage {
  nowMs = 1_000;
  readonly sent: Sent[] = [];
  readonly delivered: { readonly request: SipRequest; readonly server: ServerTransaction }[] = [];
  readonly acks: SipRequest[] = [];
  readonly defects: string[] = [];
  readonly failures: string[] = [];
  readonly endpoint: SipEndpoint;
  onDeliver: (request: SipRequest, server: ServerTransaction) => void = () => undefined;

  constructor(
    options: Partial<Omit<EndpointOptions, 'effects'>> & { effects?: Partial<EndpointEffects> } = {},
  ) {
    this.endpoint = new SipEndpoint({
      capability,
      random: seededBytes(1),
      nowMs: this.nowMs,
      ...options,
      effects: {
        send: (flow, bytes) => this.sent.push({ flow, bytes, atMs: this.nowMs }),
        deliver: (request, server) => {
          this.delivered.push({ request, server });
          this.onDeliver(request, server);
        },
        acknowledged: (ack) => this.acks.push(ack),
        serverFailed: (server, cause) => this.failures.push(`${server.method} ${cause}`),
        onDefect: (error, doing) => this.defects.push(`${doing}: ${String(error)}`),
        ...options.effects,
      },
    });
  }

  receive(text: string | Buffer, flow: Flow = udp): void {
    this.endpoint.receive(flow, typeof text === 'string' ? Buffer.from(text) : text, this.nowMs);
  }

  /** Lets time pass as the runtime does: from due time to due time, of the endpoint and of these timers. */
  pass(ms: number, timers?: Pick<EngineTimers, 'nextDueMs' | 'advance'>): void {
    const until = this.nowMs + ms;
    for (;;) {
      const due = Math.min(timers?.nextDueMs ?? until + 1, this.endpoint.nextDueMs() ?? until + 1);
      if (due > until) break;
      this.nowMs = Math.max(this.nowMs, due);
      this.endpoint.advance(this.nowMs);
      timers?.advance(this.nowMs);
    }
    this.nowMs = until;
    this.endpoint.advance(until);
  }

  responses(): SipResponse[] {
    return this.sent.map(({ bytes }) => parsed(bytes)).filter((message) => message.kind === 'response');
  }

  requests(): SipRequest[] {
    return this.sent.map(({ bytes }) => parsed(bytes)).filter((message) => message.kind === 'request');
  }

  statuses(): number[] {
    return this.responses().map((response) => response.status);
  }
}

export interface RequestParts {
  readonly method?: string;
  readonly uri?: string;
  readonly via?: string;
  readonly branch?: string;
  readonly from?: string;
  readonly to?: string;
  readonly callId?: string;
  readonly cseq?: string;
  readonly extra?: readonly string[];
  readonly body?: string;
}

/** Text of a request that is right in everything not named. */
export function requestText(parts: RequestParts = {}): string {
  const method = parts.method ?? 'MESSAGE';
  const body = parts.body ?? '';
  return [
    `${method} ${parts.uri ?? 'sip:receiver@192.0.2.254'} SIP/2.0`,
    parts.via ?? `Via: SIP/2.0/UDP 192.0.2.1:5060;branch=${parts.branch ?? 'z9hG4bKone'};rport`,
    'Max-Forwards: 70',
    `From: ${parts.from ?? '<sip:unit@tenant.example>;tag=f1'}`,
    `To: ${parts.to ?? '<sip:receiver@192.0.2.254>'}`,
    `Call-ID: ${parts.callId ?? 'call-1'}`,
    `CSeq: ${parts.cseq ?? `1 ${method}`}`,
    ...(parts.extra ?? []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
