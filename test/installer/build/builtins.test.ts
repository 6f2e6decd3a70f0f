import { expect, it } from 'vitest';
import { repositorySources } from '#test/architecture/repository.ts';

const DEFAULT_IMPORT = /^import (?!type\b|\*)[\w$]+(?:, \{[^}]*\})? from 'node:/m;
const PROGRAMS = /^(?:appliance|cloud(?!\/console)|shared|installer(?!\/build))\//;

// A default import of a built-in module is undefined in the bundled program.
it('no program imports the default of a built-in module', () => {
  expect("import fs from 'node:fs';").toMatch(DEFAULT_IMPORT);
  expect("import fs, { statSync } from 'node:fs';").toMatch(DEFAULT_IMPORT);
  expect("import * as fs from 'node:fs';").not.toMatch(DEFAULT_IMPORT);
  const programs = repositorySources().filter(({ path }) => PROGRAMS.test(path));
  expect(programs.length).toBeGreaterThan(900);
  expect(programs.filter(({ text }) => DEFAULT_IMPORT.test(text)).map(({ path }) => path)).toEqual([]);
});
