import { describe, expect, it } from 'vitest';
import {
  callbackFailedAlarm,
  newAlarmbridgeEvent,
  newAlarmCall,
  platformAlarmCall,
  readStoredCall,
  storeCall,
} from '#appliance/delivery/callback/index.ts';
import { newAlarmbridgeEventSchema, platformAlarmSchema } from '#shared/contract/callback/index.ts';
import { applyEventMap, compileEventMap, type EventMap } from '#shared/matching/index.ts';
import { facts } from './alarm-details.ts';

function mapped(map: EventMap) {
  const compiled = compileEventMap(map);
  if (!compiled.ok) throw new Error(compiled.error.reason);
  return newAlarmCall(facts, (event) => applyEventMap(compiled.value, event));
}

describe('newAlarmbridgeEvent', () => {
  it('has the fields of the document and passes its schema', () => {
    const event = newAlarmbridgeEvent({ ...facts, siteId: 'home', siteBaseUrl: 'https://192.0.2.10:8443' });
    expect(newAlarmbridgeEventSchema.parse(event)).toEqual(event);
    expect(event).toMatchObject({
      sourceAlarmProtocol: 'scaip',
      protocol: 'scaip',
      sipFrom: 'scaip-0001',
      callingParty: 'scaip-0001',
      calledParty: 'scaip',
      serviceProvider: 'scaip',
      alarmEvent: { eventType: 'common', deviceType: 'personalTrigger', statusCode: 'alarmManual' },
      sourceAlarmEvent: { raw: '<mrq><cid>scaip-0001</cid></mrq>', warnings: ['late heartbeat'] },
      siteId: 'home',
    });
    expect(event).not.toHaveProperty('targetAlarmProtocol');
  });

  it('takes customerSiteId from the destination before the event', () => {
    const event = { ...facts.event, customerSiteId: 'of-event' };
    expect(newAlarmbridgeEvent({ ...facts, event }).customerSiteId).toBe('of-event');
    expect(newAlarmbridgeEvent({ ...facts, event, customerSiteId: 'of-bridge' }).customerSiteId).toBe(
      'of-bridge',
    );
  });

  it('goes to its path in its default shape without a map', () => {
    const result = newAlarmCall(facts);
    expect(result).toMatchObject({ ok: true, value: { kind: 'call' } });
    if (!result.ok || result.value.kind !== 'call') return;
    const { call } = result.value;
    expect(call).toMatchObject({ path: '/newAlarmbridgeEvent', headers: {}, eventSeq: 1, shape: 'default' });
    expect(JSON.parse(call.body)).toEqual(newAlarmbridgeEvent(facts));
  });
});

describe('customEventMap', () => {
  it('gives path, body and headers', () => {
    const result = mapped({
      rules: [
        {
          when: { 'alarmEvent.deviceType': 'personalTrigger' },
          path: '/trigger',
          body: { unit: '{{alarmEvent.controllerId}}' },
          headers: { 'X-Kind': 'trigger' },
        },
      ],
    });
    expect(result).toMatchObject({
      ok: true,
      value: { call: { path: '/trigger', body: '{"unit":"scaip-0001"}', shape: 'custom' } },
    });
  });

  it('that only changes a value leaves the shape ours', () => {
    const result = mapped({ rules: [{ set: { 'alarmEvent.priority': 9 } }] });
    expect(result).toMatchObject({
      ok: true,
      value: { call: { path: '/newAlarmbridgeEvent', shape: 'default' } },
    });
  });

  it('that drops the event sends nothing', () => {
    expect(mapped({ rules: [{ drop: true }] })).toEqual({ ok: true, value: { kind: 'drop' } });
  });

  it('is a value when its body is no JSON', () => {
    const map = () => ({ drop: false, path: undefined, headers: {}, body: 10n });
    expect(newAlarmCall(facts, map)).toMatchObject({ ok: false, error: { code: 'notSerialisable' } });
  });

  it('that inserts too much is a failure with its place', () => {
    const rule = { set: { a: '{{sourceAlarmEvent}}'.repeat(200) }, body: '{{a}}'.repeat(200) };
    expect(mapped({ rules: [rule] })).toMatchObject({
      ok: false,
      error: { code: 'mapTooLarge', path: '/rules/0' },
    });
  });

  it('that throws is a failure and no exception', () => {
    const map = () => {
      throw new Error('no such rule');
    };
    expect(newAlarmCall(facts, map)).toMatchObject({ ok: false, error: { code: 'mapDefect' } });
  });
});

describe('platform alarms', () => {
  it('go to exactly their URL and pass their schema', () => {
    const result = newAlarmCall(facts);
    if (!result.ok || result.value.kind !== 'call') throw new Error('no call');
    const alarm = callbackFailedAlarm(
      { domain: 'care.example', siteId: 'home', wallMs: 5 },
      result.value.call,
      {
        reason: 'answered 500',
        status: 500,
        fallback: 'callEmergencyCenter',
      },
    );
    const call = platformAlarmCall(alarm, 'trace');
    expect(call).toMatchObject({ path: '', shape: 'default', traceId: 'trace' });
    expect(platformAlarmSchema.parse(JSON.parse(call.body))).toMatchObject({
      type: 'callbackFailed',
      time: 5,
      traceId: facts.traceId,
      callback: '/newAlarmbridgeEvent',
      error: 'answered 500',
      fallback: 'callEmergencyCenter',
      status: 500,
    });
  });
});

describe('stored calls', () => {
  it('come back as they were', () => {
    const result = newAlarmCall(facts);
    if (!result.ok || result.value.kind !== 'call') throw new Error('no call');
    expect(readStoredCall(storeCall(result.value.call))).toEqual(result.value.call);
  });

  it.each(['', 'null', '{}', '{"traceId":1}', '[', '"text"'])('%s is none', (text) => {
    expect(readStoredCall(text)).toBeUndefined();
  });
});
