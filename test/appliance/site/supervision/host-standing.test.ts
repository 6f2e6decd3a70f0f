import { describe, expect, it } from 'vitest';
import { hostStanding, judgeMachine, rowsLeft, syncedWrites } from '#appliance/site/supervision/index.ts';

const facts = { svc: { sip: 'ok', media: 'sick', alarm: 'paused' }, reschedules: false, services: ['sip'] };

describe('the state of a host for the others', () => {
  it('names each service that would not serve here, paused ones too', () => {
    expect(hostStanding(facts).sick).toEqual(['media', 'alarm']);
  });

  it('says its memory only where it is known', () => {
    expect(hostStanding({ ...facts, memFreeMb: 512, memPct: 75 }).memory).toEqual({
      freeMb: 512,
      freePct: 25,
    });
    for (const unknown of [{}, { memFreeMb: 512 }, { memPct: 75 }, { memFreeMb: 0, memPct: 100 }])
      expect(hostStanding({ ...facts, ...unknown })).not.toHaveProperty('memory');
  });

  it('offers its services while it is drained', () => {
    expect(hostStanding(facts).moving).toEqual([]);
    expect(hostStanding({ ...facts, reschedules: true }).moving).toEqual(['sip']);
  });
});

it('a drain waits for rows that no other host keeps', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, lane: id === 'c' ? 'svc' : 'alarm' }));
  expect(rowsLeft(rows, (id) => id === 'a')).toEqual({ alarm: 1, svc: 1 });
});

describe('the figures of the machine', () => {
  const late = { late: false, inTimeMs: 60_000 };

  it('are judged as far as they can be had', () => {
    const nothing = judgeMachine({ memory: undefined, disk: undefined, late, synchronised: undefined });
    expect(nothing).toEqual({ 'serviceFailure processor': { kind: 'good' } });
    const all = judgeMachine({
      memory: { availableBytes: 1, totalBytes: 100, stallPct: undefined },
      disk: { freeBytes: 1, totalBytes: 100 },
      late,
      synchronised: false,
    });
    expect(Object.entries(all).map(([key, { kind }]) => [key, kind])).toEqual([
      ['lowMemory', 'bad'],
      ['diskPressure', 'bad'],
      ['serviceFailure processor', 'good'],
      ['clockUnsynchronised', 'bad'],
    ]);
  });

  it('include how long the slowest of a hundred writes took', async () => {
    let nowMs = 0;
    let writes = 0;
    const write = async (): Promise<void> => {
      nowMs += ++writes;
    };
    expect(await syncedWrites(write, () => nowMs)).toBe(100);
    expect(writes).toBe(100);
  });

  it('say nothing of a disk that refuses', async () => {
    expect(
      await syncedWrites(
        () => Promise.reject(new Error('EIO')),
        () => 0,
      ),
    ).toBeUndefined();
  });
});
