import { expect, it } from 'vitest';
import { KEY_KEPT_MS, type SendingInfo } from '#appliance/alarm/sending/session/active-sending.ts';
import { IdempotencyKeys } from '#appliance/alarm/sending/session/idempotency-key.ts';

const info = (key: string | undefined, bodyHash = 'h', createdMs = 0): SendingInfo =>
  ({
    sessionId: `of ${key}`,
    createdMs,
    ...(key !== undefined && { idempotency: { key, bodyHash } }),
  }) as SendingInfo;
const ask = (keys: IdempotencyKeys, key: string, bodyHash = 'h') => {
  const known = keys.known({ key, bodyHash });
  return known.ok ? known.value?.sessionId : known.error.code;
};

it('a key leads the same request to its session, and refuses another one', () => {
  const keys = new IdempotencyKeys();
  keys.keep(info('k'), 0);
  expect([ask(keys, 'k'), ask(keys, 'k', 'other'), ask(keys, 'new')]).toEqual([
    'of k',
    'idempotencyConflict',
    undefined,
  ]);
});

it('a request without a key is not remembered, and frees none', () => {
  const keys = new IdempotencyKeys();
  keys.keep(info('k'), 0);
  keys.keep(info(undefined), 0);
  keys.drop(info(undefined));
  expect(ask(keys, 'k')).toBe('of k');
});

it('a key is free again when its session could not be stored', () => {
  const keys = new IdempotencyKeys();
  keys.keep(info('k'), 0);
  keys.drop(info('k'));
  expect(ask(keys, 'k', 'other')).toBeUndefined();
});

it('keys whose time is over go when the next one comes, and no other does', () => {
  const keys = new IdempotencyKeys();
  keys.keep(info('old', 'h', 0), 0);
  keys.keep(info('young', 'h', 1), 1);
  keys.keep(info('new', 'h', KEY_KEPT_MS), KEY_KEPT_MS);
  expect([ask(keys, 'old'), ask(keys, 'young'), ask(keys, 'new')]).toEqual([undefined, 'of young', 'of new']);
});
