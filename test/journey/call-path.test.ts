import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/** A telephone behind an edge proxy that registers it with Path (RFC 3327): whatever is for it goes by that proxy. */
const EDGE = '192.0.2.40';
const PATH = `<sip:bo-flow-1@${EDGE}:5060;lr>`;

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
/** The telephone and its proxy in one: what arrives there has the address of the proxy. */
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  bo = await net.device('bo', EDGE, {}, false);
  bo.contact = '<sip:bo@10.0.0.5:5060>';
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.logged).toEqual([]);
  await appliance.close();
});

const supported = ['Supported', 'path'] as const;

describe('a telephone that calls over a connection of its own, without a registration', () => {
  it('keeps the connection as long as the call, by which alone its BYE can come', async () => {
    const cara = await net.device('cara', '192.0.2.22', {}, false);
    cara.flow = { ...cara.flow, transport: 'TCP', reliable: true, connection: 81 };
    await bo.register(net.pump);
    const inUse = () => appliance.runtime.flowInUse(cara.flow);
    expect(inUse()).toBe(false);
    const talk = await cara.invite('bo', net.pump);
    expect(inUse()).toBe(true);
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe() });
    await net.pump();
    cara.acknowledge(talk, cara.response(200));
    await net.pump();
    expect(inUse()).toBe(true);
    expect(appliance.runtime.flowInUse({ ...cara.flow, connection: 82 })).toBe(false);
    cara.inDialog(talk, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(inUse()).toBe(false);
  });
});

describe('a telephone that registers through a proxy', () => {
  it('gets its Path, and is called by it: INVITE, ACK and BYE have the route', async () => {
    const registered = await bo.register(net.pump, [supported, ['Path', PATH]]);
    expect(registered.header('Path')).toBe(PATH);
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(invite.uriText).toBe('sip:bo@10.0.0.5:5060');
    expect(invite.header('Route')).toBe(PATH);
    // The proxy stays in the way.
    const recorded = `<sip:${EDGE}:5060;lr;rr=1>`;
    bo.respond(invite, 200, { sdp: bo.describe(), headers: [['Record-Route', recorded]] });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    const ack = bo.request('ACK');
    expect([ack.uriText, ack.header('Route')]).toEqual(['sip:bo@10.0.0.5:5060', recorded]);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    const bye = bo.request('BYE');
    expect([bye.uriText, bye.header('Route')]).toEqual(['sip:bo@10.0.0.5:5060', recorded]);
    bo.respond(bye, 200);
    await net.pump();
  });

  it('behind two of them is called by both, in their order', async () => {
    const inner = '<sip:10.0.0.1;lr>';
    await bo.register(net.pump, [supported, ['Path', PATH], ['Path', inner]]);
    await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(invite.list('Route')).toEqual([PATH, inner]);
    bo.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it('is reached by its proxy when the connection that registered it is lost', async () => {
    bo.flow = { ...bo.flow, transport: 'TCP', reliable: true, connection: 77 };
    const path = `<sip:${EDGE}:5060;transport=tcp;lr>`;
    await bo.register(net.pump, [supported, ['Path', path]]);
    appliance.runtime.flowFailed(bo.flow);
    await anna.invite('bo', net.pump);
    // We have connected to the proxy, not to an address that only it can reach.
    bo.flow = { ...bo.flow, connection: 1_001 };
    const invite = bo.request('INVITE');
    expect([invite.uriText, invite.header('Route')]).toEqual(['sip:bo@10.0.0.5:5060', path]);
    bo.respond(invite, 486);
    await net.pump();
    anna.response(486);
  });

  it('gets a message of an application by it, over its connection and when that is lost', async () => {
    bo.flow = { ...bo.flow, transport: 'TCP', reliable: true, connection: 77 };
    const path = `<sip:${EDGE}:5060;transport=tcp;lr>`;
    await bo.register(net.pump, [supported, ['Path', path]]);
    const said = { contentType: 'text/plain', body: 'hi', from: 'sip:anna@care.example' };
    for (const connection of [77, 1_001]) {
      const sent = appliance.runtime.messages.send({ ...said, reqUri: 'sip:bo@care.example' });
      bo.flow = { ...bo.flow, connection };
      await net.pump();
      const message = bo.request('MESSAGE');
      expect([message.uriText, message.header('Route')]).toEqual(['sip:bo@10.0.0.5:5060', path]);
      bo.respond(message, 200);
      await net.pump();
      expect(await sent).toMatchObject({ ok: true });
      appliance.runtime.flowFailed(bo.flow);
    }
  });
});
