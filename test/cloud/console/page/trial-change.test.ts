import { expect, test } from 'vitest';
import { changeOf, fieldKinds, recordOf } from '#cloud/console/component/trial/trial-change.ts';

test('the alarms that a draft changes are those of all differences, also of those beyond the limit', () => {
  expect(changeOf({ differences: [{ alarms: 3 }, { alarms: 4 }], others: 2 })).toBe(9);
  expect(changeOf({ differences: [], others: 0 })).toBe(0);
});

test('members with a sentence are separate from paths of a callback', () => {
  expect(fieldKinds(['body.alarmEvent.priority', 'callbackBaseUrl', 'device', 'path'])).toEqual({
    known: ['callbackBaseUrl', 'device'],
    members: ['body.alarmEvent.priority', 'path'],
  });
});

test('an example leads to its record by trace and time', () => {
  expect(recordOf('t/1', 1_000_000)).toBe('?traceId=t%2F1&from=940000&to=1060000');
});
