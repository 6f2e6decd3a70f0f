import { describe, expect, test } from 'vitest';
import { byteRangeOf, cutBytes, partOf } from '#cloud/provisioning/byte-range.ts';

describe('a range of bytes', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 99],
    ['bytes=40-59', 40, 59],
    ['bytes=90-500', 90, 99],
    ['bytes=-10', 90, 99],
    ['bytes=-500', 0, 99],
    [' Bytes=99- ', 99, 99],
  ])('%s of 100 bytes', (header, first, last) => {
    expect(byteRangeOf(header, 100)).toEqual({ first, last });
  });

  test.each([
    undefined,
    '',
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,4-5',
    'lines=0-1',
    'bytes=a-b',
    `bytes=${'9'.repeat(16)}-`,
  ])('%s means the whole file', (header) => {
    expect(byteRangeOf(header, 100)).toBe(undefined);
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s lies behind the end', (header) => {
    expect(byteRangeOf(header, 100)).toBe('unsatisfiable');
  });

  test('counts for the file whose ETag it names alone', () => {
    const range = 'bytes=1-2';
    expect(partOf({ range, ifRange: '"a"' }, 9, 'a')).toEqual({ ok: true, value: { first: 1, last: 2 } });
    expect(partOf({ range, ifRange: '"b"' }, 9, 'a')).toEqual({ ok: true, value: undefined });
    expect(partOf({ range, ifRange: '"undefined"' }, 9)).toEqual({ ok: true, value: undefined });
  });
});

describe('a cut stream', () => {
  const source = (sizes: readonly number[], seen: { pulled: number; over: boolean }) => {
    let at = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull(out) {
          const size = sizes[seen.pulled++];
          if (size === undefined) return out.close();
          out.enqueue(Uint8Array.from({ length: size }, () => at++));
        },
        cancel: () => {
          seen.over = true;
        },
      },
      { highWaterMark: 0 },
    );
  };

  test.each([
    [0, 0],
    [3, 11],
    [4, 7],
    [0, 19],
    [19, 19],
  ])('has the bytes %i to %i and reads no further', async (first, last) => {
    const seen = { pulled: 0, over: false };
    const cut = cutBytes(source([4, 4, 0, 4, 8, 1_000], seen), { first, last });
    const bytes = new Uint8Array(await new Response(cut).arrayBuffer());
    expect([...bytes]).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
    expect(seen).toEqual({ pulled: [4, 8, 8, 12, 20].findIndex((end) => end > last) + 1, over: true });
  });

  test('ends its source when its reader leaves', async () => {
    const seen = { pulled: 0, over: false };
    await cutBytes(source([4, 4], seen), { first: 0, last: 7 }).cancel();
    expect(seen.over).toBe(true);
  });
});
