import { expect, test } from 'vitest';
import { readCsv } from '#cloud/io/csv/index.ts';

async function read(...chunks: (string | Uint8Array)[]): Promise<unknown[]> {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  const seen: unknown[] = [];
  for await (const record of readCsv(bytes)) seen.push(record.ok ? record.value : record.error);
  return seen;
}

test('records of RFC 4180: quotes, doubled quotes, delimiters and line ends within them', async () => {
  expect(await read('a,b\r\n"x, y","say ""hi"""\r\n"two\r\nlines",\r\n')).toEqual([
    ['a', 'b'],
    ['x, y', 'say "hi"'],
    ['two\r\nlines', ''],
  ]);
});

test('semicolons, a byte order mark, empty lines, no line end at the end', async () => {
  expect(await read('\ufeffa;b\n\n1;"2,5"')).toEqual([
    ['a', 'b'],
    ['1', '2,5'],
  ]);
});

test('signs and records cut anywhere between chunks', async () => {
  const bytes = Buffer.from('a,b\nÅsa,x€\n');
  const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
  expect(await read(...pieces)).toEqual([
    ['a', 'b'],
    ['Åsa', 'x€'],
  ]);
});

test('rows of another width come as they are', async () => {
  expect(await read('a,b\n1\n1,2,3\n')).toEqual([['a', 'b'], ['1'], ['1', '2', '3']]);
});

test('an unreadable rest ends the records with the line and a sentence, without the text itself', async () => {
  const secret = 'TOPSECRET';
  for (const [text, reason] of [
    [`a,b\n1,2\n"${secret},3\n4,5\n`, /line \d+: a quote is opened and never closed/],
    [`a,b\n1,"${secret}"x\n`, /behind a closing quote/],
    [`a,b\n1,${'x'.repeat(70_000)}\n`, /64 KiB/],
  ] as const) {
    const seen = await read(text);
    expect(seen.at(-1)).toMatchObject({ code: 'malformed', reason: expect.stringMatching(reason) as string });
    expect(JSON.stringify(seen.at(-1))).not.toContain(secret);
  }
  expect(await read('')).toEqual([]);
});

const cells = (count: number): string => ','.repeat(count - 1);

test.each([
  ['delimiters without end', `a,b\n${cells(5_000_000)}`],
  ['one cell too many', `a,b\n${cells(1_001)}`],
  ['line ends of another kind in cells', `a,b\n${`${cells(900)}\r`.repeat(3)}`],
  ['LF in cells of a text with CR LF', `a,b\r\n${`${cells(900)}\n`.repeat(3)}`],
  ['LF in cells of a text with CR', `a,b\r${`${cells(900)}\n`.repeat(3)}`],
  ['quoted line ends', `a,b\n${`${cells(900)},"\n"`.repeat(3)}`],
])('a row has no more cells than a device could have fields: %s', async (_, text) => {
  const [head, fault, ...more] = await read(text);
  expect(head).toEqual(['a', 'b']);
  expect(fault).toMatchObject({ code: 'malformed' });
  expect(JSON.stringify(fault)).toMatch(/line \d+: the row has more than 1000 cells/);
  expect(more).toEqual([]);
});

test('delimiters within quotes, and rows as wide as allowed, are no fault', async () => {
  expect(await read(`a,b\n"${cells(3_000)}",1\n`)).toHaveLength(2);
  for (const end of ['\n', '\r\n', '\r'])
    expect(await read(`a,b${end}${`${cells(1_000)}${end}`.repeat(3)}`)).toHaveLength(4);
});
