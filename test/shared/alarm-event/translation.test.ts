import { describe, expect, it } from 'vitest';
import {
  DEVICE_COMMANDS,
  isReceiveValue,
  isSendValue,
  type ListField,
  RECEIVE_LIST,
  receiveAs,
  SEND_LIST,
  sendAs,
} from '#shared/alarm-event/index.ts';
import { RECEIVE_ONLY, SEND_ONLY } from '#shared/alarm-event/translation.codes.ts';

const FIELDS = Object.keys(SEND_LIST) as ListField[];

/** Send words that no receive word stands for: printers, movements, places outdoors and the like. */
const NO_RECEIVE_WORD = new Set([
  'monitoringDevice',
  'unknown',
  'heartRateMonitor',
  'printer',
  'router',
  'lock',
  'accessController',
  'trackingDevice',
  'acknowledge',
  'maintenanceScheduled',
  'movement',
  'locked',
  'outdoors',
  'outside',
  'gym',
]);
const NO_SEND_WORD = new Set(['alarmTest', 'unknown']);

describe.each(FIELDS)('%s', (field) => {
  it.each(SEND_LIST[field])('send word %s is said in the receive list', (word) => {
    const receive = receiveAs(field, word);
    if (isReceiveValue(field, word)) expect(receive).toBe(word);
    else if (receive === null) expect(NO_RECEIVE_WORD).toContain(word);
    else expect(RECEIVE_LIST[field]).toContain(receive);
    expect(sendAs(field, word)).toBe(word);
  });

  it.each(RECEIVE_LIST[field])('receive word %s is said in the send list', (word) => {
    const send = sendAs(field, word);
    if (isSendValue(field, word)) expect(send).toBe(word);
    else if (send === null) expect(NO_SEND_WORD).toContain(word);
    else expect(SEND_LIST[field]).toContain(send);
    expect(receiveAs(field, word)).toBe(word);
  });

  it('translates exactly the words that stand in one list only', () => {
    const send: readonly string[] = SEND_LIST[field];
    const receive: readonly string[] = RECEIVE_LIST[field];
    expect(Object.keys(SEND_ONLY[field])).toEqual(send.filter((word) => !receive.includes(word)));
    expect(Object.keys(RECEIVE_ONLY[field])).toEqual(receive.filter((word) => !send.includes(word)));
  });

  it('has no word twice', () => {
    expect(new Set(SEND_LIST[field]).size).toBe(SEND_LIST[field].length);
    expect(new Set(RECEIVE_LIST[field]).size).toBe(RECEIVE_LIST[field].length);
  });
});

it('counts what is in one list only', () => {
  const count = (words: object) => Object.keys(words).length;
  expect([SEND_ONLY.deviceType, SEND_ONLY.statusCode, SEND_ONLY.location].map(count)).toEqual([15, 36, 3]);
  expect([RECEIVE_ONLY.deviceType, RECEIVE_ONLY.statusCode, RECEIVE_ONLY.location].map(count)).toEqual([
    9, 9, 3,
  ]);
});

it('does not know words of neither list, nor names of the prototype', () => {
  for (const word of ['', 'nothing', 'toString', '__proto__']) {
    expect(receiveAs('deviceType', word)).toBeNull();
    expect(sendAs('statusCode', word)).toBeNull();
  }
});

it('knows eighteen device commands', () => {
  expect(new Set(DEVICE_COMMANDS).size).toBe(18);
});
