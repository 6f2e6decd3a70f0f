import { expect, test } from 'vitest';
import { createAuthorize } from '#shared/authorize/index.ts';

/** A port with one `userid` device whose password is `right`; keeps delays and locks. */
function signInOf() {
  const waits: number[] = [];
  const locks: string[] = [];
  const authorize = createAuthorize({
    issuer: 'https://site.example',
    findDevice: async (_, deviceId) =>
      deviceId === 'tablet' ? { authType: 'userid', passwordHash: 'right' } : undefined,
    verifyPassword: async (password, stored) => password === stored,
    sign: async () => 'token',
    wait: async (ms) => void waits.push(ms),
    onLocked: (domain, deviceId, source) => locks.push(`${domain} ${deviceId} ${source}`),
  });
  const tries = (source: string, password = 'wrong', deviceId = 'tablet') =>
    authorize({ domain: 'care.example', deviceId, password }, 1_000, source);
  return { waits, locks, tries };
}

test('wrong passwords of a device lock the network that sent them, and the device comes in from its own', async () => {
  const { locks, tries, waits } = signInOf();
  for (let i = 0; i < 5; i++)
    expect(await tries('203.0.113.9')).toMatchObject({ error: { code: 'unauthorized' } });
  expect(await tries('203.0.113.9', 'right')).toMatchObject({ error: { code: 'tooManyRequests' } });
  expect(await tries('192.0.2.1', 'right')).toMatchObject({ ok: true });
  expect(waits).toEqual([500]);
  expect(locks).toEqual(['care.example tablet 203.0.113.9']);
});

test('a network by which the device came in waits for nothing, however many guess', async () => {
  const { tries, waits } = signInOf();
  await tries('192.0.2.1', 'right');
  for (let n = 0; n < 20; n++) await tries(`198.51.100.${n}`);
  waits.length = 0;
  expect(await tries('192.0.2.1', 'right')).toMatchObject({ ok: true });
  expect(waits).toEqual([]);
});

test('the lock of a name that no device has is not reported, and looks the same', async () => {
  const { locks, tries } = signInOf();
  for (let i = 0; i < 5; i++) await tries('203.0.113.9', 'x', 'none');
  expect(await tries('203.0.113.9', 'x', 'none')).toMatchObject({ error: { code: 'tooManyRequests' } });
  expect(locks).toEqual([]);
});
