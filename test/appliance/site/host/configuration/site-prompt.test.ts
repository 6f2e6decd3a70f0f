import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PromptBytes } from '#appliance/site/host/site-port.ts';
import { fail, ok } from '#shared/result.ts';
import { bridge, put } from '../site-cloud.ts';
import { SiteWorld } from '../site-world.ts';

let world: SiteWorld;
beforeEach(() => {
  world = new SiteWorld();
});
afterEach(() => world.end());

const file = (name: string, digit: string) =>
  put('promptfile', name, { name, sha256: digit.repeat(64), size: 10, format: 'wav' });

it('bytes of prompt files are here before the rows are in force; what cannot be played is a NACK with its name', async () => {
  const brought: string[] = [];
  let reachable = false;
  const promptBytes: PromptBytes = {
    async bring(files) {
      if (files.some(({ name }) => name === 'broken.wav'))
        return fail('promptFile', 'broken.wav holds no sound', '/promptfile/broken.wav');
      if (!reachable) return fail('unreachable', 'no line');
      brought.push(...files.map(({ name }) => name));
      return ok(null);
    },
  };
  const { agent, store } = world.host({ promptBytes });
  world.cloud.change('tenant', [bridge('scaip'), file('hello.wav', 'a')]);
  agent.start();
  await world.advance(5_000);
  expect([agent.tenant.promptFile('hello.wav'), store.standings().tenant.rev]).toEqual([undefined, 0]);
  reachable = true;
  await world.reach(() => agent.tenant.promptFile('hello.wav') !== undefined, 'the prompt file');
  expect(brought).toContain('hello.wav');

  world.cloud.change('tenant', [file('broken.wav', 'b')]);
  await agent.reconfigure();
  await world.reach(
    () => world.logged.some((line) => line.includes('configuration.refused {"scope":"tenant","rev":2,')),
    'refusal',
  );
  expect(
    world.logged.find((line) => line.includes('configuration.refused {"scope":"tenant","rev":2,')),
  ).toContain('/promptfile/broken.wav');
  expect(agent.tenant.promptFile('broken.wav')).toBeUndefined();
  expect(store.standings().tenant.rev).toBe(1);
});
