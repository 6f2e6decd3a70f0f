import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wordsOfRecordings } from '#appliance/compose/recording/index.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import type { RecordingStore, ShelvedRecording } from '#appliance/media/recording/index.ts';
import { transcriptOperations } from '#appliance/site/remote/index.ts';
import { hostTranscriptMatchesSchema } from '#shared/contract/session-record/index.ts';

let folder: string;
let recordingStore: RecordingStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-words-'));
  recordingStore = openRecordingStore(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (recordingId: string, texts: readonly string[]): ShelvedRecording => ({
  ...{ recordingId, fileName: `${recordingId}.wav`, expected: [], startedAtMs: 100, durationMs: 1_000 },
  report: { sessionId: 's', connectionId: 'c', traceId: `trace-${recordingId}` },
  ...{ degraded: false, marks: [], files: [], deliveries: [], reported: true, uploaded: false },
  transcript: {
    lines: texts.map((text, at) => ({ channel: 0, offsetMs: at * 1_000, durationMs: 900, text })),
    missed: 0,
  },
});

async function found(words: string, sound?: Parameters<typeof wordsOfRecordings>[0]) {
  const operations = transcriptOperations((asked) => wordsOfRecordings(sound, recordingStore, asked));
  const answer = await operations['transcript.search']?.({ args: { words, from: 0, to: 1_000 } } as never);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  return hostTranscriptMatchesSchema.parse(answer.value).found.map(({ traceId }) => traceId);
}

/** Every byte below the folder. */
const raw = (): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

describe('a search in the transcripts of a host', () => {
  it('finds what is on its disk, and nothing that was removed', async () => {
    await recordingStore.put(entry('one', ['I have fallen', 'in the kitchen']));
    await recordingStore.put(entry('two', ['the kitchen is warm']));
    expect((await found('kitchen')).toSorted()).toEqual(['trace-one', 'trace-two']);
    expect(await found('kitchen fallen')).toEqual(['trace-one']);
    // As an erasure and the retention do.
    await recordingStore.remove(entry('one', []));
    expect(await found('kitchen')).toEqual(['trace-two']);
    expect(raw()).not.toContain('fallen');
  });

  it('finds what is being said in a recording that runs, once', async () => {
    const running = entry('one', []);
    await recordingStore.put(running);
    const live = { lines: entry('', ['I have fallen']).transcript?.lines ?? [], partials: [], missed: 0 };
    const sound = { transcripts: [{ entry: running, live }] };
    expect(await found('fallen', sound)).toEqual(['trace-one']);
    expect(await found('kitchen', sound)).toEqual([]);
  });

  it('holds the cards that fit, and no others', async () => {
    await recordingStore.put(entry('one', ['fallen']));
    await recordingStore.put(entry('two', ['warm']));
    const all = await recordingStore.all(undefined, ({ recordingId }) => recordingId === 'two');
    expect(all.map(({ recordingId }) => recordingId)).toEqual(['two']);
  });
});
