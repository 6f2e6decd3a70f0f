import { beforeEach, describe, expect, it } from 'vitest';
import { eachWithTelephones, hangsUp, type TelephoneHouse, takesCall } from '#test/support/talking.ts';
import type { Telephone } from '#test/support/telephone.ts';

/* An INVITE that is too long for a datagram (RFC 3261 18.1.1), as one with many headers, keys or ICE candidates is. */

const CARRIER = '198.51.100.1';
const LONG = [['X-Long', 'x'.repeat(1_300)]] as const;

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let bo: Telephone;
let carrier: Telephone;
/** Transport in Via of each request that the others got, once each. */
let seen: string[];
/** Places that were asked for a connection. */
let asked: string[];

eachWithTelephones({ anna: '192.0.2.20', bo: '192.0.2.21' }, (made) => {
  ({ appliance, net, anna, bo } = made);
});

beforeEach(() => {
  seen = [];
  asked = [];
  const { connect } = appliance.network;
  appliance.network.connect = (hop) => {
    if (hop.transport === 'TCP') asked.push(`${hop.address}:${hop.port}`);
    return connect(hop);
  };
  carrier = net.stranger('+4670', CARRIER);
  net.lose((_to, bytes) => {
    const [, method, via] = /^(\w+) .*\r\nVia: SIP\/2.0\/(\w+)/.exec(bytes.toString('latin1')) ?? [];
    const route = `${method} ${via}`;
    if (method !== undefined && seen.at(-1) !== route) seen.push(route);
    return false;
  });
});

/** anna calls the carrier, whose telephone answers; then she hangs up. */
async function callsOut(headers: typeof LONG | readonly [] = LONG, contact?: string): Promise<void> {
  if (contact !== undefined) carrier.contact = contact;
  const talk = await anna.invite('+46701234567', net.pump, { headers });
  await net.after(3_000);
  await takesCall(carrier, net);
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  await hangsUp(net, anna, talk, carrier);
}

describe('a long INVITE to a trunk of UDP', () => {
  beforeEach(() => net.trunk());

  it('goes by TCP, what is short in its dialog by UDP, where the trunk is asked to find us', async () => {
    await callsOut();
    expect(seen).toEqual(['INVITE TCP', 'ACK UDP', 'BYE UDP']);
    const invite = carrier.received.find((each) => each.kind === 'request' && each.method === 'INVITE');
    expect(invite?.header('Contact')).toMatch(/^<sip:carillon@192\.0\.2\.10:5060>/);
  });

  it('takes the others of its dialog along when the trunk names TCP in its Contact', async () => {
    await callsOut(LONG, `<sip:far@${CARRIER};transport=tcp>`);
    expect(seen).toEqual(['INVITE TCP', 'ACK TCP', 'BYE TCP']);
  });

  it('goes by UDP where no connection opens, and the next one at once', async () => {
    appliance.network.closed.add(`${CARRIER}:5060`);
    const { connect } = appliance.network;
    // The trunk is there by UDP.
    appliance.network.connect = (hop) =>
      hop.transport === 'TCP'
        ? connect(hop)
        : connect({ ...hop, address: '192.0.2.77' }).then(there(CARRIER));
    await callsOut();
    await callsOut();
    expect(seen).toEqual(['INVITE UDP', 'ACK UDP', 'BYE UDP', 'INVITE UDP', 'ACK UDP', 'BYE UDP']);
    expect(asked).toEqual([`${CARRIER}:5060`]);
    await net.after(601_000, 60_000);
    await callsOut();
    expect(asked).toHaveLength(2);
  });

  it('goes by UDP where a connection opens and says nothing, and the next one at once', async () => {
    net.lose((_to, bytes) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('INVITE')) seen.push(/Via: SIP\/2.0\/(\w+)/.exec(text)?.[1] ?? '');
      return text.includes('Via: SIP/2.0/TCP 192.0.2.10');
    });
    const talk = await anna.invite('+46701234567', net.pump, { headers: LONG });
    await net.after(6_000);
    await takesCall(carrier, net);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await hangsUp(net, anna, talk, carrier);
    await callsOut();
    // UDP repeats it while its answer takes its time.
    expect([seen[0], new Set(seen.slice(1))]).toEqual(['TCP', new Set(['UDP'])]);
    expect(asked).toHaveLength(1);
  });

  it('is not sent any more when the caller gives up while a connection is opened', async () => {
    const { connect } = appliance.network;
    const opening = Promise.withResolvers<void>();
    let given = false;
    appliance.network.connect = (hop) =>
      hop.transport === 'TCP' ? opening.promise.then(() => connect(hop)) : connect(hop);
    const pumpOnce = async () => {
      // The message that opens the connection waits: the others go on meanwhile.
      for (let step = 0; step < 20; step++) await new Promise<void>((resolve) => setImmediate(resolve));
      for (const { flow, bytes } of appliance.sent.splice(0))
        if (flow.remoteAddress === anna.host) anna.receive(bytes);
        else given = true;
    };
    const talk = await anna.invite('+46701234567', pumpOnce, { headers: LONG });
    anna.cancel(talk);
    await pumpOnce();
    opening.resolve();
    await net.pump();
    expect(anna.response(487).status).toBe(487);
    anna.inDialog({ ...talk, theirTag: 'x' }, 'ACK', { cseq: talk.inviteCseq });
    expect([given, carrier.received]).toEqual([false, []]);
  });
});

it('a trunk that says that it has UDP alone gets it by UDP, unasked', async () => {
  net.trunk({ hosts: [{ uri: `sip:${CARRIER}:5060;transport=udp`, priority: 1 }] });
  await callsOut();
  expect([seen, asked]).toEqual([['INVITE UDP', 'ACK UDP', 'BYE UDP'], []]);
});

describe('a long INVITE to a device that has registered by UDP', () => {
  const callsBo = async (): Promise<void> => {
    const talk = await anna.invite(bo.user, net.pump, { headers: LONG });
    await takesCall(bo, net);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    await hangsUp(net, anna, talk, bo);
  };

  it('goes by TCP to the address of its Contact, where it stands', async () => {
    await callsBo();
    expect([seen.find((each) => each.startsWith('INVITE')), asked]).toEqual([
      'INVITE TCP',
      ['192.0.2.21:5060'],
    ]);
  });

  it('stays on its flow behind NAT, through which nothing else leads', async () => {
    bo = await net.device('carl', '192.0.2.22', {}, false);
    bo.contact = '<sip:carl@10.0.0.5:5060>';
    bo.flow = { ...bo.flow, remotePort: 40_022 };
    await bo.register(net.pump);
    seen.length = 0;
    await callsBo();
    expect([seen[0], asked]).toEqual(['INVITE UDP', []]);
  });
});

const there =
  (remoteAddress: string) =>
  <T extends { readonly ok: boolean }>(opened: T): T =>
    opened.ok && 'value' in opened
      ? { ...opened, value: { ...(opened.value as object), remoteAddress } }
      : opened;
