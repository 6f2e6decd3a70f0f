import { describe, expect, it } from 'vitest';
import { HostTime } from '#appliance/site/system/index.ts';
import type { BootNote } from '#shared/contract/feed/index.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;

interface Machine {
  readonly source?: boolean;
  readonly lastGood?: number;
  readonly maySet?: boolean;
  readonly boots?: readonly BootNote[];
}

/** A machine in its third boot; its timer fires when the test says so. */
function machine(first: Machine = {}) {
  const state = { wallMs: NOW, source: first.source, fault: undefined as Error | undefined };
  const kept: (readonly [number, boolean | undefined])[] = [];
  const notes: (readonly BootNote[])[] = [];
  const logged: string[] = [];
  let fire: (() => void) | undefined;
  const time = new HostTime({
    clock: { wallMs: () => state.wallMs, monoMs: () => 1_000 },
    boot: 3,
    readSource: async () => {
      if (state.fault !== undefined) throw state.fault;
      return state.source;
    },
    lastGood: () => first.lastGood,
    keepLastGood: (wallMs, synchronised) => void kept.push([wallMs, synchronised]),
    setClock: async (wallMs) => {
      if (first.maySet !== false) state.wallMs = wallMs;
      return first.maySet !== false;
    },
    boots: () => first.boots ?? [],
    keepBoots: (boots) => void notes.push(boots),
    startTimer: (delayMs, due) => {
      expect(delayMs).toBe(MINUTE);
      fire = due;
      return () => {
        fire = undefined;
      };
    },
    log: (level, event) => void logged.push(`${level} ${event}`),
  });
  return {
    state,
    time,
    kept,
    notes,
    logged,
    isWaiting: () => fire !== undefined,
    minute: async (): Promise<void> => {
      const due = fire;
      fire = undefined;
      state.wallMs += MINUTE;
      due?.();
      await expect.poll(() => fire).toBeDefined();
    },
  };
}

describe('the start', () => {
  it.each([
    ['a clock that stood still', { lastGood: NOW + 5_000 }, NOW + 5_000, ['warn clock.restored']],
    [
      'a clock that this program may not set',
      { lastGood: NOW + 5_000, maySet: false },
      NOW,
      ['error clock.restore_failed'],
    ],
    ['a clock with a source', { lastGood: NOW + 5_000, source: true }, NOW, []],
    ['a clock that went on', { lastGood: NOW - 5_000 }, NOW, []],
    ['a clock without a last good time', {}, NOW, []],
  ] as const)('leaves %s at its time, or sets it forward', async (_, first, wallMs, log) => {
    const { time, state, logged, kept } = machine(first);
    await time.start();
    expect([state.wallMs, logged]).toEqual([wallMs, log]);
    expect(kept).toHaveLength(1);
  });

  it('notes this boot, and the moment at which its clock is right', async () => {
    const { time, state, notes, minute } = machine({ source: false });
    await time.start();
    expect(notes.at(-1)).toEqual([{ boot: 3, from: 1_000, right: undefined }]);
    await minute();
    expect(notes).toHaveLength(1);
    state.source = true;
    await minute();
    expect(notes.at(-1)).toEqual([{ boot: 3, from: 1_000, right: { mono: 1_000, ts: NOW + 2 * MINUTE } }]);
    expect(time.records).toMatchObject({ sync: true });
  });
});

describe('each minute', () => {
  it('reads the source, and each tenth keeps the time', async () => {
    const { time, kept, minute } = machine({ source: true });
    await time.start();
    for (let n = 0; n < 20; n++) await minute();
    expect(kept.map(([wallMs]) => wallMs)).toEqual([NOW, NOW + 10 * MINUTE, NOW + 20 * MINUTE]);
  });

  it('comes again after one that failed', async () => {
    const { time, state, logged, minute } = machine({ source: true });
    await time.start();
    state.fault = new Error('no clock');
    await minute();
    expect(logged).toEqual(['error clock.check_failed']);
    state.fault = undefined;
    state.source = false;
    await minute();
    expect(time.state.synchronised).toBe(false);
  });

  it('comes no more after the end', async () => {
    const { time, isWaiting } = machine();
    await time.start();
    time.stop();
    expect(isWaiting()).toBe(false);
  });
});

describe('the answer of a receiver', () => {
  const late = { date: new Date(NOW + 60_000).toUTCString(), sentMs: NOW, receivedMs: NOW };

  it('corrects the time of tokens, once, while the clock has no source', async () => {
    const { time, logged } = machine({ source: false });
    await time.start();
    time.answered(late);
    time.answered(late);
    expect(time.signingMs()).toBe(NOW + 60_500);
    expect(logged).toEqual(['warn clock.token_time_corrected']);
  });

  it.each([true, undefined])('changes nothing where the source is %s', async (source) => {
    const { time } = machine(source === undefined ? {} : { source });
    await time.start();
    time.answered(late);
    expect(time.signingMs()).toBe(NOW);
  });
});
