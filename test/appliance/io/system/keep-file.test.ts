import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepLastGood, openBallast, readLastGood } from '#appliance/io/system/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keep-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the last good time goes back only by a clock that has a source, and a damaged file is none', () => {
  expect(readLastGood(folder)).toBeUndefined();
  keepLastGood(folder, 1_000.7, false);
  for (const synchronised of [false, undefined]) keepLastGood(folder, 500, synchronised);
  expect(readLastGood(folder)).toBe(1_000);
  keepLastGood(folder, 600, true);
  expect(readLastGood(folder)).toBe(600);
  writeFileSync(join(folder, 'last-good-time'), 'soon');
  expect(readLastGood(folder)).toBeUndefined();
});

it('ballast takes its room for real, and gives it back', async () => {
  const ballast = openBallast(folder, 2 * 1_048_576);
  await ballast.hold();
  expect(ballast.held).toBe(true);
  expect(statSync(join(folder, 'ballast')).blocks * 512).toBeGreaterThanOrEqual(2 * 1_048_576);
  ballast.free();
  expect(ballast.held).toBe(false);
});
