import { expect, it } from 'vitest';
import { repositorySources, repositoryTexts } from './repository.ts';

const paths = repositoryTexts().map(({ path }) => path);

it('lists what is ours, hidden files too, each once', () => {
  const ours = ['.ci/run', '.gitignore', 'package.json', 'shared/result.ts', 'test/architecture/README.md'];
  expect(paths).toEqual(expect.arrayContaining(ours));
  expect(new Set(paths).size).toBe(paths.length);
});

it('leaves out what is installed, built or running', () => {
  expect(paths.filter((path) => /(^|\/)(node_modules|dist|\.git|\.carillon)\//.test(path))).toEqual([]);
});

it('calls a source what Node runs', () => {
  const sources = repositorySources().map(({ path }) => path);
  expect(sources).toEqual(expect.arrayContaining(['shared/result.ts', 'installer/build/check.mjs']));
  expect(sources).not.toContain('test/architecture/README.md');
});
