import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openBootClock } from '#appliance/io/system/index.ts';

const uptime = (seconds: number): string => `${seconds.toFixed(2)} 1.00\n`;

it('goes on where an earlier life of the program was', () => {
  let nowS = 500;
  const life = (beganS: number) =>
    openBootClock(
      () => (nowS - beganS) * 1_000,
      () => uptime(nowS),
    );
  const first = life(490);
  expect(first?.()).toBe(500_000);
  nowS = 620;
  const second = life(600);
  expect(second?.()).toBe(620_000);
});

it('notices that the machine slept, and never goes back', () => {
  let monoMs = 0;
  let asleepS = 0;
  let cutMs = 0;
  const clock = openBootClock(
    () => monoMs,
    () => uptime(100 + asleepS + (monoMs - cutMs) / 1_000),
  );
  expect(clock?.()).toBe(100_000);
  monoMs = 5_000;
  asleepS = 60;
  expect(clock?.()).toBe(165_000);
  let before = 0;
  for (let step = 0; step < 40; step++) {
    monoMs += 333;
    // A reading is up to 10 ms behind, now more, now less.
    cutMs = step % 3 === 0 ? 9 : 0;
    const now = clock?.() ?? 0;
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
});

it.each([
  ['nothing', () => ''],
  ['no number', () => 'up 3 days'],
  [
    'an error',
    () => {
      throw new Error('no such file');
    },
  ],
])('is none where the kernel gives %s', (_, read) => {
  expect(openBootClock(() => 0, read)).toBeUndefined();
});

it('is one clock for two real processes, one after the other', () => {
  const module = resolve(import.meta.dirname, '../../../../appliance/io/system/boot-clock.ts');
  const text = `import { openBootClock } from ${JSON.stringify(module)};
    console.log(openBootClock(() => performance.now())());`;
  const life = (): number => {
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    return Number(run.stdout);
  };
  const beganMs = performance.now();
  const [first, second] = [life(), life()];
  const tookMs = performance.now() - beganMs;
  expect(second).toBeGreaterThan(first);
  expect(second - first).toBeLessThan(tookMs + 100);
});
