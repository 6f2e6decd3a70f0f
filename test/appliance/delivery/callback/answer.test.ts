import { describe, expect, it } from 'vitest';
import { alarmAction, deliveryVerdict } from '#appliance/delivery/callback/index.ts';

const answered = (status: number, body: string, retryAfterS?: number) =>
  ({
    kind: 'answered',
    status,
    body,
    credential: 1,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
  }) as const;
const failed = { kind: 'failed', code: 'timeout', reason: 'no answer in time' } as const;

describe('the decision of the application', () => {
  it.each(['drop', 'callEmergencyCenter'])('%s', (action) => {
    expect(alarmAction(answered(200, JSON.stringify({ action, more: 1 })))).toEqual({
      ok: true,
      value: action,
    });
  });

  it.each([
    [200, '', 'emptyAnswer'],
    [204, '', 'emptyAnswer'],
    [200, ' \r\n', 'emptyAnswer'],
    [200, '<html>', 'notJson'],
    [200, '{"action":', 'notJson'],
    [200, '{}', 'noAction'],
    [200, 'null', 'noAction'],
    [200, '"drop"', 'noAction'],
    [200, '[]', 'noAction'],
    [200, '{"action":"call"}', 'unknownAction'],
    [200, '{"action":"Drop"}', 'unknownAction'],
    [200, '{"action":null}', 'unknownAction'],
    [200, '{"action":["drop"]}', 'unknownAction'],
    [500, '{"action":"drop"}', 'refused'],
    [401, '', 'refused'],
    [302, '{"action":"drop"}', 'refused'],
  ])('status %i with %j is %s', (status, body, code) => {
    expect(alarmAction(answered(status, body))).toMatchObject({ ok: false, error: { code } });
  });

  it('no answer says why', () => {
    expect(alarmAction(failed)).toEqual({
      ok: false,
      error: { code: 'unanswered', reason: 'no answer in time' },
    });
  });

  it('shows no more than a piece of a long action', () => {
    const result = alarmAction(answered(200, JSON.stringify({ action: 'x'.repeat(10_000) })));
    expect(!result.ok && result.error.reason.length).toBeLessThan(250);
  });
});

describe('the result in the outbox', () => {
  it('is delivered for every 2xx', () => {
    expect(deliveryVerdict(answered(204, ''))).toEqual({ kind: 'delivered', authIdx: 1 });
    expect(deliveryVerdict(answered(200, 'nonsense'))).toEqual({ kind: 'delivered', authIdx: 1 });
  });

  it('is refused or unreached with its reason otherwise', () => {
    expect(deliveryVerdict(answered(503, '', 20))).toEqual({
      kind: 'refused',
      status: 503,
      reason: 'answered 503',
      retryAfterS: 20,
    });
    expect(deliveryVerdict(failed)).toEqual({ kind: 'unreached', reason: 'timeout: no answer in time' });
  });
});
