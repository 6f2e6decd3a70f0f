import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ORDINARY_PLAN } from '#appliance/call/control/target/dial-plan.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { BRIDGE, browserSdp, connections } from '#test/support/browser.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let ice: ReturnType<typeof connections>;
let tablet: Telephone;
let bo: Telephone;

beforeEach(async () => {
  ice = connections();
  appliance = await testAppliance({ webrtc: ice.webrtc });
  net = telephones(appliance);
  // `never` speaks of keys in descriptions: a browser is encrypted nevertheless.
  tablet = await net.device('tablet', '192.0.2.20', { srtp: 'never' });
  bo = await net.device('bo', '192.0.2.21');
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.media.openLegs).toEqual([]);
  expect(appliance.logged).toEqual([]);
  const count = (what: string): number => ice.asked.filter((each) => each.startsWith(what)).length;
  expect(count('close')).toBe(ice.refuses ? 0 : count('open'));
  await appliance.close();
});

const described = (parts: Parameters<typeof browserSdp>[1] = {}): string => browserSdp(tablet, parts);

const text = (message: SipMessage): string => message.body.toString();

async function talking(): Promise<{ talk: Talk; ok: SipMessage }> {
  const talk = await tablet.invite('bo', net.pump, { sdp: described() });
  bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe() });
  await net.pump();
  const answer = tablet.response(200);
  tablet.acknowledge(talk, answer);
  await net.pump();
  bo.request('ACK');
  return { talk, ok: answer };
}

async function reinvite(talk: Talk, sdp: string): Promise<string> {
  tablet.inDialog(talk, 'INVITE', { sdp });
  const { cseq } = talk;
  await net.pump();
  const answer = tablet.response(200);
  tablet.inDialog(talk, 'ACK', { cseq });
  await net.pump();
  return text(answer);
}

async function end(talk: Talk): Promise<void> {
  tablet.inDialog(talk, 'BYE');
  await net.pump();
  bo.respond(bo.request('BYE'), 200);
  await net.pump();
}

