import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptAside } from '#cloud/io/database/index.ts';
import { createStorageDamageWatch, PlatformAlarmTable } from '#cloud/monitoring/index.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-aside-'));
  file = join(folder, 'cloud.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const damaged = (name: string): string => {
  writeFileSync(join(folder, name), 'damaged');
  return join(folder, name);
};

it('only files that stand for damage of the database itself are found, oldest first', () => {
  for (const other of [
    'cloud.db',
    'cloud.db.replaced-6',
    'cloud.db.damaged-5-wal',
    'cloud.db.readable',
    'other.db.damaged-7',
  ])
    damaged(other);
  const newer = damaged('cloud.db.removed-12');
  const older = damaged('cloud.db.damaged-5');
  expect(keptAside(file)).toEqual([
    { file: older, kind: 'damaged', atMs: 5 },
    { file: newer, kind: 'removed', atMs: 12 },
  ]);
});

it('the alarm of a damaged file stands, is raised once, and ends when the file was moved away', () => {
  const logged: string[] = [];
  const table = new PlatformAlarmTable({
    nowMs: () => 1,
    random: (length) => new Uint8Array(length),
    log: (_level, event, _message, detail) => logged.push(`${event} ${detail?.subject}`),
  });
  const look = createStorageDamageWatch({ damaged: () => keptAside(file), platform: table });
  const statuses = () => table.list().map(({ status, subject }) => `${status} ${subject}`);
  look();
  expect(statuses()).toEqual([]);
  const first = damaged('cloud.db.damaged-1764115200000');
  look();
  look();
  expect(statuses()).toEqual([`active ${first}`]);
  expect(table.list()[0]?.message).toContain('2025-11-26T00:00:00.000Z');
  const second = damaged('cloud.db.removed-1764115200001');
  rmSync(first);
  look();
  expect(statuses()).toEqual([`active ${second}`, `cleared ${first}`]);
  expect(table.list()[0]?.message).toMatch(/was removed or replaced .*no row is missing/);
  expect(logged).toEqual([
    `deployment_alarm.raised ${first}`,
    `deployment_alarm.cleared ${first}`,
    `deployment_alarm.raised ${second}`,
  ]);
});
