import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { CARILLON } from '../../support/program/program.ts';

const carillon = (...args: readonly string[]) =>
  spawnSync(process.execPath, [CARILLON, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', CARILLON_LANG: 'en' },
  });

it('carillon capture without a trace or a call says what to name', () => {
  const { status, stderr } = carillon('capture', '--out', 'x.pcapng');
  expect(status).toBe(64);
  expect(stderr).toContain('carillon capture --trace ID --out FILE');
});
