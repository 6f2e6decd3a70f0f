import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const BUILD = join(import.meta.dirname, '../../../installer/build/build.ts');

function build(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILD, ...words], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  return { status, stdout, stderr: stderr.trim().split('\n') };
}

describe('npm run build', () => {
  it('says by --help what there is, with an example', () => {
    const { status, stdout } = build('--help');
    expect(status).toBe(0);
    for (const word of ['--cpu', '--out', '--binary-only', '--key', '--channel', '--compression', 'Example:'])
      expect(stdout).toContain(word);
  });

  it.each([
    ['an option that nobody knows', ['--fast'], 64, "unknown option '--fast'"],
    ['a word too many', ['everything'], 64, 'too many arguments'],
    ['a CPU there is no Node of', ['--cpu', 'riscv'], 64, 'Allowed choices are x64, arm64'],
    ['a level that xz has not', ['--compression', '12'], 64, 'Allowed choices are 0, 1'],
    ['a channel with a blank', ['--channel', 'a b'], 64, 'write for example stable or beta'],
    [
      'a key that is not there',
      ['--key', '/nowhere/key'],
      65,
      '/nowhere/key cannot be read (ENOENT). Check the path',
    ],
    ['a key that is none', ['--key', BUILD], 65, 'not a secret key of minisign: make one by'],
  ])('refuses %s in a sentence', (_, words, status, says) => {
    const ran = build(...words);
    expect(ran.status).toBe(status);
    expect(ran.stderr[0]).toContain(says);
    expect(ran.stderr.length).toBeLessThanOrEqual(2);
  });
});
