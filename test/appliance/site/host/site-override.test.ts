import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inPlaceOf, makeOverride, type OverrideRequest } from '#appliance/replica/index.ts';
import { SiteOverrides } from '#appliance/site/host/site-override.ts';
import type { HostActData, LocalOverride } from '#shared/contract/feed/index.ts';
import { SiteWorld } from './site-world.ts';

let world: SiteWorld;
let applied: string[];
let reported: (readonly LocalOverride[])[];
let notified: HostActData[];
let connected = false;
let overrides: SiteOverrides;
let ports: ReturnType<SiteWorld['ports']>;
beforeEach(() => {
  world = new SiteWorld();
  applied = [];
  reported = [];
  notified = [];
  connected = false;
  ports = world.ports();
  overrides = open();
  overrides.start();
});

const open = (): SiteOverrides =>
  new SiteOverrides({
    ...ports,
    apply: (key, value) => applied.push(`${key} ${JSON.stringify(value)}`),
    report: (list) => reported.push(list),
    tell: (act) => notified.push(act),
    connected: () => connected,
  });
afterEach(async () => {
  overrides.stop();
  ports.store.close();
  await world.end();
});

/** As the command of a technician writes it, beside the running program. */
function write(change: Partial<OverrideRequest>): void {
  const request = {
    key: 'logLevel',
    value: 'debug',
    author: 'kim',
    reason: 'a lost call',
    ttlMs: 60_000,
    pinned: false,
  };
  const override = makeOverride({ ...request, ...change }, null, world.wallMs);
  if (!override.ok) throw new Error(override.error.reason);
  const before = ports.store.overrides().find(({ key }) => key === override.value.key);
  ports.store.keepOverride(inPlaceOf(before, override.value));
}

function clear(by: string): void {
  for (const each of ports.store.overrides())
    if (each.key === 'logLevel') ports.store.keepOverride({ ...each, cleared: { by } });
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

it('an override is reported once with its person, also over a restart, and with its end', async () => {
  write({});
  write({ key: 'fallbackNumber', value: '+46701234567' });
  await world.advance(2_000);
  const detail = { reason: 'a lost call', expiresAt: world.wallMs - 2_000 + 60_000, pinned: false };
  expect(notified).toEqual([
    { action: 'override', by: 'kim', detail: { key: 'fallbackNumber', ...detail } },
    { action: 'override', by: 'kim', detail: { key: 'logLevel', value: '"debug"', ...detail } },
  ]);
  expect(JSON.stringify(reported)).not.toContain('noted');
  overrides.stop();
  overrides = open();
  overrides.start();
  await world.advance(4_000);
  expect(applied.at(-1)).toBe('logLevel "debug"');
  expect(notified).toHaveLength(2);
  notified.length = 0;
  overrides.clear('fallbackNumber');
  await world.advance(60_000);
  expect(notified).toEqual([
    { action: 'overrideOver', detail: { key: 'fallbackNumber', why: 'cleared' } },
    { action: 'overrideOver', detail: { key: 'logLevel', why: 'expired' } },
  ]);
  // Set again, it is another one.
  write({});
  await world.advance(2_000);
  expect(notified.at(-1)).toMatchObject({ action: 'override', detail: { key: 'logLevel' } });
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

describe('while the program stands still', () => {
  const acts = () => notified.map(({ action, by, detail }) => [action, by, detail?.value, detail?.why]);
  const start = async (): Promise<void> => {
    overrides = open();
    overrides.start();
    await world.advance(2_000);
  };
  beforeEach(() => overrides.stop());

  it('an override that was set and cleared is still reported: who did it, and who ended it', async () => {
    write({});
    clear('sam');
    await start();
    expect(acts()).toEqual([
      ['override', 'kim', '"debug"', undefined],
      ['overrideOver', 'sam', undefined, 'cleared'],
    ]);
    expect(applied).toEqual([]);
    expect(overrides.count).toBe(0);
    expect(ports.store.overrides()).toEqual([]);
    expect(reported.flat()).toEqual([]);
  });

  it('each of a row of changes is reported, in order, and the last one is in force', async () => {
    write({});
    write({ value: 'info' });
    clear('sam');
    write({ value: 'warn', author: 'max' });
    await start();
    expect(acts()).toEqual([
      ['override', 'kim', '"debug"', undefined],
      ['overrideOver', undefined, undefined, 'replaced'],
      ['override', 'kim', '"info"', undefined],
      ['overrideOver', 'sam', undefined, 'cleared'],
      ['override', 'max', '"warn"', undefined],
    ]);
    expect(applied).toEqual(['logLevel "warn"']);
    expect(JSON.stringify(reported)).not.toMatch(/before|cleared|noted/);
    notified.length = 0;
    overrides.stop();
    await start();
    expect(notified).toEqual([]);
  });

  it('one of before that was cleared is reported as over, and one that has ended too', async () => {
    await start();
    write({});
    write({ key: 'testMode', value: true });
    await world.advance(2_000);
    overrides.stop();
    notified.length = 0;
    clear('sam');
    await world.advance(70_000);
    await start();
    expect(notified).toEqual([
      { action: 'overrideOver', by: 'sam', detail: { key: 'logLevel', why: 'cleared' } },
      { action: 'overrideOver', detail: { key: 'testMode', why: 'expired' } },
    ]);
  });
});