describe('a browser that calls', () => {
  it('learns what our stream is called (RFC 5576), and our packets are called so', async () => {
    const { talk, ok } = await talking();
    const [, ssrc] = /^a=ssrc:(\d+) cname:\S+$/m.exec(text(ok).replaceAll('\r', '')) ?? [];
    await net.after(500);
    const toBridge = appliance.media.sent.filter(({ toHost }) => toHost === '127.0.0.1');
    const names = new Set(
      toBridge.filter(({ bytes }) => bytes[1] === 0).map(({ bytes }) => Buffer.from(bytes).readUInt32BE(8)),
    );
    expect([...names]).toEqual([Number(ssrc)]);
    await end(talk);
  });

  it('is connected when it is answered, not while it rings', async () => {
    const talk = await tablet.invite('bo', net.pump, { sdp: described() });
    const invite = bo.request('INVITE');
    expect(text(invite)).toContain('RTP/AVP');
    bo.respond(invite, 180);
    await net.after(25_000, 5_000);
    expect(ice.asked).toEqual(['open 1/1 for first']);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    expect(ice.asked).toEqual(['open 1/1 for first', 'accept 1/1 from first']);
    const answer = tablet.response(200);
    for (const line of [
      'm=audio 30001 UDP/TLS/RTP/SAVPF 0 8 101',
      'a=group:BUNDLE 0',
      'a=mid:0',
      'a=setup:active',
      'a=rtcp-mux',
      'a=ice-ufrag:ours',
      'a=candidate:1 1 udp 9 192.0.2.10 30001 typ host',
    ])
      expect(text(answer).split('\r\n')).toContain(line);
    tablet.acknowledge(talk, answer);
    await net.pump();
    bo.request('ACK');
    await net.after(500);
    // Audio of bo goes to our end of the connection and nowhere else.
    const ports = appliance.media.sent
      .filter(({ fromPort }) => fromPort === 20_000)
      .map(({ toPort }) => toPort);
    expect(new Set(ports)).toEqual(new Set([BRIDGE]));
    await end(talk);
    expect(ice.asked.at(-1)).toBe('close 1/1');
  });

  it('keeps its connection over hold', async () => {
    const { talk } = await talking();
    const held = await reinvite(talk, described({ direction: 'sendonly', version: 2 }));
    expect(held).toContain('a=recvonly');
    expect(held).toContain('a=setup:active');
    expect(await reinvite(talk, described({ version: 3 }))).toContain('a=sendrecv');
    expect(ice.asked).toEqual(['open 1/1 for first', 'accept 1/1 from first']);
    for (const message of bo.inbox.splice(0))
      if (message.kind === 'request') bo.respond(message, 200, { sdp: bo.describe({ version: 2 }) });
    await net.pump();
    await end(talk);
  });

  it('gets another connection when it restarts ICE, and the first is closed when that is settled', async () => {
    const { talk } = await talking();
    await reinvite(talk, described({ ufrag: 'second', version: 2 }));
    expect(ice.asked).toEqual([
      'open 1/1 for first',
      'accept 1/1 from first',
      'open 1/2 for second anew',
      'close 1/1',
      'accept 1/2 from second',
    ]);
    const [before = ''] = ice.names;
    ice.webrtc.events.emit({ kind: 'failed', id: before, reason: 'closed' });
    await net.pump();
    expect(appliance.runtime.load.calls).toBe(1);
    await end(talk);
  });

  it('learns why when its connection fails', async () => {
    await talking();
    const [name = ''] = ice.names;
    ice.webrtc.events.emit({ kind: 'failed', id: name, reason: 'no address of the peer answered' });
    await net.pump();
    const bye = tablet.request('BYE');
    expect(bye.header('Reason')).toContain('WebRTC: no address of the peer answered');
    tablet.respond(bye, 200);
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('gives up while it rings: nothing was connected, and what was opened is closed', async () => {
    const talk = await tablet.invite('bo', net.pump, { sdp: described() });
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.pump();
    tablet.cancel(talk);
    await net.pump();
    bo.respond(bo.request('CANCEL'), 200);
    bo.respond(invite, 487);
    await net.pump();
    expect(ice.asked).toEqual(['open 1/1 for first', 'close 1/1']);
  });

  it('is refused with 488 when its fingerprint is weak, and nothing is opened', async () => {
    await tablet.invite('bo', net.pump, {
      sdp: described({ fingerprint: `sha-1 ${Array(20).fill('CD').join(':')}` }),
    });
    expect(tablet.response(488).header('Warning')).toMatch(/302 .*sha-256 or longer/);
    expect(ice.asked).toEqual([]);
  });

  it('is asked to come again when no connection can be opened', async () => {
    ice.refuses = true;
    await tablet.invite('bo', net.pump, { sdp: described() });
    const refusal = tablet.response(503);
    expect(refusal.header('Retry-After')).toBe('5');
    expect(refusal.header('Warning')).toContain('no port is free');
  });
});

describe('a device behind WebSocket that is called', () => {
  beforeEach(async () => {
    tablet = await net.device('pad', '192.0.2.22', {}, false);
    Object.assign(tablet.flow, { transport: 'WSS', reliable: true });
    await tablet.register(net.pump);
  });

  it('is offered WebRTC and connected by its answer', async () => {
    const talk = await bo.invite('pad', net.pump);
    const invite = tablet.request('INVITE');
    expect(text(invite)).toContain('UDP/TLS/RTP/SAVPF 8 0');
    expect(text(invite)).toContain('a=setup:actpass');
    expect(ice.asked).toEqual(['open 2/1']);
    tablet.respond(invite, 200, { sdp: described({ setup: 'active' }) });
    await net.pump();
    bo.acknowledge(talk, bo.response(200));
    await net.pump();
    tablet.request('ACK');
    expect(ice.asked).toEqual(['open 2/1', 'accept 2/1 from first']);
    const back = tablet.answeredTalk(invite);
    // Its own offers leave the roles open, our answer repeats ours.
    expect(await reinvite(back, described({ version: 2 }))).toContain('a=setup:passive');
    bo.inDialog(talk, 'BYE');
    await net.pump();
    tablet.respond(tablet.request('BYE'), 200);
    await net.pump();
  });

  it('behind a proxy that forks: the first is audible while it rings, the one that answers is connected', async () => {
    const talk = await bo.invite('pad', net.pump);
    const invite = tablet.request('INVITE');
    const says = (ufrag: string): string => described({ ufrag, setup: 'active' });
    tablet.respond(invite, 183, { tag: 'one', sdp: says('fork1') });
    tablet.respond(invite, 183, { tag: 'two', sdp: says('fork2') });
    await net.pump();
    expect(ice.asked).toEqual(['open 2/1', 'accept 2/1 from fork1']);
    tablet.respond(invite, 200, { tag: 'two', sdp: says('fork2') });
    await net.pump();
    expect(ice.asked).toEqual(['open 2/1', 'accept 2/1 from fork1', 'accept 2/1 from fork2']);
    bo.acknowledge(talk, bo.response(200));
    await net.pump();
    tablet.request('ACK');
    bo.inDialog(talk, 'BYE');
    await net.pump();
    const bye = tablet.request('BYE');
    expect(bye.to.tag).toBe('two');
    tablet.respond(bye, 200);
    await net.pump();
  });

  it('is offered plain audio when it takes no WebRTC', async () => {
    const talk = await bo.invite('pad', net.pump);
    tablet.respond(tablet.request('INVITE'), 488);
    await net.pump();
    tablet.request('ACK');
    const invite = tablet.request('INVITE');
    expect(text(invite)).toContain('RTP/AVP 8 0');
    expect(text(invite)).not.toContain('ice-ufrag');
    expect(ice.asked).toEqual(['open 2/1', 'close 2/1']);
    tablet.respond(invite, 200, { sdp: tablet.describe() });
    await net.pump();
    bo.acknowledge(talk, bo.response(200));
    await net.pump();
    bo.inDialog(talk, 'BYE');
    await net.pump();
    tablet.respond(tablet.request('BYE'), 200);
    await net.pump();
  });

  it('keeps its audio with us where that of telephones would run straight', async () => {
    const { calls } = appliance.runtime;
    const call = calls.place({
      destination: 'pad',
      origin: {
        display: '',
        user: 'alarm',
        host: 'care.example',
        hidden: false,
        trusted: true,
        fields: [],
        hopsLeft: 70,
      },
      plan: { ...ORDINARY_PLAN, straight: true },
      trace: new SessionTrace('trace-1', () => 0),
      setting: { keepsCaller: true },
      onProgress: () => undefined,
    });
    await net.pump();
    const invite = tablet.request('INVITE');
    tablet.respond(invite, 200, { sdp: described({ setup: 'active' }) });
    await net.pump();
    tablet.request('ACK');
    calls.turn(() => call.input({ kind: 'dial', groups: call.named(calls.targetsTo(call, 'bo').groups) }));
    await net.pump();
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe() });
    await net.pump();
    bo.request('ACK');
    expect(bo.inbox).toEqual([]);
    expect(tablet.inbox).toEqual([]);
    tablet.inDialog(tablet.answeredTalk(invite), 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });
});
