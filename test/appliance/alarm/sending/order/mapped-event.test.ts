import { describe, expect, it } from 'vitest';
import { type MappingFault, mappedEvent } from '#appliance/alarm/sending/order/mapped-event.ts';
import type { EventRule } from '#shared/matching/event-rule.ts';
import { orderOfUnit } from './order-room.ts';

const SUBJECT = {
  event: { ...orderOfUnit().event, deviceType: { native: '0002', send: 'fallDetector', receive: null } },
  source: undefined,
  targetProtocol: 'scaip',
  sipFrom: 'unit',
  domain: 'care.example',
  traceId: 't',
};

/** The event under these rules, with the faults of the rules. */
function under(...rules: readonly EventRule[]) {
  const faults: MappingFault[] = [];
  const mapper = { id: 'mapper-1', name: 'Centre', mappingRules: { rules } };
  const mapped = mappedEvent(mapper as never, SUBJECT, (fault) => faults.push(fault));
  return { mapped, faults };
}
const eventUnder = (...rules: readonly EventRule[]) => {
  const { mapped } = under(...rules);
  if (mapped.kind !== 'send') throw new Error('it was dropped');
  return mapped;
};

describe('mappingRules', () => {
  it('without any the event goes out as it is', () => {
    const mapped = mappedEvent(undefined, SUBJECT);
    expect(mapped).toMatchObject({ kind: 'send', event: SUBJECT.event, post: { isOwn: false, path: '' } });
  });

  it('that match nothing leave the event as it is', () => {
    const mapped = eventUnder({ when: { 'alarmEvent.priority': 9 }, set: { 'alarmEvent.priority': 3 } });
    expect(mapped.event).toEqual(SUBJECT.event);
  });

  it('see the words of the event, and change a value without its native code', () => {
    const { event } = eventUnder({
      when: { 'alarmEvent.deviceType': 'fallDetector', targetAlarmProtocol: 'scaip', sipFrom: 'unit' },
      set: { 'alarmEvent.deviceType': 'smokeDetector', 'alarmEvent.controllerId': '87654321' },
    });
    expect(event.deviceType).toMatchObject({ native: null, send: 'smokeDetector' });
    expect(event.controllerId).toBe('87654321');
    expect(event.deviceId).toBe('0007');
  });

  it('that set the word that is there keep the native code', () => {
    const { event } = eventUnder({ set: { 'alarmEvent.deviceType': 'fallDetector' } });
    expect(event.deviceType.native).toBe('0002');
  });

  it.each([
    ['alarmEvent.audio', 'loud', 'audio', 'duplex'],
    ['alarmEvent.audio', 'none', 'audio', 'none'],
    ['alarmEvent.priority', 'high', 'priority', 1],
    ['alarmEvent.priority', 12.7, 'priority', 9],
    ['alarmEvent.priority', -3, 'priority', 0],
    ['alarmEvent.controllerId', 7, 'controllerId', '12345678'],
  ] as const)('set %s to %j', (path, value, field, expected) => {
    expect(eventUnder({ set: { [path]: value } }).event[field]).toBe(expected);
  });

  it('drop an event', () => {
    expect(under({ drop: true }).mapped).toEqual({ kind: 'drop' });
  });

  it('write a body of their own for a target that takes JSON, and leave the event to the others', () => {
    const { post, event } = eventUnder({
      path: '/fall',
      body: { unit: '{{alarmEvent.deviceId}}' },
      headers: { 'X-Kind': '{{alarmEvent.deviceType}}' },
    });
    expect(post).toEqual({
      path: '/fall',
      body: { unit: '0007' },
      headers: { 'X-Kind': 'fallDetector' },
      isOwn: true,
    });
    expect(event).toEqual(SUBJECT.event);
  });

  it.each<[string, EventRule, string]>([
    [
      'do not compile',
      { when: { 'alarmEvent.location': '/(/' } },
      '/mappingRules/rules/0/when/alarmEvent.location',
    ],
    [
      'insert too much',
      {
        set: Object.fromEntries(
          Array.from({ length: 200 }, (_, i) => [`a${i}`, '{{alarmEvent}}'.repeat(20)]),
        ),
      },
      '/mappingRules/rules/0',
    ],
  ])('that %s lose no alarm: the event goes out unchanged, and the fault names the rule', (_, rule, path) => {
    const { mapped, faults } = under(rule);
    expect(mapped).toMatchObject({ kind: 'send', event: SUBJECT.event });
    expect(faults).toMatchObject([{ mapperId: 'mapper-1', name: 'Centre', path }]);
  });
});
