import { describe, expect, it } from 'vitest';
import { type KnownWords, transcriptOperations } from '#appliance/site/remote/index.ts';
import { type HostTranscript, hostTranscriptSchema } from '#shared/contract/session-record/index.ts';

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
    const get = transcriptOperations(async (ids) => {
      asked.push(ids);
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

  it('of the longest line is one message', async () => {
    const [found] = await ask([words('one', ['ü'.repeat(10_000)])], { traceId: 't-1' });
    expect(found?.lines).toHaveLength(1);
  });

  it('are not given for arguments that cannot be read', async () => {
    const answer = await transcriptOperations(async () => [])['transcript.get']?.({ args: {} } as never);
    expect(answer).toMatchObject({ ok: false, code: 'invalid' });
  });
});
