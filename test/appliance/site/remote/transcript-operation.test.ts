import { describe, expect, it } from 'vitest';
import { type KnownWords, transcriptOperations, type WordsRequest } from '#appliance/site/remote/index.ts';
import {
  type HostTranscript,
  type HostTranscriptMatches,
  hostTranscriptMatchesSchema,
  hostTranscriptSchema,
} from '#shared/contract/session-record/index.ts';

const words = (
  recordingId: string,
  texts: readonly string[],
  more: Partial<KnownWords> = {},
): KnownWords => ({
  ...{ recordingId, traceId: 't-1', fileNames: [`${recordingId}.wav`], fileName: `${recordingId}.wav` },
  ...{ startedAt: 5, running: false, uploaded: false, missed: 0, partials: [] },
  lines: texts.map((text, at) => ({ channel: 0, offset: at * 1_000, duration: 900, text })),
  ...more,
});

async function ask(known: readonly KnownWords[], args: object): Promise<HostTranscript['recordings']> {
  const answer = await transcriptOperations(async () => known)['transcript.get']?.({
    args,
    by: 'user:ada',
  } as never);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThan(64 * 1_024);
  return hostTranscriptSchema.parse(answer.value).recordings;
}

describe('the words of a session', () => {
  it('are those of its trace and of its files, and no others', async () => {
    const known = [
      words('one', ['a']),
      words('two', ['b'], { traceId: 't-2' }),
      words('three', ['c'], { traceId: 't-3', fileNames: ['c-1.wav', 'c-2.wav'] }),
    ];
    const found = await ask(known, { traceId: 't-1', fileNames: ['c-2.wav'] });
    expect(found.map(({ recordingId }) => recordingId)).toEqual(['one', 'three']);
    expect(found[0]).not.toHaveProperty('traceId');
  });

  it('come after those that are known', async () => {
    const [found] = await ask([words('one', ['a', 'b', 'c'])], { traceId: 't-1', after: { one: 2 } });
    expect(found).toMatchObject({ first: 2, total: 3, lines: [{ text: 'c' }] });
  });

  it('asked each second are those of recordings that run, and of those that are known', async () => {
    const asked: unknown[] = [];
    const get = transcriptOperations(async ({ recordingIds }) => {
      asked.push(recordingIds);
      return [];
    })['transcript.get'];
    await get?.({ args: { traceId: 't-1', after: { one: 2 }, live: true } } as never);
    await get?.({ args: { traceId: 't-1', after: { one: 2 } } } as never);
    expect(asked).toEqual([['one'], undefined]);
  });

  it('are as many as one message carries, and the rest follows', async () => {
    const texts = Array.from({ length: 400 }, (_, at) => `${at} ${'å'.repeat(400)}`);
    const partials = [{ channel: 0, offset: 0, text: 'and' }];
    const known = [words('one', texts, { partials, running: true })];
    const had: string[] = [];
    for (let turn = 0; had.length < texts.length && turn < 100; turn++) {
      const [found] = await ask(known, { traceId: 't-1', after: { one: had.length } });
      had.push(...(found?.lines ?? []).map(({ text }) => text));
      // Partial lines stand behind the last line.
      expect(found?.partials).toHaveLength(had.length === texts.length ? 1 : 0);
    }
    expect(had).toEqual(texts);
  });

  it('are one message for the longest line', async () => {
    const [found] = await ask([words('one', ['ü'.repeat(10_000)])], { traceId: 't-1' });
    expect(found?.lines).toHaveLength(1);
  });

  it('are not given for arguments that cannot be read', async () => {
    const answer = await transcriptOperations(async () => [])['transcript.get']?.({ args: {} } as never);
    expect(answer).toMatchObject({ ok: false, code: 'invalid' });
  });
});

/** As a store answers: the recordings that fit. */
const store =
  (known: readonly KnownWords[]) =>
  async ({ fits = () => true }: WordsRequest) =>
    known.filter(({ startedAt, lines }) => fits(startedAt, lines));

async function search(
  known: readonly KnownWords[],
  sought: string,
  more: object = {},
): Promise<HostTranscriptMatches> {
  const answer = await transcriptOperations(store(known))['transcript.search']?.({
    args: { words: sought, from: 0, to: 1_000, ...more },
    by: 'user:ada',
  } as never);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThan(64 * 1_024);
  return hostTranscriptMatchesSchema.parse(answer.value);
}
const idsOf = ({ found }: HostTranscriptMatches) => found.map(({ recordingId }) => recordingId);

describe('a search', () => {
  const known = [
    words('one', ['I have fallen', 'in the Kitchen']),
    words('two', ['Jag ramlade i köket'], { startedAt: 9 }),
    words('three', ['fallen leaves'], { startedAt: 7, running: true }),
  ];

  it.each([
    ['fallen kitchen', ['one']],
    ['KITCH fall', ['one']],
    ['kitchens', []],
    ['itchen', []],
    ['fallen', ['three', 'one']],
    ['koket', ['two']],
    ['KÖKET', ['two']],
    ['…', []],
  ])('for %s finds %j, the newest first', async (sought, ids) => {
    expect(idsOf(await search(known, sought))).toEqual(ids);
  });

  it('gives no word away', async () => {
    const { found } = await search(known, 'kitchen');
    expect(found).toEqual([
      { traceId: 't-1', recordingId: 'one', fileName: 'one.wav', startedAt: 5, uploaded: false },
    ]);
  });

  it('looks at recordings that began in its time', async () => {
    expect(idsOf(await search(known, 'fallen', { from: 6 }))).toEqual(['three']);
    expect(idsOf(await search(known, 'fallen', { to: 7 }))).toEqual(['one']);
  });

  it('gives as many matches as one message carries, and the older ones then', async () => {
    const many = Array.from({ length: 900 }, (_, at) => words(`r-${at}`, ['help'], { startedAt: at % 30 }));
    const had: string[] = [];
    let before: object = {};
    for (let more = true; more; ) {
      const page = await search(many, 'help', before);
      expect(page.found.length).toBeGreaterThan(0);
      had.push(...idsOf(page));
      more = page.more;
      const last = page.found.at(-1);
      before = { before: { startedAt: last?.startedAt, recordingId: last?.recordingId } };
    }
    expect(new Set(had).size).toBe(900);
    expect(had).toHaveLength(900);
  });

  it('begins when the one before is over', async () => {
    let running = 0;
    let most = 0;
    const operations = transcriptOperations(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return [];
    });
    const asked = { args: { words: 'help', from: 0, to: 1 } } as never;
    const turns = [1, 2, 3, 4, 5, 6].map(() => operations['transcript.search']?.(asked));
    const answers = await Promise.all(turns);
    expect(most).toBe(1);
    // Four wait, and the next one has to come again.
    expect(answers.map((answer) => answer?.ok)).toEqual([true, true, true, true, true, false]);
    expect(answers.at(-1)).toMatchObject({ code: 'busy' });
    expect(await operations['transcript.search']?.(asked)).toMatchObject({ ok: true });
  });

  it('is not made for arguments that cannot be read', async () => {
    const answer = await transcriptOperations(store([]))['transcript.search']?.({ args: {} } as never);
    expect(answer).toMatchObject({ ok: false, code: 'invalid' });
  });
});
