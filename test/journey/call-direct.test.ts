import { describe, expect, it } from 'vitest';
import { type ActiveCall, ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { eachWithTelephones, type TelephoneHouse } from '#test/support/talking.ts';
import type { Talk, Telephone } from '#test/support/telephone.ts';

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let bo: Telephone;
let call: ActiveCall;

eachWithTelephones({ anna: '192.0.2.20', bo: '192.0.2.21' }, (made) => {
  ({ appliance, net, anna, bo } = made);
});

const text = (message: SipMessage): string => message.body.toString();
const origin = (message: SipMessage): string[] => /^o=(.*)$/m.exec(text(message))?.[1]?.split(' ') ?? [];

/** Two people on the line of a call of ours whose audio is to run straight between them. */
async function joined(): Promise<{ first: Talk; second: Talk; asked: SipMessage }> {
  const { calls } = appliance.runtime;
  call = calls.place({
    destination: 'anna',
    origin: {
      display: '',
      user: 'alarm',
      host: 'care.example',
      hidden: false,
      trusted: true,
      fields: [],
      hopsLeft: 70,
    },
    plan: {
      policy: ORDINARY_POLICY,
      relay: {},
      straight: true,
      trunkGroupId: undefined,
      mayReachServices: true,
    },
    trace: new SessionTrace('trace-1', () => 0),
    setting: { keepsCaller: true },
    onProgress: () => undefined,
  });
  await net.pump();
  const invite = anna.request('INVITE');
  anna.hearPort(invite);
  anna.respond(invite, 200, { sdp: anna.describe() });
  await net.pump();
  anna.request('ACK');
  calls.turn(() => call.input({ kind: 'dial', groups: call.named(calls.targetsTo(call, 'bo').groups) }));
  await net.pump();
  const other = bo.request('INVITE');
  bo.hearPort(other);
  bo.respond(other, 200, { sdp: bo.describe() });
  await net.pump();
  bo.request('ACK');
  return { first: anna.answeredTalk(invite), second: bo.answeredTalk(other), asked: invite };
}

/** The three steps by which both learn of each other. */
async function straight(): Promise<{ first: Talk; second: Talk; asked: SipMessage }> {
  const talks = await joined();
  const ask = bo.request('INVITE');
  expect(ask.body.length).toBe(0);
  bo.respond(ask, 200, { sdp: bo.describe({ version: 2 }) });
  await net.pump();
  const offer = anna.request('INVITE');
  expect(text(offer)).toContain('c=IN IP4 192.0.2.21');
  // The session keeps its name, whoever describes it.
  expect(origin(offer)[1]).toBe(origin(talks.asked)[1]);
  expect(Number(origin(offer)[2])).toBeGreaterThan(Number(origin(talks.asked)[2]));
  anna.respond(offer, 200, { sdp: anna.describe({ version: 2 }) });
  await net.pump();
  anna.request('ACK');
  expect(text(bo.request('ACK'))).toContain('c=IN IP4 192.0.2.20');
  return talks;
}

describe('audio that runs straight between two people', () => {
  it('is settled by passing their descriptions on; ours goes quiet', async () => {
    const { first } = await straight();
    appliance.media.sent.length = 0;
    await net.after(1_000);
    expect(appliance.media.sent.filter(({ fromPort }) => fromPort % 2 === 0)).toEqual([]);
    anna.audio.sending = false;
    await net.after(15_000, 5_000);
    expect(appliance.runtime.load.calls).toBe(1);
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('passes hold, its answer and its refusal', async () => {
    const { first, second } = await straight();
    bo.inDialog(second, 'INVITE', { sdp: bo.describe({ direction: 'sendonly', version: 3 }) });
    const { cseq } = second;
    await net.pump();
    const passed = anna.request('INVITE');
    expect(text(passed)).toContain('a=sendonly');
    anna.respond(passed, 200, { sdp: anna.describe({ direction: 'recvonly', version: 3 }) });
    await net.pump();
    const ok = bo.response(200);
    expect(text(ok)).toContain('c=IN IP4 192.0.2.20');
    expect(text(ok)).toContain('a=recvonly');
    bo.inDialog(second, 'ACK', { cseq });
    anna.inDialog(first, 'UPDATE', { sdp: anna.describe({ formats: '18', version: 4 }) });
    await net.pump();
    bo.respond(bo.request('INVITE'), 488);
    await net.pump();
    anna.response(488, 'UPDATE');
    expect(bo.request('ACK').body.length).toBe(0);
    // A party that asks for an offer gets that of the other one.
    anna.inDialog(first, 'INVITE');
    const asked = first.cseq;
    await net.pump();
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ version: 5 }) });
    await net.pump();
    expect(text(anna.response(200))).toContain('c=IN IP4 192.0.2.21');
    anna.inDialog(first, 'ACK', { cseq: asked, sdp: anna.describe({ version: 5 }) });
    await net.pump();
    expect(text(bo.request('ACK'))).toContain('c=IN IP4 192.0.2.20');
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('passes the next re-INVITE of a party that has cancelled its last one', async () => {
    const { first } = await straight();
    const branch = anna.inDialog(first, 'INVITE', { sdp: anna.describe({ version: 3 }) });
    const cancelled = first.cseq;
    await net.pump();
    const passed = bo.request('INVITE');
    anna.inDialog(first, 'CANCEL', { branch, cseq: cancelled });
    await net.pump();
    anna.response(200, 'CANCEL');
    anna.response(487);
    anna.inDialog(first, 'ACK', { branch, cseq: cancelled });
    bo.respond(passed, 200, { sdp: bo.describe({ version: 3 }) });
    await net.pump();
    bo.request('ACK');
    // He has taken an offer that was withdrawn, and is offered again what holds.
    const again = bo.request('INVITE');
    expect(origin(again)[2]).not.toBe(origin(passed)[2]);
    expect(text(again)).toContain('c=IN IP4 192.0.2.20');
    bo.respond(again, 200, { sdp: bo.describe({ version: 3 }) });
    await net.pump();
    bo.request('ACK');
    anna.inDialog(first, 'INVITE', { sdp: anna.describe({ version: 4 }) });
    const { cseq } = first;
    await net.pump();
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ version: 4 }) });
    await net.pump();
    expect(text(anna.response(200))).toContain('c=IN IP4 192.0.2.21');
    anna.inDialog(first, 'ACK', { cseq });
    await net.pump();
    bo.request('ACK');
    // An INVITE that nothing has cancelled would end the call when its 2xx has no ACK.
    await net.after(40_000, 5_000);
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('answers the re-INVITE behind a cancelled one by the answer to that one', async () => {
    const { first } = await straight();
    const branch = anna.inDialog(first, 'INVITE', { sdp: anna.describe({ version: 3 }) });
    const cancelled = first.cseq;
    await net.pump();
    const passed = bo.request('INVITE');
    anna.inDialog(first, 'CANCEL', { branch, cseq: cancelled });
    await net.pump();
    anna.response(200, 'CANCEL');
    anna.response(487);
    anna.inDialog(first, 'ACK', { branch, cseq: cancelled });
    anna.inDialog(first, 'INVITE', { sdp: anna.describe({ version: 4 }) });
    const { cseq } = first;
    await net.pump();
    bo.respond(passed, 200, { sdp: bo.describe({ version: 3 }) });
    await net.pump();
    bo.request('ACK');
    expect(() => anna.response(200)).toThrow();
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ version: 4 }) });
    await net.pump();
    expect(text(anna.response(200))).toContain('c=IN IP4 192.0.2.21');
    anna.inDialog(first, 'ACK', { cseq });
    await net.pump();
    bo.request('ACK');
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('comes back to us when one of them leaves and the other one stays', async () => {
    const { first, second } = await straight();
    bo.inDialog(second, 'BYE');
    await net.pump();
    bo.response(200, 'BYE');
    const back = anna.request('INVITE');
    expect(text(back)).toContain('c=IN IP4 192.0.2.10');
    anna.hearPort(back);
    anna.respond(back, 200, { sdp: anna.describe({ version: 3 }) });
    await net.pump();
    await net.after(500);
    anna.audio.forget();
    await appliance.media.media.sendDigits(call.session.party, 'p', {
      digits: '7',
      mode: 'auto',
      onMs: 80,
      offMs: 80,
    });
    await net.after(1_000);
    expect(anna.audio.digits.map(({ digit }) => digit)).toEqual(['7']);
    anna.inDialog(first, 'BYE');
    await net.pump();
    anna.response(200, 'BYE');
  });
});

describe('audio that cannot run straight', () => {
  it('because one of them refuses what the other offers stays with us', async () => {
    const { first } = await joined();
    bo.respond(bo.request('INVITE'), 200, { sdp: bo.describe({ version: 2 }) });
    await net.pump();
    anna.respond(anna.request('INVITE'), 488);
    await net.pump();
    expect(text(bo.request('ACK'))).toContain('c=IN IP4 192.0.2.10');
    await net.after(500);
    bo.audio.forget();
    anna.audio.press('3');
    await net.after(1_000);
    expect(bo.audio.digits.map(({ digit }) => digit)).toEqual(['3']);
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('because one of them makes no offer stays with us', async () => {
    const { first } = await joined();
    bo.respond(bo.request('INVITE'), 500);
    await net.pump();
    expect(anna.has('INVITE')).toBe(false);
    anna.inDialog(first, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });
});
