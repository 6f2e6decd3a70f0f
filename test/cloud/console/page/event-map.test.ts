import { describe, expect, it } from 'vitest';
import { triedMap } from '#cloud/console/page/event-trial/map-tool.ts';
import { eventOf } from '#cloud/console/page/event-trial/mapped-event.ts';

const alarm = {
  ...{ recordId: 'r1', at: 1, siteId: 'north', sessionId: 's1', traceId: 't1', protocol: 'scaip' },
  ...{ from: 'scaip-0001', to: 'scaip', controllerId: 'c1', event: { deviceType: 'fallDetector' } },
};

describe('the event of a record', () => {
  it('is the report of a receiver to its application, as far as the record keeps it', () => {
    expect(eventOf(alarm, 'care.example', { kind: 'receiver' })).toEqual({
      ...{ sessionId: 's1', traceId: 't1', siteId: 'north', domain: 'care.example' },
      ...{ sourceAlarmProtocol: 'scaip', protocol: 'scaip', sipFrom: 'scaip-0001', calledParty: 'scaip' },
      ...{ callingParty: 'scaip-0001', serviceProvider: 'scaip' },
      alarmEvent: { eventType: 'common', controllerId: 'c1', deviceType: 'fallDetector' },
    });
  });

  it('names the protocol of the target for a sender', () => {
    const event = eventOf(alarm, 'care.example', { kind: 'sender', target: 'sia-dcs' });
    expect(event).toMatchObject({ targetAlarmProtocol: 'sia-dcs', sourceAlarmProtocol: 'scaip' });
    expect(event).not.toHaveProperty('sessionId');
  });
});

describe('a map that is tried', () => {
  const event = eventOf(alarm, 'care.example', { kind: 'receiver' });
  const run = (...rules: object[]) => {
    const tried = triedMap({ rules });
    return tried?.ok === true ? tried.run(event) : tried;
  };

  it('sends by the first rule that matches, counted from 0', () => {
    const fall = { when: { 'alarmEvent.deviceType': 'fallDetector' }, path: '/fall', body: { type: 'FALL' } };
    expect(run({ when: { sipFrom: 'other' } }, fall)).toEqual({
      ...{ kind: 'sent', rule: 1, path: '/fall', headers: {}, body: { type: 'FALL' } },
    });
    expect(run({ when: { sipFrom: 'other' } })).toMatchObject({ kind: 'sent', rule: undefined, body: event });
  });

  it('says which rule sends nothing', () => {
    expect(run({ drop: true })).toEqual({ kind: 'dropped', rule: 0 });
  });

  it('names the place of a fault, and waits where a rule is half written', () => {
    expect(run({ path: 'fall' })).toMatchObject({ ok: false, path: '/rules/0/path' });
    expect([undefined, { rules: [] }, { rules: [null] }].map(triedMap)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
