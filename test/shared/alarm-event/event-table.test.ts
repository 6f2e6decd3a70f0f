import { describe, expect, it } from 'vitest';
import {
  contactIdTable,
  type EventRow,
  eventTable,
  isReceiveValue,
  isSendValue,
  SIA_EVENTS,
  wordsIn,
} from '#shared/alarm-event/index.ts';

const TABLES: readonly [string, readonly EventRow[], number][] = [
  ['SIA', SIA_EVENTS, 281],
  ['Contact ID', contactIdTable.rows, 132],
];

describe.each(TABLES)('%s events', (_, rows, count) => {
  it('are all here, each once', () => {
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ code }) => code)).size).toBe(count);
  });

  it('use words of the lists only', () => {
    for (const row of rows) {
      for (const [field, receive, send] of [
        ['deviceType', row.receiveDeviceType, row.sendDeviceType],
        ['statusCode', row.receiveStatusCode, row.sendStatusCode],
        ['location', row.receiveLocation, row.sendLocation],
      ] as const) {
        if (receive !== undefined)
          expect([row.code, isReceiveValue(field, receive)]).toEqual([row.code, true]);
        for (const word of wordsIn(send)) {
          expect([row.code, word, isSendValue(field, word)]).toEqual([row.code, word, true]);
        }
      }
    }
  });
});

describe('coded event', () => {
  const table = eventTable([
    { code: '1', meaning: 'm', receiveStatusCode: 'fault', sendStatusCode: 'powerFailure|powerRestored' },
    { code: '2', meaning: 'm', receiveStatusCode: 'alarmManual', sendStatusCode: 'absent|occupied' },
    { code: '3', meaning: 'm', sendDeviceType: '*|unknown' },
    { code: '3', meaning: 'override', receiveDeviceType: 'router' },
  ]);

  it('takes the send word that means the receive word', () => {
    expect(table.coded('1').statusCode).toEqual({ native: '1', send: 'powerFailure', receive: 'fault' });
    expect(table.coded('2').statusCode).toEqual({ native: '2', send: null, receive: 'alarmManual' });
  });

  it('lets the later row win, and knows no word for an unknown code', () => {
    expect(table.lookup('3')?.meaning).toBe('override');
    expect(table.coded('9')).toEqual({
      deviceType: { native: '9', send: null, receive: null },
      statusCode: { native: '9', send: null, receive: null },
    });
  });
});
