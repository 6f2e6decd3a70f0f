import { describe, expect, it } from 'vitest';
import { patched } from '#cloud/provisioning/resource/json-patch.ts';
import { JSON_MOST_BYTES, type JsonPatch, jsonPatchSchema } from '#shared/contract/provisioning/index.ts';
import { extentOf } from '#shared/matching/index.ts';
import { dice } from '../../appliance/alarm/random.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
const copies = (count: number): unknown[] => Array(count).fill({ op: 'copy', from: '/a', path: '/a/-' });
const seed = { op: 'add', path: '/a', value: ['x'.repeat(1000)] };

describe('a list copied into itself', () => {
  it.each([11, 13, 18, 40, 999])('%i times is refused before it is larger than a body may be', (count) => {
    const result = patched({}, jsonPatchSchema.parse([seed, ...copies(count)]));
    expect(result).toMatchObject({ ok: false, error: { code: 'tooLarge', path: '/11' } });
    expect(result.ok || result.error.reason).toBe(
      '/11: the document has 1030150 bytes and would be larger than 1048576 by this operation; ' +
        'put less into it, or divide it among several resources. Nothing was changed.',
    );
  });

  it('is done as long as there is room', () => {
    const result = patched({}, jsonPatchSchema.parse([seed, ...copies(10)]));
    expect(result.ok && bytesOf(result.value)).toBeLessThanOrEqual(JSON_MOST_BYTES);
  });
});

describe('a refused patch', () => {
  const half = { text: 'x'.repeat(600_000) };
  it.each<[string, unknown, readonly unknown[], string, string]>([
    ['a second large value', half, [{ op: 'add', path: '/b', value: 'y'.repeat(500_000) }], 'tooLarge', '/0'],
    [
      'a larger value in place',
      half,
      [{ op: 'replace', path: '/text', value: 'ä'.repeat(600_000) }],
      'tooLarge',
      '/0',
    ],
    ['one copy too many', half, [{ op: 'copy', from: '/text', path: '/b' }], 'tooLarge', '/0'],
    [
      'one value copied to one place again and again',
      { text: 'x'.repeat(500_000) },
      Array(1000).fill({ op: 'copy', from: '/text', path: '/b' }),
      'tooLarge',
      '/8',
    ],
    [
      'a large list moved to and fro',
      { a: Array(200_000).fill(0) },
      Array(500)
        .fill([
          { op: 'move', from: '/a', path: '/b' },
          { op: 'move', from: '/b', path: '/a' },
        ])
        .flat(),
      'tooLarge',
      '/10',
    ],
    [
      'a large list that makes room at its head',
      { a: Array(200_000).fill(0) },
      Array(1000).fill({ op: 'add', path: '/a/0', value: 1 }),
      'tooLarge',
      '/20',
    ],
    [
      'a value moved into depth without end',
      { a: 0 },
      Array.from({ length: 4 }, () => [
        { op: 'add', path: '/b', value: JSON.parse(`${'{"x":'.repeat(20)}0${'}'.repeat(20)}`) },
        { op: 'move', from: '/a', path: `/b${'/x'.repeat(20)}` },
        { op: 'move', from: '/b', path: '/a' },
      ]).flat(),
      'invalid',
      '/10',
    ],
  ])('%s', (_, document, patch, code, path) => {
    expect(patched(document, jsonPatchSchema.parse(patch))).toMatchObject({
      ok: false,
      error: { code, path },
    });
  });

  it('is never the step to something smaller', () => {
    const old = { a: 'x'.repeat(JSON_MOST_BYTES), b: 1 };
    expect(patched(old, [{ op: 'replace', path: '/b', value: 2 }]).ok).toBe(true);
    expect(patched(old, [{ op: 'remove', path: '/a' }])).toEqual({ ok: true, value: { b: 1 } });
    expect(patched(old, [{ op: 'add', path: '/c', value: 2 }]).ok).toBe(false);
  });
});

