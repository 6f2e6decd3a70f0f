import { describe, expect, it } from 'vitest';
import { bridgeDialPlan } from '#appliance/call/control/index.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { eachWithTwoTelephones, type TwoTelephones } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

/* Calls of ours that name a program or a receiver of this very host. */
let house: TwoTelephones;
let net: TwoTelephones['net'];
let app: TwoTelephones['app'];
let anna: Telephone;
let bo: Telephone;

eachWithTwoTelephones((made) => {
  house = made;
  ({ net, app, anna, bo } = made);
  house.service({ id: 'service-2', name: 'Second', destinationMatch: '^second$' });
});

const HOLD = { getIVRCommandAfter: 3_600 };

describe('a media service that calls another one of the same host', () => {
  it('reaches it as a caller does: both applications are asked, and audio and digits pass through both', async () => {
    app.on(
      '/newCall',
      { action: 'call', destAddr: 'second', xHeaders: { 'X-Case': '7' } },
      { action: 'call', destAddr: 'bo' },
    );
    app.on('/callEvent', { action: 'drop' }, { action: 'drop' });
    const talk = await anna.invite('ivr', net.pump);
    const [first, second] = app.received('/newCall');
    expect(second).toMatchObject({
      callingParty: 'anna',
      calledParty: 'second',
      requestUri: 'sip:second@care.example',
      xHeaders: { 'X-Case': '7' },
    });
    expect(second?.sessionId).not.toBe(first?.sessionId);
    await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(await house.hearing(anna, bo)).toBe(true);
    expect(await house.hearing(bo, anna, 1_000)).toBe(true);
    anna.audio.press('5', { by: 'rfc4733' });
    await net.after(1_000, 100);
    expect(bo.audio.digits.map(({ digit }) => digit).join('')).toBe('5');
    await house.hangsUp(anna, talk);
    await house.leaves(bo);
    expect(app.received('/sessionCompleted')).toHaveLength(2);
  });

  it('and itself, again and again, comes to an end', async () => {
    for (let times = 0; times < 40; times++) app.on('/newCall', { action: 'call', destAddr: 'ivr' });
    for (let times = 0; times < 40; times++) app.on('/callEvent', { action: 'drop' });
    await anna.invite('ivr', net.pump);
    expect(app.received('/newCall')).toHaveLength(21);
    anna.response(603);
  });

  it('is asked about the person who is transferred to it', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    const talk = await anna.invite('bo', net.pump);
    const bos = await house.takes(bo);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.inDialog(bos, 'REFER', { headers: [['Refer-To', '<sip:ivr@care.example>']] });
    await net.pump();
    bo.response(202, 'REFER');
    expect(app.last('/newCall')).toMatchObject({ callingParty: 'anna', calledParty: 'ivr' });
    expect(app.received('/getIvrCommand')).toHaveLength(1);
    await net.after(500, 100);
    for (const what of ['NOTIFY', 'NOTIFY']) bo.respond(bo.request(what), 200);
    bo.respond(bo.request('BYE'), 200);
    await house.hangsUp(anna, talk);
  });
});

describe('enforceIvrDestination of an alarm bridge', () => {
  /** A call that a bridge with this field makes. */
  async function placed(enforceIvrDestination: boolean) {
    const events: CallProgress[] = [];
    const bridge = house.appliance.bridge({ destinationMatch: '^alarm', enforceIvrDestination });
    const { calls } = house.appliance.runtime;
    const call = calls.place({
      destination: 'sip:second@care.example',
      origin: {
        display: '',
        user: 'unit',
        host: 'care.example',
        hidden: false,
        trusted: false,
        fields: [],
        hopsLeft: 70,
      },
      plan: bridgeDialPlan(bridge, undefined),
      trace: new SessionTrace('trace-1', () => 0),
      setting: { keepsCaller: true, endsSilent: false },
      onProgress: (each) => events.push(each),
    });
    await net.pump();
    return { call, calls, kinds: () => events.map(({ kind }) => kind), news: events };
  }

  it('true: its call is answered by the media service', async () => {
    app.on('/newCall', { action: 'ivr' });
    app.on('/getIvrCommand', HOLD);
    const { call, calls, kinds } = await placed(true);
    expect(kinds()).toEqual(['attended']);
    expect(app.last('/newCall')).toMatchObject({ callingParty: 'unit', calledParty: 'second' });
    calls.turn(() => call.input({ kind: 'hangUp' }));
    await net.pump();
    expect(app.received('/sessionCompleted')).toHaveLength(1);
  });

  it('false: it is no target, and no application is asked', async () => {
    const { news: events } = await placed(false);
    expect(events).toMatchObject([{ kind: 'over', reason: { cause: 404 } }]);
    expect(app.order).toEqual([]);
  });
});
