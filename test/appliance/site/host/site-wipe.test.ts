import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginWipe, wipeBegun, wipeIdentity, wipeState } from '#appliance/io/system/index.ts';
import { SiteWipe } from '#appliance/site/host/site-wipe.ts';
import type { WipeReport } from '#shared/contract/feed/index.ts';
import { SiteWorld } from './site-world.ts';

const OP = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const lost = { life: 'decommissioned', op: OP } as const;

let world: SiteWorld;
let folder: string;
beforeEach(() => {
  world = new SiteWorld();
  folder = mkdtempSync(join(tmpdir(), 'wipe-'));
  for (const name of [
    'host.key',
    'host.crt',
    'ca.crt',
    'identity.json',
    'site.key',
    'journal.db',
    'config.db',
    'lock.db',
  ])
    writeFileSync(join(folder, name), 'secret');
  mkdirSync(join(folder, 'recording'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await world.end();
});

function host(
  waiting: () => number,
  hears: () => boolean,
  settle: () => Promise<void> = async () => undefined,
) {
  const reports: WipeReport[] = [];
  let finished = false;
  const { log, run, startTimer } = world.ports();
  const wipe = new SiteWipe({
    log,
    run,
    startTimer,
    waiting,
    settle,
    begun: () => wipeBegun(folder),
    begin: (op) => beginWipe(folder, op),
    wipe: async () => wipeState(folder),
    report: async (report) => {
      reports.push(report);
      return hears();
    },
    finish: async () => {
      finished = true;
      wipeIdentity(folder);
    },
  });
  return { wipe, reports, finished: () => finished };
}

it('a host that leaves first delivers, then wipes, then says so until it is acknowledged, then forgets who it was', async () => {
  let [left, received] = [2, false];
  const { wipe, reports, finished } = host(
    () => left,
    () => received,
  );
  wipe.twinChanged(lost);
  await world.advance(5_000);
  expect(readdirSync(folder)).toContain('journal.db');
  left = 0;
  await world.advance(2_000);
  expect(readdirSync(folder).sort()).toEqual([
    'ca.crt',
    'host.crt',
    'host.key',
    'identity.json',
    'lock.db',
    'wipe.json',
  ]);
  expect(reports[0]).toMatchObject({ op: OP, left: [] });
  expect(reports[0]?.wiped.sort()).toEqual(['configuration', 'journal', 'recordings', 'siteKey']);
  received = true;
  await world.advance(30_000);
  expect(finished()).toBe(true);
  expect(readdirSync(folder)).toEqual(['lock.db']);
});

it('a restart goes on with the wipe, whatever the twin on the disk says', async () => {
  beginWipe(folder, OP);
  const { wipe, reports } = host(
    () => 7,
    () => true,
  );
  wipe.resume();
  wipe.twinChanged({ life: 'active', op: null });
  await world.advance(1_000);
  expect(reports).toHaveLength(1);
});

it('a host that is taken back before its lanes are empty keeps everything', async () => {
  const { wipe, reports } = host(
    () => 1,
    () => true,
  );
  wipe.twinChanged(lost);
  await world.advance(3_000);
  wipe.twinChanged({ life: 'active', op: null });
  await world.advance(60_000);
  expect(reports).toEqual([]);
  expect(readdirSync(folder)).toContain('site.key');
});

it('counted rows are delivered before the wipe, and settled when nothing else waits', async () => {
  let [rows, settled] = [1, 0];
  const { wipe, reports } = host(
    () => rows,
    () => true,
    async () => {
      settled++;
      if (settled === 1) rows = 1;
    },
  );
  wipe.twinChanged(lost);
  // The twin comes again with each connection.
  wipe.twinChanged(lost);
  await world.advance(3_000);
  expect(settled).toBe(0);
  rows = 0;
  await world.advance(3_000);
  expect(settled).toBe(1);
  expect(reports).toEqual([]);
  expect(readdirSync(folder)).toContain('journal.db');
  rows = 0;
  await world.advance(2_000);
  expect(settled).toBe(2);
  expect(reports).toHaveLength(1);
});

it('a host that is taken back while it settles keeps everything', async () => {
  const settling = Promise.withResolvers<void>();
  const { wipe, reports } = host(
    () => 0,
    () => true,
    () => settling.promise,
  );
  wipe.twinChanged(lost);
  wipe.twinChanged({ life: 'active', op: null });
  settling.resolve();
  await world.advance(60_000);
  expect(reports).toEqual([]);
  expect(readdirSync(folder)).toContain('site.key');
});
