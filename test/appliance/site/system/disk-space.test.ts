import { describe, expect, it } from 'vitest';
import { DiskSpace } from '#appliance/site/system/index.ts';

const GIB = 1_073_741_824;
const MINUTE = 60_000;
const NONE = { alarm: 0, svc: 0, audit: 0, usage: 0 };

/** A disk of 100 GiB; its timer fires when the test says so. */
function disk(fullPct: number) {
  const state = {
    fullPct: fullPct as number | undefined,
    held: false,
    waiting: NONE,
    bytes: NONE,
    fault: undefined as Error | undefined,
  };
  const done: string[] = [];
  const logged: string[] = [];
  let fire: (() => void) | undefined;
  const space = new DiskSpace({
    disk: async () => {
      if (state.fault !== undefined) throw state.fault;
      return state.fullPct === undefined
        ? undefined
        : { totalBytes: 100 * GIB, freeBytes: (100 - state.fullPct) * GIB };
    },
    ballast: {
      bytes: 128 * 1_048_576,
      get held() {
        return state.held;
      },
      hold: async () => {
        state.held = true;
        done.push('hold');
      },
      free: () => {
        state.held = false;
        done.push('free');
      },
    },
    journal: {
      clean: async () => void done.push('clean'),
      waiting: () => state.waiting,
      waitingBytes: async () => state.bytes,
      dropOldest: async (lane, bytes) => {
        done.push(`drop ${lane} ${bytes}`);
        return 3;
      },
    },
    removeSynced: async (isFull) => {
      let removed = 0;
      while (removed < 9 && (await isFull())) {
        removed++;
        state.fullPct = (state.fullPct ?? 0) - 1;
      }
      done.push(`remove ${removed}`);
      return removed;
    },
    wallMs: () => 0,
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
    space,
    done,
    logged,
    isWaiting: () => fire !== undefined,
    minute: async (): Promise<void> => {
      const due = fire;
      fire = undefined;
      due?.();
      await expect.poll(() => fire).toBeDefined();
    },
  };
}

describe('a look at the disk', () => {
  it.each([
    [50, []],
    [89, []],
    [90, ['clean', 'remove 1']],
    [92, ['clean', 'remove 3']],
  ])('at %s %% makes room as its quota says', async (fullPct, wanted) => {
    const { space, done } = disk(fullPct);
    await space.look();
    expect(done).toEqual(wanted);
  });

  it('does nothing where the disk cannot be read', async () => {
    const { space, state, done } = disk(99);
    state.fullPct = undefined;
    await space.look();
    expect(done).toEqual([]);
  });

  it('frees the ballast once, when the disk is full', async () => {
    const { space, state, done, logged } = disk(99);
    state.held = true;
    await space.look();
    await space.look();
    expect(done.filter((each) => each === 'free')).toHaveLength(1);
    expect(logged[0]).toBe('error disk_space.ballast_freed');
  });

  it('writes the ballast with the tenth look, when there is room', async () => {
    const { space, done } = disk(50);
    for (let n = 0; n < 9; n++) await space.look();
    expect(done).toEqual([]);
    await space.look();
    expect(done).toEqual(['hold']);
  });

  it('drops the oldest rows of a lane above its quota, and counts bytes only when many rows wait', async () => {
    const { space, state, done, logged } = disk(50);
    state.bytes = { ...NONE, usage: 2 * GIB };
    await space.look();
    expect(done).toEqual([]);
    state.waiting = { ...NONE, usage: 20_000 };
    await space.look();
    expect(done).toEqual([expect.stringMatching(/^drop usage 2\d{9}/)]);
    expect(logged).toEqual(['warn disk_space.rows_dropped']);
  });
});

describe('each minute', () => {
  it('looks, also after a look that failed, until the end', async () => {
    const { space, state, done, logged, minute, isWaiting } = disk(90);
    space.start();
    state.fault = new Error('EIO');
    await minute();
    state.fault = undefined;
    await minute();
    expect(logged[0]).toBe('error disk_space.check_failed');
    expect(done).toEqual(['clean', 'remove 1']);
    space.stop();
    expect(isWaiting()).toBe(false);
  });
});
