import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { runProgram } from '../support/program.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const place = new Place();
afterAll(() => place.close());

const judged = (file: string) =>
  runProgram('env', ['CARILLON_NAME=cloud.example.org', 'docker-compose', '--file', file, 'config']);

/* There is no container daemon: `config` reads a file as `up` does, and starts nothing. */
describe('docker-compose reads', () => {
  it.each([
    ['compose.yaml', ['cloud']],
    ['systemd/cloud/compose.yaml', ['cloud']],
    ['systemd/cloud/several/compose.yaml', ['cloud-1', 'cloud-2', 'postgres', 'balancer']],
  ])('%s', async (name, services) => {
    const { code, stdout, stderr } = await judged(join(ROOT, name));
    expect(code, stderr).toBe(0);
    for (const service of services) expect(stdout).toMatch(new RegExp(`^  ${service}:$`, 'm'));
  });

  it('no file with a word that it does not know', async () => {
    const file = join(place.folder(), 'compose.yaml');
    const text = readFileSync(join(ROOT, 'systemd/cloud/several/compose.yaml'), 'utf8');
    writeFileSync(file, text.replace('depends_on:', 'depends_upon:'));
    const { code, stderr } = await judged(file);
    expect(code).not.toBe(0);
    expect(stderr).toContain('depends_upon');
  });
});
