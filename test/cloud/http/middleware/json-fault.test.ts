import { describe, expect, it } from 'vitest';
import { jsonFault } from '#cloud/http/middleware/json-fault.ts';
import { threadMs } from '#test/support/processor/thread-time.ts';
import { ask, DEVICE, makeTenant, openApi } from '../api.ts';

describe('a JSON text', () => {
  it.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a: {\\"a\\":1}"}',
    '["a","a",{"a":["a","a"]}]',
    '{"a\\\\":1,"a":2}',
    '{"A":1,"a":2,"":3}',
    '"a" : "a"',
    '',
    '{"a" "a"',
    '}}]]{"a":1}',
  ])('%j has one meaning', (text) => {
    expect(jsonFault(text, 64)).toBeUndefined();
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{},"b":[],"a":null}', 'a'],
    ['[{"x":[{"deep":1,"deep":1}]}]', 'deep'],
    ['{"a" :1,\n"a"\t: 2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('%j is refused', (text, name) => {
    expect(jsonFault(text, 64)).toBe(
      `The body is refused: one object has the name ${JSON.stringify(name)} twice. Remove one of the two.`,
    );
  });

  it('may be nested so deep and no deeper', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect(jsonFault(nested(64), 64)).toBeUndefined();
    expect(jsonFault(nested(66), 64)).toBe(
      'The body is refused: it is nested deeper than 64 levels. Send a flatter document.',
    );
  });

  it('takes no longer for an attacker than for anybody else', () => {
    const names = Array.from({ length: 50_000 }, (_, i) => `"n${i}":${i}`).join(',');
    const begunMs = threadMs();
    expect(jsonFault(`{${names}}`, 64)).toBeUndefined();
    expect(jsonFault('"'.repeat(1_000_000), 64)).toBeUndefined();
    expect(jsonFault(`{"a"${' '.repeat(500_000)}:1}`, 64)).toBeUndefined();
    expect(threadMs() - begunMs).toBeLessThan(2_000);
  });
});

it('a device whose alarm could be routed by two rules is not stored', async () => {
  const api = await openApi();
  const token = await makeTenant(api, 'a.test');
  const twice = JSON.stringify(DEVICE).replace('{', '{"srtp":"never",');
  const answer = await ask(api, 'PUT', '/provisioning/device/a.test', { token, raw: twice });
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      success: false,
      reason: 'The body is refused: one object has the name "srtp" twice. Remove one of the two.',
      error: { code: 'malformed' },
    },
  ]);
  const listed = await ask(api, 'GET', '/provisioning/device/a.test', { token });
  expect(listed.body.devices).toEqual([]);
  await api.close();
});
