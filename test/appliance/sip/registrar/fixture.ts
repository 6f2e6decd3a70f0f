import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, SipRequest } from '#appliance/sip/message/index.ts';
import { type Registered, type Registration, readRegistration } from '#appliance/sip/registrar/index.ts';

export const AOR = 'scaip-1@demo.carillon.test';

export const flow = (changes: Partial<Flow> = {}): Flow => ({
  transport: 'UDP',
  reliable: false,
  localAddress: '192.0.2.9',
  localPort: 5060,
  remoteAddress: '198.51.100.7',
  remotePort: 40_000,
  connection: 0,
  ...changes,
});

export const tls = (connection: number): Flow =>
  flow({ transport: 'TLS', reliable: true, localPort: 5061, connection });

/** A REGISTER as it comes from the wire. */
export function request(fields: readonly string[], { callId = 'call-1', cseq = 1 } = {}): SipRequest {
  const head = [
    'REGISTER sip:demo.carillon.test SIP/2.0',
    'Via: SIP/2.0/UDP 10.0.0.5;branch=z9hG4bK1',
    `From: <sip:${AOR}>;tag=1`,
    `To: <sip:${AOR}>`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq} REGISTER`,
    'Max-Forwards: 70',
    ...fields,
    'Content-Length: 0',
  ];
  const parsed = parseMessage(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  if (!parsed.ok || !(parsed.value instanceof SipRequest)) throw new Error('no request');
  return parsed.value;
}

export interface Asked {
  readonly aor?: string;
  readonly callId?: string;
  readonly cseq?: number;
  readonly flow?: Flow;
  /** By a secret, as most devices; `false`: by its name alone. */
  readonly proven?: boolean;
}

export function registration(fields: readonly string[], asked: Asked = {}): Registration {
  const read = readRegistration(
    request(fields, asked),
    asked.aor ?? AOR,
    asked.flow ?? flow(),
    asked.proven ?? true,
  );
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
}

/** Result of a REGISTER: its changes and the contacts that stand now, in a few words. */
export function shown(result: Registered): string | { changes: string[]; contacts: string[] } {
  if (result.outcome !== 'registered') return result.outcome;
  return {
    changes: result.changes.map((change) =>
      change.kind === 'stored' ? `+${change.binding.contact}` : `-${change.binding.contact} ${change.reason}`,
    ),
    contacts: result.bindings.map(({ contact }) => contact),
  };
}
