import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { hangsUp, nothingLeft, talking } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { referTo as to, transfers } from '#test/support/transfer.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let bo: Telephone;
let carl: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  bo = await net.device('bo', '192.0.2.21');
  carl = await net.device('carl', '192.0.2.22');
});

afterEach(() => nothingLeft(appliance, net));

const reported = (by: Telephone) => transfers(net).takeNotify(by);
const digitsFrom = (from: Telephone, to: Telephone) => transfers(net).digitsFrom(from, to);
const hangUp = (by: Telephone, talk: Talk, other: Telephone) => hangsUp(net, by, talk, other);

describe('a transfer that a trunk does itself', () => {
  const TARGET = 'sip:+46123@198.51.100.1';
  const ABLE: [string, string][] = [['Allow', 'INVITE, ACK, BYE, CANCEL, REFER, NOTIFY']];
  const refers: [string, string][] = [['Refer-To', `<${TARGET}>`]];
  let carrier: Telephone;
  beforeEach(() => {
    net.trunk();
    carrier = net.stranger('+4670', '198.51.100.1');
  });

  /** A party behind the trunk talks with Bo. */
  const calledBy = (headers = ABLE) => talking(net, carrier, bo, { headers, challenged: false });

  const tells = async (talk: Talk, line: string, over: boolean): Promise<void> => {
    carrier.inDialog(talk, 'NOTIFY', {
      headers: [
        ['Event', 'refer'],
        ['Subscription-State', over ? 'terminated;reason=noresource' : 'active;expires=60'],
        ['Content-Type', 'message/sipfrag;version=2.0'],
      ],
      body: `${line}\r\n`,
    });
    await net.pump();
    carrier.response(200, 'NOTIFY');
  };

  it('has an answer when the call ends while the trunk still thinks', async () => {
    const { talk, back } = await calledBy();
    bo.inDialog(back, 'REFER', { headers: refers });
    await net.pump();
    carrier.request('REFER');
    carrier.inDialog(talk, 'BYE');
    await net.pump();
    carrier.response(200, 'BYE');
    bo.response(487, 'REFER');
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
  });

  it('is passed on: it is asked, its progress is reported, and both are let go when it is done', async () => {
    const { talk, back } = await calledBy();
    bo.inDialog(back, 'REFER', { headers: refers });
    await net.pump();
    const refer = carrier.request('REFER');
    expect(refer.header('Refer-To')).toBe(`<${TARGET}>`);
    expect(refer.header('Referred-By')).toContain('bo@care.example');
    // The appliance calls no party, and the asker waits for what the trunk says.
    expect([carrier.has('INVITE'), bo.has(202)]).toEqual([false, false]);
    carrier.respond(refer, 202);
    await net.pump();
    bo.response(202, 'REFER');
    expect(await reported(bo)).toBe('SIP/2.0 100 Trying active');
    bo.inDialog(back, 'REFER', { headers: refers });
    await net.pump();
    bo.response(491, 'REFER');
    await tells(talk, 'SIP/2.0 180 Ringing', false);
    expect(await reported(bo)).toBe('SIP/2.0 180 Trying active');
    await tells(talk, 'SIP/2.0 200 OK', true);
    expect(await reported(bo)).toBe('SIP/2.0 200 OK terminated');
    for (const each of [bo, carrier]) {
      const bye = each.request('BYE');
      expect(bye.header('Reason')).toContain('transferred');
      each.respond(bye, 200);
    }
    await net.pump();
  });

  it('and that fails there: the asker is notified, and the two talk on', async () => {
    const { talk, back } = await calledBy();
    bo.inDialog(back, 'REFER', { headers: refers });
    await net.pump();
    carrier.respond(carrier.request('REFER'), 202);
    await net.pump();
    bo.response(202, 'REFER');
    await reported(bo);
    await tells(talk, 'SIP/2.0 486 Busy Here', true);
    expect(await reported(bo)).toBe('SIP/2.0 486 Failed terminated');
    expect(await digitsFrom(bo, carrier)).toBe('27');
    await hangUp(carrier, talk, bo);
  });

  it('and is never reported is given up after three minutes: another may be asked for', async () => {
    const { talk, back } = await calledBy();
    bo.inDialog(back, 'REFER', { headers: refers });
    await net.pump();
    carrier.respond(carrier.request('REFER'), 202);
    await net.pump();
    bo.response(202, 'REFER');
    await reported(bo);
    await net.after(181_000, 5_000);
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 408 Failed terminated');
    bo.response(202, 'REFER');
    await reported(bo);
    carl.respond(carl.request('INVITE'), 486);
    await net.pump();
    await reported(bo);
    await hangUp(carrier, talk, bo);
  });

  it.each([
    ['it does not want to', ABLE, 603],
    ['it has not said that it can', [] as [string, string][], undefined],
  ])('is done by us when %s', async (_, headers, refusal) => {
    const number = await bo.invite('+46900', net.pump);
    const invite = carrier.request('INVITE');
    carrier.hearPort(invite);
    carrier.respond(invite, 200, { sdp: carrier.describe(), headers });
    await net.pump();
    bo.acknowledge(number, bo.response(200));
    await net.pump();
    carrier.request('ACK');
    bo.inDialog(number, 'REFER', { headers: refers });
    await net.pump();
    if (refusal !== undefined) carrier.respond(carrier.request('REFER'), refusal);
    await net.pump();
    expect(carrier.has('REFER')).toBe(false);
    bo.response(202, 'REFER');
    expect(await reported(bo)).toBe('SIP/2.0 100 Trying active');
    const second = carrier.request('INVITE');
    expect(second.uriText).toBe(TARGET);
    carrier.respond(second, 486, { tag: 'second' });
    await net.pump();
    expect(await reported(bo)).toBe('SIP/2.0 486 Failed terminated');
    await hangUp(bo, number, carrier);
  });

  it('is never asked for an address that is not its own', async () => {
    const { talk, back } = await calledBy();
    bo.inDialog(back, 'REFER', { headers: to('carl') });
    await net.pump();
    expect(carrier.has('REFER')).toBe(false);
    bo.response(202, 'REFER');
    await reported(bo);
    carl.respond(carl.request('INVITE'), 486);
    await net.pump();
    await reported(bo);
    await hangUp(carrier, talk, bo);
  });
});
