import { expect, test } from 'vitest';
import {
  answerPlaces,
  type Contact,
  namedPorts,
  type Place,
  type Source,
} from '#appliance/registration/device-place.ts';
import { type Flow, hostOf } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, SipRequest } from '#appliance/sip/message/index.ts';

/* The answer goes to where the alarm came from. */

const HERE = '198.51.100.7';
const ELSEWHERE = '203.0.113.66';

const flowOf = (transport: Flow['transport'], remoteAddress: string, remotePort: number): Flow => ({
  transport,
  reliable: transport !== 'UDP',
  localAddress: '192.0.2.10',
  localPort: 5060,
  remoteAddress,
  remotePort,
  connection: transport === 'UDP' ? 0 : remotePort,
});

function message(via: string, contact: string | undefined): SipRequest {
  const head = [
    'MESSAGE sip:scaip@care.example SIP/2.0',
    `Via: ${via}`,
    'From: <sip:unit-1@care.example>;tag=1',
    'To: <sip:scaip@care.example>',
    'Call-ID: 1',
    'CSeq: 1 MESSAGE',
    'Max-Forwards: 70',
    ...(contact === undefined ? [] : [`Contact: ${contact}`]),
    'Content-Length: 0',
  ];
  const parsed = parseMessage(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  if (!parsed.ok || !(parsed.value instanceof SipRequest)) throw new Error('no request');
  return parsed.value;
}

const placeOf = ({ flow, hop }: Place): string =>
  flow === undefined ? `${hop}` : `${flow.remoteAddress}:${flow.remotePort}`;

const source = (flow: Flow, ports: readonly number[] = []): Source => ({
  device: 'sip:unit-1@care.example',
  flow,
  ports,
});

test.each<[string, Flow['transport'], number, string, string | undefined, number[]]>([
  ['UDP with rport', 'UDP', 40_000, `${HERE}:5060;rport`, '<sip:a@10.0.0.5:5070>', []],
  ['UDP whose port is that of Via', 'UDP', 5_062, `${HERE}:5062`, '<sip:a@10.0.0.5:5070>', []],
  ['UDP whose port is that of Via, by default', 'UDP', 5_060, HERE, undefined, []],
  ['UDP with another port in Via', 'UDP', 40_000, `${HERE}:5062`, undefined, [5_062]],
  [
    'UDP with another port in Via and in Contact',
    'UDP',
    40_000,
    HERE,
    '<sip:a@10.0.0.5:5070>',
    [5_060, 5_070],
  ],
  ['TCP', 'TCP', 40_000, `${HERE}:5062;rport`, '<sip:a@10.0.0.5>', [5_062, 5_060]],
  ['TLS', 'TLS', 40_000, HERE, '<sip:a@10.0.0.5:5062>', [5_061, 5_062]],
])('ports that a request names: %s', (_name, transport, port, sentBy, contact, ports) => {
  const request = message(`SIP/2.0/${transport} ${sentBy};branch=z9hG4bK1`, contact);
  expect(namedPorts(request, flowOf(transport, HERE, port))).toEqual(ports);
});

/** Every kind of contact that may stand, in the order in which the registrar gives them. */
const contactsFor = (transport: Flow['transport']): readonly Contact[] =>
  [true, false].flatMap((proven) =>
    [HERE, ELSEWHERE].flatMap((address) =>
      [flowOf(transport, address, 40_000), flowOf('TCP', address, 7_000), undefined].map((flow): Contact => {
        const uri = `sip:${proven ? 'proven' : 'held'}@${address}:6000`;
        return { uri, flow, path: [], hop: uri, proven, source: address, sinceMs: 0 };
      }),
    ),
  );

/** All subsets of these contacts. */
function* subsets(all: readonly Contact[]): Generator<readonly Contact[]> {
  for (let mask = 0; mask < 2 ** all.length; mask++) yield all.filter((_, i) => (mask >> i) & 1);
}

test.each(['UDP', 'TCP', 'TLS', 'WSS'] as const)(
  'over %s the order is the flow it came by, the source address, what is proven, what the address holds',
  (transport) => {
    const flow = flowOf(transport, HERE, 40_000);
    let count = 0;
    for (const ports of [[], [5_060], [5_062, 5_070], [40_000]])
      for (const contacts of subsets(contactsFor(transport))) {
        // As `answering` of the registrar does: a binding of another address without a proof is not there at all.
        const given = contacts.filter(({ proven, source: holder }) => proven || holder === HERE);
        const places = answerPlaces(source(flow, ports), given);
        count++;
        expect(places[0]?.flow).toBe(flow);
        const proofs = new Set(given.filter(({ proven }) => proven).map(({ uri }) => uri));
        const foreign = places.map((place) => !placeOf(place).includes(HERE) && !proofs.has(place.uri));
        expect(foreign).not.toContain(true);
        // Places of the source, then proven ones, then held ones.
        const rank = places.map(({ uri }, i) => {
          if (i === 0 || uri.startsWith('sip:unit-1@')) return 0;
          return proofs.has(uri) ? 1 : 2;
        });
        expect(rank).toEqual(rank.toSorted((a, b) => a - b));
        const named = places.filter(({ uri }, i) => i > 0 && uri.startsWith('sip:unit-1@'));
        const expected = transport === 'WSS' || (transport === 'UDP' && ports[0] === 40_000) ? [] : ports;
        expect(named.map(({ uri }) => Number(/:(\d+)(?:;|$)/.exec(uri.slice(4))?.[1]))).toEqual(expected);
        expect(
          named.every(({ uri }) => hostOf(uri.slice('sip:unit-1@'.length).split(';')[0] ?? '') === HERE),
        ).toBe(true);
      }
    expect(count).toBe(4 * 2 ** 12);
  },
);

test('a binding that leads to the same place gives its contact and its route, and is no second place', () => {
  const flow = flowOf('UDP', HERE, 40_000);
  const path = ['<sip:proxy.example;lr>'];
  const contact = {
    uri: 'sip:a@10.0.0.5:5060',
    flow: { ...flow },
    path,
    hop: 'x',
    proven: false,
    source: HERE,
    sinceMs: 0,
  };
  expect(answerPlaces(source(flow), [contact])).toEqual([{ uri: contact.uri, routes: path, flow: flow }]);
});

test('without a proof nothing is connected to beyond the source address', () => {
  const flow = flowOf('TCP', HERE, 40_000);
  const lost = { flow: undefined, path: [], source: HERE, sinceMs: 0 };
  const [there, near] = ['sip:victim@203.0.113.9', `sip:a@${HERE}:5060`];
  const places = (proven: boolean) =>
    answerPlaces(
      source(flow),
      [there, near].map((uri) => ({ ...lost, uri, hop: uri, proven })),
    ).map(({ uri }) => uri);
  expect(places(false).slice(1)).toEqual([near]);
  expect(places(true).slice(1)).toEqual([there, near]);
});
