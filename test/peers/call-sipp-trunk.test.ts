import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '#test/support/site-port.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { runPair } from './support/sipp-pair.ts';
import {
  ack,
  answers,
  called,
  checked,
  hangsUp,
  has,
  hear,
  hop,
  invite,
  isLeft,
  reply,
  scenario,
  take,
  trying,
} from './support/sipp-scenario.ts';

const EXCHANGE = '127.0.0.7';
const PASSWORD = 'correct-horse';
const WITHIN_S = 40;

let site: PeerSite;
let exchangePort: number;

beforeAll(async () => {
  [exchangePort = 0] = await freePorts(EXCHANGE, 1);
  const exchange = { username: 'carillon', password: 'carrier-secret', codecs: ['PCMA'] };
  site = await startPeerSite({
    devices: [phone('anna', PASSWORD)],
    trunks: [
      { id: 'udp', hosts: [{ uri: `sip:${EXCHANGE}:${exchangePort}` }], numberPrefix: '+46', ...exchange },
      {
        id: 'tcp',
        hosts: [{ uri: `sip:${EXCHANGE}:${exchangePort};transport=tcp` }],
        numberPrefix: '+47',
        ...exchange,
      },
    ],
  });
});
afterAll(() => site?.close());

const port = (transport: 'udp' | 'tcp'): number => site.appliance.ready[transport];

describe.each(['udp', 'tcp'] as const)('SIPp as the host of a trunk over %s', (transport) => {
  it.each([
    [401, 'WWW-Authenticate', 'Authorization'],
    [407, 'Proxy-Authenticate', 'Proxy-Authorization'],
  ] as const)('challenges with %i, and gets the right answer', async (status, challenge, answer) => {
    const number = transport === 'udp' ? '+46855510' : '+47855510';
    const common = { domain: DOMAIN, withinS: WITHIN_S, transport, port: port(transport) };
    const outcome = await runPair(
      {
        ...common,
        scenario: scenario(
          'host of a trunk',
          called(has('P-Asserted-Identity', 'sip:anna@', 'identity')),
          checked('identity'),
          reply(status, {
            headers: [`${challenge}: Digest realm="carrier", nonce="abc", algorithm=MD5, qop="auth"`],
          }),
          take('ACK'),
          take('INVITE'),
          ...answers.slice(1),
          ...isLeft,
        ),
        from: EXCHANGE,
        fromPort: exchangePort,
        calls: [['-']],
      },
      {
        ...common,
        scenario: scenario(
          'device',
          invite(),
          trying,
          hear(401, { auth: true }),
          hop('ACK'),
          invite({ sdp: true, headers: ['[field2]'] }, 2),
          trying,
          hear(180),
          hear(200),
          ack(2),
          ...hangsUp(3),
        ),
        // Digest must name whom it calls; SIPp by itself names the address.
        flags: ['-auth_uri', `${number}@${DOMAIN}`],
        calls: [['anna', number, `[authentication username=anna password=${PASSWORD}]`]],
      },
    );
    expect({ caller: outcome.caller.errors, callee: outcome.callee.errors }).toEqual({
      caller: '',
      callee: '',
    });
    expect([outcome.caller.code, outcome.callee.code]).toEqual([0, 0]);
    const proof = new RegExp(`^${answer}: (Digest .*)$`, 'm').exec(outcome.callee.messages)?.[1] ?? '';
    expect(proof).toContain('username="carillon"');
    expect(/response="(\w+)"/.exec(proof)?.[1]).toBe(digestOf(proof, 'INVITE', 'carrier-secret'));
  });
});

/** RFC 2617 3.2.2.1, with qop=auth and MD5. */
function digestOf(proof: string, method: string, password: string): string {
  const md5 = (...parts: readonly string[]) => hash('md5', parts.join(':'));
  const say = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(proof)?.[1] ?? '';
  const secret = md5(say('username'), say('realm'), password);
  return md5(secret, say('nonce'), say('nc'), say('cnonce'), 'auth', md5(method, say('uri')));
}
