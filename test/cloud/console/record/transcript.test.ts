import '../english.ts';
import { expect, it } from 'vitest';
import { linesOf, missedIn, type Transcript, withAdded } from '#cloud/console/component/trace/transcript.ts';

type Words = Transcript['recordings'][number];

const line = (text: string, offset: number, channel = 0) => ({ channel, offset, duration: 500, text });
const words = (recordingId: string, more: Partial<Words>): Words => ({
  ...{ hostId: 'gw-1', recordingId, fileName: `${recordingId}.wav`, startedAt: 1_000, running: true },
  ...{ first: 0, lines: [], partials: [], missed: 0 },
  ...more,
});
const events = (...recordings: Words[]): Transcript => ({ recordId: 'r', hosts: [], recordings });
const texts = (transcript: Transcript) =>
  linesOf(transcript).map(({ text, isPartial }) => text + (isPartial ? ' …' : ''));

it('lines follow each other by the time at which they were spoken', () => {
  const shown = events(
    words('two', { startedAt: 9_000, lines: [line('later', 0)] }),
    words('one', {
      lines: [line('second', 2_000), line('first', 500, 1)],
      partials: [{ channel: 0, offset: 3_000, text: 'third' }],
    }),
  );
  expect(texts(shown)).toEqual(['first', 'second', 'third …', 'later']);
});

it('new lines come behind those before, and replace what was being spoken', () => {
  const before = withAdded(
    undefined,
    events(words('one', { partials: [{ channel: 0, offset: 100, text: 'I ha' }] })),
  );
  const after = withAdded(before, events(words('one', { lines: [line('I have fallen', 100)] })));
  const last = withAdded(
    after,
    events(words('one', { first: 1, lines: [line('help', 900)], running: false })),
  );
  expect([before, after, last].map(texts)).toEqual([
    ['I ha …'],
    ['I have fallen'],
    ['I have fallen', 'help'],
  ]);
});

it('a stream that begins again doubles no line', () => {
  const lines = [line('one', 0), line('two', 900)];
  const before = withAdded(undefined, events(words('one', { lines })));
  expect(texts(withAdded(before, events(words('one', { lines }))))).toEqual(['one', 'two']);
});

it('a recording without an event stays, and missed words are counted over all', () => {
  const before = withAdded(undefined, events(words('one', { lines: [line('one', 0)], missed: 2 })));
  const after = withAdded(before, events(words('two', { startedAt: 5_000, missed: 1 })));
  expect([texts(after), missedIn(after)]).toEqual([['one'], 3]);
});
