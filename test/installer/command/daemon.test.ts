import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { daemonCommands } from '#installer/command/daemon.ts';
import type { Programs } from '#installer/program.ts';
import { ok } from '#shared/result.ts';

afterEach(() => vi.restoreAllMocks());

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
    collectEarly: () => step('collects early'),
    settle: settling('settles once'),
    keepSettled: settling('keeps settled'),
  });
  await root.parseAsync([name], { from: 'user' });
  return done;
}

it('a control plane collects early from its start and keeps its memory settled', async () => {
  expect(await steps('cloud')).toEqual(['collects early', 'started', 'keeps settled', 'closed']);
});

it('an appliance gives back once what its start needed', async () => {
  expect(await steps('appliance')).toEqual(['started', 'settles once', 'closed']);
});
