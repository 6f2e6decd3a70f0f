import { expect, test } from 'vitest';
import { requestFacts } from '#appliance/sip/auth/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, SipRequest } from '#appliance/sip/message/index.ts';

const flow: Flow = {
  transport: 'TLS',
  reliable: true,
  localAddress: '192.0.2.9',
  localPort: 5061,
  remoteAddress: '192.0.2.1',
  remotePort: 40_000,
  connection: 7,
};

const facts = (lines: string[], uri = 'sip:scaip@Demo.Carillon.Test;transport=tls') => {
  const head = [
    `MESSAGE ${uri} SIP/2.0`,
    'Via: SIP/2.0/TLS 192.0.2.1;branch=z9hG4bK1',
    ...lines,
    'Call-ID: c',
    'CSeq: 1 MESSAGE',
    'Max-Forwards: 70',
    'Content-Length: 0',
  ];
  const parsed = parseMessage(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  if (!parsed.ok || !(parsed.value instanceof SipRequest)) throw new Error('no request');
  return requestFacts(parsed.value, flow, { alarm: { cid: 'scaip-1' } });
};

test('a request and its flow', () => {
  const lines = [
    'From: "Unit" <sip:scaip%2D1@192.0.2.1>;tag=1',
    'To: <sip:scaip@demo.carillon.test>',
    'Authorization: Digest realm="a,b", nonce="x"',
    'Authorization: Bearer y',
    'User-Agent: unit/1',
    'X-Trunk-Key: k1',
  ];
  expect(facts(lines)).toEqual({
    method: 'MESSAGE',
    callId: 'c',
    requestUri: 'sip:scaip@Demo.Carillon.Test;transport=tls',
    destination: 'scaip',
    requestHost: 'demo.carillon.test',
    fromUser: 'scaip-1',
    fromHost: '192.0.2.1',
    toUser: 'scaip',
    authorization: ['Digest realm="a,b", nonce="x"', 'Bearer y'],
    userAgent: 'unit/1',
    trunkGroupId: undefined,
    trunkKey: 'k1',
    transport: 'TLS',
    source: '192.0.2.1',
    alarm: { cid: 'scaip-1' },
    ownAlarmSession: false,
  });
});

test('tel numbers and anonymous senders', () => {
  const lines = ['From: <tel:+45-8000-0000>;tag=1', 'To: <sip:demo.carillon.test>'];
  expect(facts(lines, 'sip:demo.carillon.test')).toMatchObject({
    fromUser: '+4580000000',
    fromHost: '',
    toUser: '',
    destination: '',
  });
});
