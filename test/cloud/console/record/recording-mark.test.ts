import '../english.ts';
import { describe, expect, it } from 'vitest';
import type { Step } from '#cloud/console/component/trace/lane.ts';
import { marksOf, recordingBegin } from '#cloud/console/component/trace/recording-mark.ts';

const step = (at: number, kind: string, detail: Step['detail'] = {}): Step => ({
  ...{ at, hostId: 'gw-1', party: 'host', direction: 'own', kind, detail },
});
const STEPS = [
  step(1_000, 'sipReceived'),
  step(1_400, 'toneHeard', { digit: '1' }),
  step(2_000, 'recorded', { fileName: 'a.wav' }),
  step(2_500, 'toneHeard', { digit: 'A' }),
  step(2_600, 'toneHeard', { digit: '0' }),
  step(3_000, 'callbackAnswered'),
  step(3_100, 'note'),
  step(9_000, 'voiceJoined'),
];

describe('marks of a recording', () => {
  it('count from its begin, and none lies before it or behind its end', () => {
    const begin = recordingBegin(STEPS, 'a.wav');
    expect(begin).toBe(1_000);
    expect(marksOf(STEPS, begin ?? 0, 5_000)).toEqual([
      { atMs: 500, kind: 'toneHeard', tones: 'A0' },
      { atMs: 1_000, kind: 'callbackAnswered', tones: '' },
    ]);
    expect(marksOf(STEPS, begin ?? 0, 7_000).at(-1)).toEqual({ atMs: 7_000, kind: 'voiceJoined', tones: '' });
  });

  it('have no begin where no step says it', () => {
    expect(recordingBegin(STEPS, 'b.wav')).toBe(undefined);
    expect(recordingBegin([], 'a.wav')).toBe(undefined);
  });
});
