import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PART, PLANTED_LINT } from './planted-lint.ts';
import { ROOT } from './repository.ts';

/** Content of biome.json, as far as it is read here. */
interface Config {
  linter: { rules: Record<string, boolean | Record<string, unknown>> };
}
interface Report {
  diagnostics: { category: string; severity: string; location: { path: string | { file: string } } }[];
}

const config: Config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'carillon-lint-'));
const nameOf = (rule: string, state: string) => `${rule.replaceAll('/', '-').toLowerCase()}-${state}.ts`;
let found = new Set<string>();

/** Rules move between groups from one Biome to the next and then fall silent: each is shown a violation. */
beforeAll(async () => {
  const plant = (name: string, text: string) => writeFileSync(join(folder, name), `${text}\n`);
  plant('biome.json', JSON.stringify({ ...config, $schema: undefined, vcs: undefined }));
  plant('package.json', readFileSync(join(ROOT, 'package.json'), 'utf8'));
  plant('part.ts', PART);
  for (const { rule, broken, sound } of PLANTED_LINT) {
    plant(nameOf(rule, 'broken'), broken);
    plant(nameOf(rule, 'sound'), sound);
  }
  const ring = `./${nameOf('lint/suspicious/noImportCycles', 'broken')}`;
  plant('ring.ts', `import { link } from '${ring}';\nexport const ring = (): number => link();`);
  const report = await lint();
  found = new Set(
    report.diagnostics.map(({ category, severity, location: { path } }) =>
      [severity, category, (typeof path === 'string' ? path : path.file).replace(/^.*\//, '')].join(' '),
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Biome ends with 1 when it finds something: what counts is its report. */
function lint(): Promise<Report> {
  const biome = join(ROOT, 'node_modules/.bin/biome');
  const args = ['lint', '.', '--reporter=json', '--max-diagnostics=none'];
  return new Promise((resolve, reject) => {
    execFile(biome, args, { cwd: folder, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (stdout.startsWith('{')) resolve(JSON.parse(stdout));
      else reject(new Error(`biome gave no report: ${stderr}`, { cause: error }));
    });
  });
}

describe('the linter', () => {
  it.each(PLANTED_LINT.map(({ rule }) => rule))('%s turns red and stays green', (rule) => {
    expect(found).toContain(`error ${rule} ${nameOf(rule, 'broken')}`);
    expect([...found].filter((line) => line.endsWith(nameOf(rule, 'sound')))).toEqual([]);
  });

  it('has a planted violation for every rule that biome.json turns on by name', () => {
    const named = Object.entries(config.linter.rules).flatMap(([group, rules]) =>
      Object.entries(typeof rules === 'object' ? rules : {})
        .filter(([, level]) => level !== 'off')
        .map(([rule]) => `lint/${group}/${rule}`),
    );
    expect(PLANTED_LINT.map(({ rule }) => rule).sort()).toEqual(named.sort());
  });
});
