import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeOverride, type OverrideWish } from '#appliance/replica/index.ts';
import { SiteOverrides } from '#appliance/runtime/site-override.ts';
import type { LocalOverride } from '#shared/contract/feed/index.ts';
import { SiteWorld } from './site-world.ts';

let world: SiteWorld;
let applied: string[];
let reported: (readonly LocalOverride[])[];
let connected = false;
let overrides: SiteOverrides;
let ports: ReturnType<SiteWorld['ports']>;
beforeEach(() => {
  world = new SiteWorld();
  applied = [];
  reported = [];
  connected = false;
  ports = world.ports();
  overrides = new SiteOverrides({
    ...ports,
    apply: (key, value) => applied.push(`${key} ${JSON.stringify(value)}`),
    report: (list) => reported.push(list),
    connected: () => connected,
  });
  overrides.start();
});
afterEach(async () => {
  overrides.stop();
  ports.store.close();
  await world.end();
});

/** As the command of a technician writes it, beside the running program. */
function write(change: Partial<OverrideWish>): void {
  const wish = {
    key: 'logLevel',
    value: 'debug',
    author: 'kim',
    reason: 'a lost call',
    ttlMs: 60_000,
    pinned: false,
  };
  const override = makeOverride({ ...wish, ...change }, null, world.wallMs);
  if (!override.ok) throw new Error(override.error.reason);
  ports.store.keepOverride(override.value);
}

it('an override takes effect within two seconds, is reported, and ends in time', async () => {
  write({});
  await world.advance(2_000);
  expect(applied).toEqual(['logLevel "debug"']);
  expect(reported.at(-1)).toMatchObject([
    { key: 'logLevel', author: 'kim', reason: 'a lost call', drift: false },
  ]);
  expect(overrides.count).toBe(1);
  await world.advance(60_000);
  expect(applied.at(-1)).toBe('logLevel undefined');
  expect(reported.at(-1)).toEqual([]);
  expect(reported).toHaveLength(2);
});

it('the cloud clears one or all', async () => {
  write({});
  write({ key: 'service:media', value: 'paused' });
  await world.advance(2_000);
  expect(overrides.clear('service:media')).toEqual(['service:media']);
  expect(overrides.count).toBe(1);
  expect(overrides.clear()).toEqual(['logLevel']);
  expect(applied.at(-1)).toBe('logLevel undefined');
});

it('a network change stays when the cloud is reached over it, and else undoes itself', async () => {
  const network = { key: 'network', value: { ifs: ['10.0.0.5'], prefix: 24 }, ttlMs: undefined };
  write(network);
  await world.advance(119_000);
  expect(overrides.count).toBe(1);
  await world.advance(4_000);
  expect(applied.at(-1)).toBe('network undefined');
  write(network);
  connected = true;
  await world.advance(300_000);
  expect(overrides.count).toBe(1);
});
