import { beforeEach, describe, expect, it } from 'vitest';
import { eachWithTelephones, type TelephoneHouse } from '#test/support/talking.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let carrier: Telephone;
let gateway: Telephone;

eachWithTelephones({ anna: '192.0.2.20' }, (made) => {
  ({ appliance, net, anna } = made);
});

beforeEach(() => {
  carrier = net.stranger('carrier', '198.51.100.1');
  gateway = net.stranger('gateway', '198.51.100.7');
  net.trunk();
});

/** Anna calls a number; the trunk answers with this Contact. */
async function answeredAs(contact: string, headers: [string, string][] = []): Promise<Talk> {
  const talk = await anna.invite('+46855510', net.pump);
  const invite = carrier.request('INVITE');
  carrier.respond(invite, 200, { sdp: carrier.describe(), contact, headers });
  await net.pump();
  anna.acknowledge(talk, anna.response(200));
  await net.pump();
  return talk;
}

describe('a trunk whose Contact names a host', () => {
  it('gets everything of the dialog where the name leads, looked up once', async () => {
    appliance.network.addresses.set('sbc.carrier.example', ['198.51.100.7']);
    const talk = await answeredAs('<sip:gw@sbc.carrier.example>');
    expect(gateway.request('ACK').uriText).toBe('sip:gw@sbc.carrier.example');
    anna.inDialog(talk, 'INFO', {
      headers: [['Content-Type', 'application/dtmf-relay']],
      body: 'Signal=5\r\nDuration=160\r\n',
    });
    anna.inDialog(talk, 'BYE');
    await net.pump();
    gateway.respond(gateway.request('BYE'), 200);
    await net.pump();
    expect(carrier.has('BYE') || carrier.has('ACK')).toBe(false);
    expect(appliance.network.asked.filter((each) => each === 'A sbc.carrier.example')).toHaveLength(1);
  });

  it('is found by its SRV records', async () => {
    const { srv, addresses } = appliance.network;
    srv.set('_sip._udp.carrier.example', [
      { priority: 2, weight: 0, port: 5060, target: 'away.carrier.example' },
      { priority: 1, weight: 0, port: 5060, target: 'gw.carrier.example' },
    ]);
    addresses.set('gw.carrier.example', ['198.51.100.7']);
    const talk = await answeredAs('<sip:gw@carrier.example>');
    gateway.request('ACK');
    anna.inDialog(talk, 'BYE');
    await net.pump();
    gateway.respond(gateway.request('BYE'), 200);
    await net.pump();
  });

  it('and whose proxy stays in the route by name: the proxy is looked up, not the Contact', async () => {
    appliance.network.addresses.set('edge.carrier.example', ['198.51.100.7']);
    const route: [string, string] = ['Record-Route', '<sip:edge.carrier.example;lr>'];
    const talk = await answeredAs('<sip:gw@inside.carrier.example>', [route]);
    expect(gateway.request('ACK').uriText).toBe('sip:gw@inside.carrier.example');
    expect(appliance.network.asked.some((each) => each.includes('inside'))).toBe(false);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    gateway.respond(gateway.request('BYE'), 200);
    await net.pump();
  });

  it('with an unknown name: the call ends, both learn why', async () => {
    await answeredAs('<sip:gw@nowhere.example>');
    // Acknowledged and ended where it answered from: no side goes on repeating.
    carrier.request('ACK');
    const bye = carrier.request('BYE');
    expect(bye.header('Reason')).toMatch(/SIP;cause=502;text="sip:nowhere\.example: no address is known/);
    carrier.respond(bye, 200);
    const reported = anna.request('BYE');
    expect(reported.header('Reason')).toContain('cause=502');
    anna.respond(reported, 200);
    await net.pump();
  });

  it('that calls us gets our BYE there', async () => {
    appliance.network.addresses.set('sbc.carrier.example', ['198.51.100.7']);
    carrier.contact = '<sip:c@sbc.carrier.example>';
    const talk = await carrier.invite('anna', net.pump);
    const invite = anna.request('INVITE');
    anna.respond(invite, 200, { sdp: anna.describe() });
    await net.pump();
    carrier.acknowledge(talk, carrier.response(200));
    await net.pump();
    anna.request('ACK');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.pump();
    gateway.respond(gateway.request('BYE'), 200);
    await net.pump();
  });
});

describe('a device whose Contact names a host', () => {
  /** Registered over a connection. */
  async function registered(): Promise<Telephone> {
    const bo = await net.device('bo', '192.0.2.21', {}, false);
    bo.flow = { ...bo.flow, transport: 'TCP', reliable: true, connection: 77 };
    bo.contact = '<sip:bo@phone.example;transport=tcp>';
    await bo.register(net.pump);
    return bo;
  }

  async function declines(bo: Telephone): Promise<void> {
    const invite = bo.request('INVITE');
    expect(invite.uriText).toBe('sip:bo@phone.example;transport=tcp');
    bo.respond(invite, 486);
    await net.pump();
    anna.response(486);
  }

  it('is called over its registration as long as that lives', async () => {
    const bo = await registered();
    expect(appliance.runtime.flowInUse(bo.flow)).toBe(true);
    await anna.invite('bo', net.pump);
    await declines(bo);
    expect(appliance.network.asked).toEqual([]);
  });

  it('is looked up when its connection is lost', async () => {
    const bo = await registered();
    appliance.runtime.flowFailed(bo.flow);
    expect(appliance.runtime.flowInUse(bo.flow)).toBe(false);
    appliance.network.addresses.set('phone.example', ['192.0.2.21']);
    await anna.invite('bo', net.pump);
    bo.flow = { ...bo.flow, connection: 1_001 };
    await declines(bo);
    expect(appliance.network.asked).toEqual(['SRV _sip._tcp.phone.example', 'A phone.example']);
  });

  it('with an unknown name is away: 480', async () => {
    const bo = await registered();
    appliance.runtime.flowFailed(bo.flow);
    await anna.invite('bo', net.pump);
    anna.response(480);
  });
});