describe('the size of a value', () => {
  it.each<[unknown, number]>([
    ['', 2],
    ['ä€😀"\\\n\u0001', Buffer.byteLength(JSON.stringify('ä€😀"\\\n\u0001'))],
    ['\ud800x', Buffer.byteLength(JSON.stringify('\ud800x'))],
    [-1.5e300, 9],
    [null, 4],
    [[], 2],
    [[1, [true]], bytesOf([1, [true]]) + 2],
    [{ 'a"': {} }, bytesOf({ 'a"': {} }) + 1],
  ])('%j is %i', (value, bytes) => {
    expect(extentOf(value, Number.POSITIVE_INFINITY).bytes).toBe(bytes);
  });

  it('is not measured to its end when it is too large', () => {
    const looked: string[] = [];
    const watched = new Proxy(Array(100).fill('x'.repeat(100)), {
      get: (list, name) => {
        looked.push(String(name));
        return Reflect.get(list, name) as unknown;
      },
    });
    expect(extentOf(watched, 1000).bytes).toBeLessThan(1200);
    expect(looked.filter((name) => /^\d+$/.test(name))).toHaveLength(10);
  });
});

const LIMIT = { bytes: 1_500, depth: 8, work: 40_000 };

/** A patch that means to grow: values, copies and moves over the same few names, into lists and into themselves. */
function wildPatch(roll: () => number): JsonPatch {
  const below = (count: number): number => Math.floor(roll() * count);
  const pointer = (): string =>
    below(40) === 0
      ? ''
      : Array.from({ length: 1 + below(3) }, (_, at) =>
          at === 0 ? `/${'ab'[below(2)]}` : `/${['a', 'b', '0', '-'][below(4)]}`,
        ).join('');
  const value = (depth: number): unknown => {
    const kind = below(depth > 2 ? 2 : 4);
    if (kind === 0) return 'ä"x'[below(3)]?.repeat(below(400));
    if (kind === 1) return below(1000);
    if (kind === 2) return Array.from({ length: below(4) }, () => value(depth + 1));
    return Object.fromEntries(['a', 'b', '0'].slice(below(3)).map((name) => [name, value(depth + 1)]));
  };
  const operation = () => {
    const op = (['add', 'add', 'add', 'copy', 'copy', 'copy', 'copy', 'move', 'remove', 'replace'] as const)[
      below(10)
    ];
    if (op === 'copy' || op === 'move') return { op, from: pointer(), path: pointer() };
    return { op, path: pointer(), ...(op === 'remove' ? {} : { value: value(0) }) };
  };
  return jsonPatchSchema.parse(Array.from({ length: 60 }, operation));
}

describe('random patches of a tenant', () => {
  it('nothing grows beyond the limit, at the end or in between', () => {
    const ends = { done: 0, tooLarge: 0, invalid: 0 };
    for (let round = 0; round < 300; round++) {
      const patch = wildPatch(dice(round));
      let document: unknown = { a: ['x'.repeat(300)], b: {} };
      // The next operation works on the result of the one before.
      for (const operation of patch) {
        const result = patched(document, [operation], LIMIT);
        if (result.ok) document = result.value;
        ends[result.ok ? 'done' : result.error.code === 'tooLarge' ? 'tooLarge' : 'invalid'] += 1;
        expect(bytesOf(document), `seed ${round}`).toBeLessThanOrEqual(LIMIT.bytes);
        expect(extentOf(document, 1e9).depth, `seed ${round}`).toBeLessThanOrEqual(LIMIT.depth);
      }
      const passed = patch.filter((operation) => patched({ a: [], b: {} }, [operation], LIMIT).ok);
      const whole = patched({ a: [], b: {} }, passed, LIMIT);
      if (whole.ok) expect(bytesOf(whole.value), `seed ${round}`).toBeLessThanOrEqual(LIMIT.bytes);
    }
    // The property says something only where both ends are met often.
    expect(ends.done).toBeGreaterThan(1000);
    expect(ends.tooLarge).toBeGreaterThan(100);
  });
});
