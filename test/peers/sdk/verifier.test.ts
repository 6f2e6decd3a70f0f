import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type VectorSet, vectorSet } from '#sdk/build/vector.ts';
import { bySize } from '#test/support/vitest/rounds.ts';

const sdk = join(import.meta.dirname, '../../../sdk');
const folder = mkdtempSync(join(tmpdir(), 'carillon-verifier-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fresh = join(folder, 'fresh.json');
writeFileSync(fresh, JSON.stringify(vectorSet(true)));
const files = [join(sdk, 'vectors/callback.json'), fresh];

/** Runs a program on a file of vectors: its outcomes, a list for each vector. */
type Run = (file: string) => string;

const here = (name: string): string => join(import.meta.dirname, name);
const run = (program: string, args: readonly string[], more: object = {}): string =>
  execFileSync(program, args, { encoding: 'utf8', ...more });

/** Each program is Debian's and uses its standard library; Python has python3-cryptography. */
const LANGUAGES: Readonly<Record<string, () => Run>> = {
  Python: () => (file) =>
    run('/usr/bin/python3', [here('runner.py'), file], {
      env: { ...process.env, PYTHONPATH: join(sdk, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
    }),
  Go: () => {
    const module = join(folder, 'go');
    mkdirSync(join(module, 'carillon'), { recursive: true });
    copyFileSync(join(sdk, 'verifier/callback_verifier.go'), join(module, 'carillon/callback_verifier.go'));
    copyFileSync(here('runner.go'), join(module, 'runner.go'));
    writeFileSync(join(module, 'go.mod'), 'module runner\n\ngo 1.19\n');
    const env = { ...process.env, GOPROXY: 'off', GOCACHE: join(folder, 'go-cache'), GOFLAGS: '' };
    run('go', ['vet', './...'], { cwd: module, env });
    run('go', ['build', '-o', 'runner', '.'], { cwd: module, env });
    return (file) => run(join(module, 'runner'), [file]);
  },
  Java: () => {
    const classes = join(folder, 'java');
    const sources = [join(sdk, 'verifier/CallbackVerifier.java'), here('runner.java')];
    run('javac', ['--release', '17', '-Xlint:all', '-Werror', '-d', classes, ...sources]);
    return (file) => run('java', ['-cp', classes, 'Runner', file]);
  },
  PHP: () => (file) => run('php', [here('runner.php'), join(sdk, 'verifier/CallbackVerifier.php'), file]),
};

const expectedOf = ({ vectors }: VectorSet): [string, string[]][] =>
  vectors.map(({ name, expected, times = 1 }) => [
    name,
    [expected, ...Array.from({ length: times - 1 }, () => 'replayed')],
  ]);

/** With every change those that need no compiler: `own-application.test.ts` builds and starts a program of each of the others. */
const RUN_HERE = Object.entries(LANGUAGES).filter(([name]) => bySize(['Python', 'PHP'].includes(name), true));

describe.each(RUN_HERE)('%s', (_, prepare) => {
  it('makes of every vector what the JavaScript SDK makes of it', () => {
    const outcomesOf = prepare();
    for (const file of files) {
      const set = JSON.parse(readFileSync(file, 'utf8')) as VectorSet;
      const outcomes = JSON.parse(outcomesOf(file)) as string[][];
      expect(set.vectors.map(({ name }, i) => [name, outcomes[i]])).toEqual(expectedOf(set));
    }
  });
});

describe('C#', () => {
  // Debian has no .NET: `csharp.test.ts` compiles the file, and its README says that the vectors are not run.
  it('is not run here, and knows every refusal that the vectors ask for', () => {
    const text = readFileSync(join(sdk, 'verifier/CallbackVerifier.cs'), 'utf8');
    const codes = new Set(vectorSet(true).vectors.map(({ expected }) => expected));
    codes.delete('ok');
    expect([...codes, 'replayed'].filter((code) => !text.includes(`"${code}"`))).toEqual([]);
    expect(readFileSync(join(sdk, 'verifier/README.md'), 'utf8')).toContain('the vectors are not run');
  });
});
