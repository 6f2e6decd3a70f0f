import '../english.ts';
import { describe, expect, it } from 'vitest';
import { offset, type Step, timelineOf, toneRow } from '#cloud/console/component/trace/lane.ts';

const step = (at: number, party: Step['party'], kind: string, detail: Step['detail'] = {}): Step => ({
  ...{ at, hostId: 'gw-1', party, direction: 'own', kind, detail },
});
const tone = (at: number, digit: string, levelDbm0: number): Step =>
  step(at, 'device', 'toneHeard', { digit, levelDbm0, twistDb: digit === 'A' ? -3 : 2 });

describe('the timeline of a record', () => {
  it('puts each step into the lane of the side that acted, at its place in time', () => {
    const entries = timelineOf([
      step(1_000, 'device', 'sipReceived'),
      step(1_010, 'host', 'stored'),
      step(1_020, 'application', 'callbackSent'),
      step(1_050, 'receiver', 'alarmSent'),
      step(2_000, 'destination', 'voiceJoining'),
    ]);
    expect(entries.map(({ lane, atMs, gapMs, x }) => [lane, atMs, gapMs, x])).toEqual([
      ['device', 0, 0, 0],
      ['appliance', 10, 10, 0.01],
      ['application', 20, 10, 0.02],
      ['centre', 50, 30, 0.05],
      ['people', 1_000, 950, 1],
    ]);
  });

  it('makes one entry of tones that follow each other; the pause behind them counts from the last one', () => {
    const tones = [tone(0, 'A', -7.1), tone(160, '0', -6.9), tone(320, '#', -8)];
    const entries = timelineOf([...tones, step(400, 'host', 'note'), tone(500, '1', -7)]);
    expect(entries.map((entry) => [entry.step.kind, entry.tones.length, entry.gapMs])).toEqual([
      ['toneHeard', 3, 0],
      ['note', 0, 80],
      ['toneHeard', 1, 100],
    ]);
    expect(toneRow(tones)).toEqual({ text: 'A0#', levels: [-8, -6.9], twist: -3 });
  });

  it('says frequencies where there is no digit, and no level where none was measured', () => {
    expect(toneRow([step(0, 'device', 'toneHeard', { hz: 1_399.6 })])).toEqual({
      ...{ text: '(1400 Hz)', levels: undefined, twist: undefined },
    });
  });

  it('has no entry for a session without steps, and a place for a single step', () => {
    expect(timelineOf([])).toEqual([]);
    expect(timelineOf([step(5, 'host', 'note')])[0]).toMatchObject({ x: 0, atMs: 0 });
  });

  it('writes distances in the unit that a person reads', () => {
    expect([0, 99.94, 977.1, 5_300, 125_000].map(offset)).toEqual([
      ...['0.0 ms', '99.9 ms', '977 ms', '5.30 s', '2:05 min'],
    ]);
  });
});
