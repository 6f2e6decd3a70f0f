import { expect, it } from 'vitest';
import { noteCallback, noteQueuedCallback } from '#appliance/delivery/callback-trace.ts';

function trace() {
  const entries: unknown[] = [];
  return { entries, add: (kind: string, detail?: object) => void entries.push([kind, detail]) };
}

it('a callback and its answer are two entries; a long body is cut', () => {
  const { entries, add } = trace();
  let monoMs = 1_000;
  const noteOutcome = noteCallback({ add }, 'https://app.example/newCall', () => monoMs);
  expect(entries).toEqual([
    ['callbackSent', { url: 'https://app.example/newCall', attempt: 1, late: false }],
  ]);
  monoMs = 1_040;
  noteOutcome({ kind: 'answered', status: 200, body: 'x'.repeat(501), credential: 0 });
  expect(entries[1]).toEqual(['callbackAnswered', { status: 200, body: 'x'.repeat(500), tookMs: 40 }]);
});

it('a callback without an answer says why', () => {
  const { entries, add } = trace();
  noteCallback(
    { add },
    'https://app.example/newCall',
    () => 5,
  )({
    ...{ kind: 'failed', code: 'unreachable', reason: 'connect ECONNREFUSED' },
  } as never);
  expect(entries[1]).toEqual(['callbackFailed', { reason: 'connect ECONNREFUSED', tookMs: 0 }]);
});

it('a callback that the outbox delivers has the attempt 0', () => {
  const { entries, add } = trace();
  noteQueuedCallback({ add }, 'bridge b1');
  expect(entries).toEqual([['callbackSent', { url: 'bridge b1', attempt: 0, late: false }]]);
});
