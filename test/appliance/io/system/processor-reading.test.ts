import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openProcessorMeter } from '#appliance/io/system/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-stat-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const says = (line: string): void => writeFileSync(join(folder, 'stat'), `${line}\ncpu0 1 2 3\nctxt 9\n`);

it('reports what the host of a virtual machine stole since the last time, and what this process used', async () => {
  const read = openProcessorMeter(folder);
  says('cpu  100 0 50 800 0 0 0 50 7 0');
  expect(await read()).toBeUndefined();
  // A hundred ticks, of which 25 were stolen; time of guests stands in user already.
  says('cpu  130 0 60 835 0 0 0 75 900 0');
  const use = await read();
  expect(use?.stolenPct).toBe(25);
  expect(use?.ownPct).toBeGreaterThan(0);
});

it.each(['', 'cpu  1 2 3', 'intr 5'])('says nothing of a machine that reports "%s"', async (line) => {
  says(line);
  const read = openProcessorMeter(folder);
  expect([await read(), await read()]).toEqual([undefined, undefined]);
});

it('reads the machine it runs on', async () => {
  const read = openProcessorMeter();
  await read();
  for (const endMs = performance.now() + 50; performance.now() < endMs; );
  const use = await read();
  expect(use?.stolenPct).toBeGreaterThanOrEqual(0);
  expect(use?.stolenPct).toBeLessThanOrEqual(100);
  expect(use?.ownPct).toBeGreaterThan(0);
});
