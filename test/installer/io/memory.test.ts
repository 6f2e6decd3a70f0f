import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { daemonCommands } from '#installer/command/daemon.ts';
import { keepMemorySettled, settleMemory } from '#installer/io/host/memory.ts';
import type { Programs } from '#installer/program.ts';
import { ok } from '#shared/result.ts';

afterEach(() => vi.restoreAllMocks());

it('is given back once, when what was answered first is answered', async () => {
  const waited: number[] = [];
  const garbage = new WeakRef({ of: 'the start' });
  // A reference that was made keeps its object until this turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  await settleMemory(async (ms) => waited.push(ms));
  expect(waited).toEqual([5_000]);
  expect(garbage.deref()).toBeUndefined();
});

it('is given back again each five minutes at the control plane', async () => {
  const done: (number | string)[] = [];
  const wait = (ms: number) => {
    done.push(ms);
    return done.length > 6 ? new Promise(() => {}) : Promise.resolve();
  };
  void keepMemorySettled(wait, () => void done.push('collected'));
  const again = [300_000, 'collected'];
  await expect.poll(() => done).toEqual([5_000, 'collected', ...again, ...again, 300_000]);
});

/** Starts a daemon that answers at once and ends when its memory was given back. Gives its steps in order. */
async function steps(name: string): Promise<readonly string[]> {
  const done: string[] = [];
  const removal = Promise.withResolvers<void>();
  const step = (text: string) => void done.push(text);
  const start = async () => {
    step('started');
    return ok({ ready: {}, removed: removal.promise, close: async () => step('closed') });
  };
  const settling = (text: string) => async () => {
    step(text);
    removal.resolve();
  };
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const root = new Command('carillon');
  daemonCommands(root, { startCloud: start, startAppliance: start } as unknown as Programs, {
    tuneHeap: () => step('tunes its heap'),
    settle: settling('settles once'),
    keepSettled: settling('keeps settled'),
  });
  await root.parseAsync([name], { from: 'user' });
  return done;
}

it('a control plane tunes its heap before its start and keeps its memory settled', async () => {
  expect(await steps('cloud')).toEqual(['tunes its heap', 'started', 'keeps settled', 'closed']);
});

it('an appliance gives back once what its start needed', async () => {
  expect(await steps('appliance')).toEqual(['started', 'settles once', 'closed']);
});
