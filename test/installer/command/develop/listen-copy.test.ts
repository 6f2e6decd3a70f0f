import { expect, it } from 'vitest';
import { copyRequest } from '#installer/command/develop/listen-copy.ts';

const signer = { secret: 'secret', audience: 'http://localhost:3000', domain: 'care.example', nowMs: 0 };
const copy = { body: '{}', traceId: 'trace-1', key: 'key-1', eventSeq: 1, attempt: 1 };

it.each([
  ['/', '/platformAlarm'],
  ['/newAlarmbridgeEvent', '/newAlarmbridgeEvent'],
  ['/callrecording/newCall', '/callrecording/newCall'],
])('a copy of %s reaches the application at %s', (path, expected) => {
  expect(copyRequest({ ...copy, path }, signer).path).toBe(expected);
});
