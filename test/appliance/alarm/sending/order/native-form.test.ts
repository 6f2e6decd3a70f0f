import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { nativeForm } from '#appliance/alarm/sending/order/native-form.ts';
import { targetOf } from '#appliance/alarm/sending/order/send-target.ts';
import { orderOfUnit, orderTenant } from './order-room.ts';

const REFERENCE = { ref: 'abcd', sequence: '0001', atMs: 0 };
const GROUPED = { native: null, send: 'groupedSupervisorOnDuty', receive: null };

/** The event of unit 7 in the words of a target. */
function formFor(
  endpoint: Readonly<Record<string, unknown>>,
  event: Readonly<Record<string, unknown>> = {},
  mapper = {},
) {
  const made = orderTenant();
  made.mapper({ destAddr: 'sip:arc@example.com', ...endpoint }, mapper);
  const plain = orderOfUnit({ mapperId: 'mapper-1' });
  const order = { ...plain, event: { ...plain.event, ...event } };
  const target = targetOf(order, made.tenant);
  if (!target.ok) throw new Error(target.error.reason);
  const profiles = new ProfileTables({ tenant: () => made.tenant, log: () => undefined });
  return nativeForm(target.value, order, REFERENCE, profiles);
}

describe('an event in the words of its target', () => {
  it.each([
    ['scaip', { kind: 'scaip', form: { ref: 'abcd' } }],
    ['nowip', { kind: 'nowip', form: { type: '1' } }],
    ['bs8521', { kind: 'bs8521', fields: { controllerId: '12345678' } }],
    ['tt92', { kind: 'tt', name: 'tt92' }],
    ['ttnew', { kind: 'tt', name: 'ttnew' }],
    ['voicecall', { kind: 'voicecall' }],
  ])('%s', (protocol, expected) => {
    expect(formFor({ protocol })).toMatchObject({ ok: true, value: expected });
  });

  it('needs no words of a protocol when it is for an application', () => {
    const endpoint = { protocol: 'callback', partnerUrl: 'https://partner.example/in', destAddr: undefined };
    expect(formFor(endpoint)).toEqual({ ok: true, value: { kind: 'callback' } });
  });

  it('names the unit behind its controller in TT', () => {
    const form = formFor({ protocol: 'tt92' }, { systemConfig: GROUPED });
    expect(form).toMatchObject({ ok: true, value: { form: { unit: expect.anything() } } });
  });

  it('shows the caller id of the event sender in SCAIP', () => {
    const form = formFor({ protocol: 'scaip' }, {}, { callerId: 'sip:house@care.example' });
    expect(form).toMatchObject({ ok: true, value: { form: { crd: ['sip:house@care.example'] } } });
  });

  it.each([
    ['sia-dcs', 'SIA-DCS'],
    ['adm-cid', 'ADM-CID'],
  ])('is a frame of the account in %s', (protocol, token) => {
    const endpoint = { protocol, destAddr: 'arc.example:12300', dc09: { account: '1234' } };
    expect(formFor(endpoint)).toMatchObject({
      ok: true,
      value: { kind: 'dc09', said: { token, account: '1234' } },
    });
  });

  it('is none where the named siaMapping is not known', () => {
    const endpoint = { protocol: 'sia-dcs', destAddr: 'arc.example:12300', siaMapping: 'missing' };
    expect(formFor(endpoint)).toMatchObject({
      ok: false,
      error: { code: 'notExpressible', reason: expect.stringContaining('missing') },
    });
  });
});
