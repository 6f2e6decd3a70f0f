import { describe, expect, test } from 'vitest';
import {
  operationAt,
  REMOTE_CALL_SCHEMAS,
  type RemoteCallOperation,
} from '#shared/contract/runtime/index.ts';

const END = { codec: 'PCMA', receiveIp: '203.0.113.7', receivePort: 40_000 };
const GOOD: Readonly<Record<RemoteCallOperation, Readonly<Record<string, unknown>>>> = {
  answerremotecall: { replyId: 'a.b.c', ...END },
  sendremotecallringback: { replyId: 'a.b.c' },
  hangupcall: { replyId: 'a.b.c' },
  placeremotecall: { ...END, destinationUri: 'sip:17@care.example', sourceUser: 'door-1' },
};
const operations = Object.keys(GOOD) as RemoteCallOperation[];
const takes = (operation: RemoteCallOperation, fields: object): boolean =>
  REMOTE_CALL_SCHEMAS[operation].safeParse({ ...GOOD[operation], ...fields }).success;

const VALUES: readonly (readonly [string, unknown, boolean])[] = [
  ['codec', 'PCMU', true],
  ['codec', 'pcma', false],
  ['codec', 'G722', false],
  ['receiveIp', '2001:db8::7', true],
  ['receiveIp', '203.0.113', false],
  ['receiveIp', 'app.example', false],
  ['receiveIp', 17, false],
  ['receivePort', 1, true],
  ['receivePort', 65_534, true],
  ['receivePort', 65_535, false],
  ['receivePort', 0, false],
  ['receivePort', 40_000.5, false],
  ['receivePort', '40000', false],
  ['telephoneEventPayloadType', 96, true],
  ['telephoneEventPayloadType', 127, true],
  ['telephoneEventPayloadType', 95, false],
  ['telephoneEventPayloadType', 128, false],
  ['sessionReferenceId', 'case 17', true],
  ['sessionReferenceId', { case: 17 }, false],
  ['crypto', [], true],
  ['crypto', [{ id: 1, suite: 'AES_CM_128_HMAC_SHA1_80', config: 'inline:x' }], true],
  ['crypto', [{ id: '1', suite: 'AES_CM_128_HMAC_SHA1_80', config: 'inline:x' }], false],
  ['crypto', [{ suite: 'AES_CM_128_HMAC_SHA1_80', config: 'inline:x' }], false],
  ['crypto', 'inline:x', false],
];

describe('operations of cloud SIP user agents', () => {
  test.each(operations)('%s: needs its fields, and knows no others', (operation) => {
    expect(takes(operation, {})).toBe(true);
    expect(takes(operation, { another: 1 })).toBe(false);
    for (const name of Object.keys(GOOD[operation]))
      expect([name, takes(operation, { [name]: undefined })]).toEqual([name, false]);
  });

  test.each(VALUES)('%s %j of answer and call: %s', (name, value, good) => {
    for (const operation of ['answerremotecall', 'placeremotecall'] as const)
      expect(takes(operation, { [name]: value })).toBe(good);
  });

  test.each([
    ['GSM is spoken in a call that is placed', 'placeremotecall', { codec: 'GSM' }, true],
    ['GSM is not spoken in an answer', 'answerremotecall', { codec: 'GSM' }, false],
    ['a user with a host', 'placeremotecall', { sourceUser: 'door@care.example' }, false],
    ['a user with parameters', 'placeremotecall', { sourceUser: 'door;x' }, false],
    ['an empty user', 'placeremotecall', { sourceUser: '' }, false],
    ['an empty destination', 'placeremotecall', { destinationUri: '' }, false],
    ['whose call it is', 'placeremotecall', { callbackBaseUrl: 'https://app.example/cb' }, true],
    ['an empty replyId', 'hangupcall', { replyId: '' }, false],
  ] as const)('%s', (_, operation, fields, good) => {
    expect(takes(operation, fields)).toBe(good);
  });

  test('are found with and without jwt at their end; others only without', () => {
    for (const operation of [...operations, 'hangupremoteparticipant'] as const) {
      expect(operationAt('mediaservice', operation)).toBe(operation);
      expect(operationAt('mediaservice', `${operation}jwt`)).toBe(operation);
      expect(operationAt('alarmbridge', operation)).toBeUndefined();
    }
    expect(operationAt('mediaservice', 'placeivrcalljwt')).toBeUndefined();
    expect(operationAt('mediaservice', 'stoprecording')).toBe('stoprecording');
    expect(operationAt('callrecording', 'stoprecording')).toBe('callrecording.stoprecording');
  });
});
