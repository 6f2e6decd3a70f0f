import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { buildOptions } from '#installer/build/build-option.ts';
import { Stop } from '#installer/exit-code.ts';

const BUILD = join(import.meta.dirname, '../../../installer/build/build.ts');
let shown: MockInstance<typeof process.stderr.write>;

beforeEach(() => {
  shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => shown.mockRestore());

/** How it ends, and all that a person reads. */
function refusal(words: readonly string[]): { readonly code: number; readonly text: string } {
  try {
    buildOptions(words, '/checkout');
  } catch (cause) {
    if (!(cause instanceof Stop)) throw cause;
    return { code: cause.code, text: shown.mock.calls.map(([text]) => text).join('') + cause.message };
  }
  return { code: 0, text: '' };
}

describe('npm run build', () => {
  it('makes everything for both CPUs without a flag', () => {
    expect(buildOptions([], '/checkout')).toMatchObject({
      cpus: ['x64', 'arm64'],
      out: '/checkout/dist',
      binaryOnly: false,
      channel: 'stable',
      compression: 6,
    });
    const words = ['--cpu', 'arm64', '--binary-only', '--compression', '0', '--channel', 'beta'];
    const reported = { cpus: ['arm64'], binaryOnly: true, compression: 0, channel: 'beta' };
    expect(buildOptions(words, '/checkout')).toMatchObject(reported);
  });

  it.each([
    ['an unknown option', ['--fast'], 64, "unknown option '--fast'"],
    ['a word too many', ['everything'], 64, 'too many arguments'],
    ['a CPU there is no Node of', ['--cpu', 'riscv'], 64, 'Allowed choices are x64, arm64'],
    ['a level that xz has not', ['--compression', '12'], 64, 'Allowed choices are 0, 1'],
    ['a channel with a blank', ['--channel', 'a b'], 64, 'write for example stable or beta'],
    ['a key that is not there', ['--key', '/nowhere/key'], 65, 'cannot be read (ENOENT). Check the path'],
    ['a key that is none', ['--key', BUILD], 65, 'not a secret key of minisign: make one by'],
  ])('refuses %s in a sentence', (_, words, code, says) => {
    expect(refusal(words)).toEqual({ code, text: expect.stringContaining(says) });
  });

  it('ends with that code, and shows no stack', () => {
    const { status, stderr } = spawnSync(process.execPath, [BUILD, '--fast'], { encoding: 'utf8' });
    expect(status).toBe(64);
    expect(stderr.trim().split('\n')).toHaveLength(2);
    expect(stderr).toContain('npm run build -- --help lists what there is');
  });
});
