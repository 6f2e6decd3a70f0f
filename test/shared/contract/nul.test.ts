import { describe, expect, it } from 'vitest';
import { nulPlace, parseWithoutNul } from '#shared/contract/nul.ts';

describe('NUL in a JSON text', () => {
  it.each([
    ['"a\\u0000"', ''],
    ['{"a":{"b~/c":["x","\\u0000"]}}', '/a/b~0~1c/1'],
    ['{"a":{"b\\u0000":1}}', '/a'],
    ['{"a":"\\\\u0000","b":"\\\\\\u0000"}', '/b'],
  ])('%s is found at "%s"', (text, place) => {
    expect(nulPlace(text)).toBe(place);
  });

  it.each(['{"a":"\\\\u0000"}', '{"a":1}', '{"a":"\\u0000', ''])('%j has none', (text) => {
    expect(nulPlace(text)).toBeUndefined();
  });

  it('becomes U+FFFD where a text must be taken, and nothing else changes', () => {
    expect(parseWithoutNul('{"a\\u0000":["\\u0000\\u0000","\\\\u0000","\\\\\\u0000","\\u00001"]}')).toEqual({
      'a\ufffd': ['\ufffd\ufffd', '\\u0000', '\\\ufffd', '\ufffd1'],
    });
    expect(() => parseWithoutNul('{')).toThrow();
  });
});
