import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sumOfSources } from '../../../installer/build/console/source-sum.mjs';

const PAGE = 'cloud/console/page/now/now.tsx';

let root: string;
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-console-source-'));
  write(PAGE, 'one');
  write('package-lock.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the sum of the sources of the console', () => {
  it('is the same for the same files', () => {
    const sum = sumOfSources(root);
    expect(sum).toMatch(/^[0-9a-f]{64}$/);
    write(PAGE, 'one');
    expect(sumOfSources(root)).toBe(sum);
  });

  it.each([
    ['a page', PAGE],
    ['a contract', 'shared/contract/provisioning/trunk.ts'],
    ['a runbook', 'systemd/monitoring/runbook/alarm/diskFull.md'],
    ['a program that bundles', 'installer/build/console/macro.mjs'],
    ['the version of a package', 'package-lock.json'],
  ])('changes with %s', (_, path) => {
    write(path, 'before');
    const sum = sumOfSources(root);
    write(path, 'behind');
    expect(sumOfSources(root)).not.toBe(sum);
  });

  it('changes with a file that comes, goes or moves', () => {
    const sums = [sumOfSources(root)];
    write('shared/listeners.ts', '');
    sums.push(sumOfSources(root));
    renameSync(join(root, PAGE), join(root, 'cloud/console/page/now/later.tsx'));
    sums.push(sumOfSources(root));
    rmSync(join(root, 'cloud/console/page/now/later.tsx'));
    sums.push(sumOfSources(root));
    expect(new Set(sums).size).toBe(4);
  });

  it('does not change with what a build has made, or with other programs', () => {
    const sum = sumOfSources(root);
    write('cloud/console/dist/index.html', '<html>');
    write('appliance/engine/engine.ts', '');
    expect(sumOfSources(root)).toBe(sum);
  });
});
