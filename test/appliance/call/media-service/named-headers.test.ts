import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mediaService, NOTHING_LEFT, type TestMediaService } from '#test/support/media-house.ts';
import type { Telephone } from '#test/support/telephone.ts';

let house: TestMediaService;
let net: TestMediaService['net'];
let app: TestMediaService['app'];
let anna: Telephone;

const pHeaders = {
  'P-Early-Media': 'supported',
  'P-Charge-Info': '<sip:17@care.example>',
  'P-Charging-Vector': 'icid-value=1',
};
const HOLD = { phrases: [{ format: 'tone', frequency: 440, duration: 60_000 }] };

beforeEach(async () => {
  house = await mediaService();
  ({ net, app } = house);
  house.service();
  anna = await net.device('anna', '192.0.2.20');
});
afterEach(() => house.close((left) => expect(left).toEqual(NOTHING_LEFT)));

const fieldsOf = (phone: Telephone) => {
  const invite = phone.inbox.find((each) => each.kind === 'request' && each.method === 'INVITE');
  return ['P-Early-Media', 'P-Charge-Info', 'P-Charging-Vector', 'P-Asserted-Identity'].map((name) =>
    invite?.header(name),
  );
};

describe('headers that an application names', () => {
  it('for a device: the answer and the callbacks name those that it does not get', async () => {
    const bo = await net.device('bo', '192.0.2.21');
    app.on('/getIvrCommand', HOLD);
    const placed = await house.operate('placeivrcall', { destAddr: 'bo', pHeaders });
    expect(placed).toMatchObject({ ok: true, value: { headersNotSent: ['P-Charging-Vector'] } });
    await net.pump();
    expect(fieldsOf(bo)).toEqual(['supported', undefined, undefined, undefined]);
    const talk = await house.takes(bo);
    const withheld = { headersNotSent: ['P-Charge-Info', 'P-Charging-Vector'] };
    expect(app.last('/callNotify')).toMatchObject(withheld);
    expect(app.last('/callAnswered')).toMatchObject(withheld);
    await house.hangsUp(bo, talk);
  });

  it('an identity of sipPAI is for trunks: a device does not get it', async () => {
    const bo = await net.device('bo', '192.0.2.21');
    app.on('/newCall', { action: 'call', destAddr: 'bo', sipPAI: '+4670', xHeaders: { 'X-Case': '17' } });
    app.on('/callEvent', { action: 'drop', dropCode: 480 });
    await anna.invite('ivr', net.pump);
    expect(fieldsOf(bo)).toEqual([undefined, undefined, undefined, undefined]);
    const invite = bo.request('INVITE');
    expect(invite.header('X-Case')).toBe('17');
    bo.respond(invite, 180);
    await net.pump();
    expect(app.last('/callNotify')).toMatchObject({ headersNotSent: ['P-Asserted-Identity'] });
    bo.respond(invite, 486);
    await net.pump();
    anna.response(480);
  });

  it('for a trunk: all but those of one hop, with the identity that the application names', async () => {
    net.trunk({ hosts: [{ uri: 'sip:198.51.100.1:5060', priority: 1 }] });
    const carrier = net.stranger('one', '198.51.100.1');
    app.on('/newCall', { action: 'call', destAddr: '+46701234567', sipPAI: '+4670', pHeaders });
    app.on('/callEvent', { action: 'drop', dropCode: 480 });
    await anna.invite('ivr', net.pump);
    expect(fieldsOf(carrier)).toEqual([
      'supported',
      '<sip:17@care.example>',
      undefined,
      '<sip:+4670@care.example>',
    ]);
    carrier.respond(carrier.request('INVITE'), 486);
    await net.pump();
    anna.response(480);
  });
});
