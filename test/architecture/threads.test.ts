import { describe, expect, it } from 'vitest';
import { repositorySources } from './repository.ts';
import { lines, source } from './source.ts';
import { heavyThreads, packagesLoadedBy, THREAD_PACKAGES, threadPrograms } from './thread-rule.ts';

const repository = new Map(
  repositorySources()
    .filter(({ path }) => !path.startsWith('test/'))
    .map((each) => [each.path, each]),
);
const planted = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, source(path, text)]));

describe('worker threads', () => {
  it('load the packages of their row and no other', () => {
    expect(lines(heavyThreads(repository))).toEqual([]);
  });

  it('all have a row, and no row has lost its thread or names a package that is not loaded', () => {
    expect(Object.keys(THREAD_PACKAGES).sort()).toEqual(threadPrograms(repository));
    for (const [program, packages] of Object.entries(THREAD_PACKAGES)) {
      const loaded = packagesLoadedBy(program, repository).map(({ name }) => name);
      expect({ program, packages: loaded.sort() }).toEqual({ program, packages });
    }
  });
});

describe('the rule turns red when', () => {
  const thread = (text: string, more: Readonly<Record<string, string>> = {}) =>
    planted({
      'a/start.ts': `new Worker(new URL('./a-worker.ts', import.meta.url), {});`,
      'a/a-worker.ts': text,
      ...more,
    });
  const ROWS = { 'a/a-worker.ts': ['ws'] };
  const judged = (text: string, more?: Readonly<Record<string, string>>) =>
    lines(heavyThreads(thread(text, more), ROWS));

  it.each([
    `import cron from 'node-cron';`,
    `import 'node-cron';`,
    `import { type Task } from 'node-cron';`,
    `import type, { a } from 'node-cron';`,
    `export * from 'node-cron';`,
    `export { a } from 'node-cron';`,
  ])('a thread holds %s', (text) => {
    expect(judged(text)).toEqual(['a/a-worker.ts:1 loads node-cron by a/a-worker.ts']);
  });

  it('a thread holds an experimental module of Node', () => {
    expect(judged(`import { WASI } from 'node:wasi';`)).toEqual([
      'a/a-worker.ts:1 loads node:wasi by a/a-worker.ts',
    ]);
  });

  it('a package comes with an interface that the thread uses for something else', () => {
    const more = {
      'b/index.ts': `export { light } from './light.ts';\nexport { heavy } from './heavy.ts';`,
      'b/light.ts': `export const light = 1;`,
      'b/heavy.ts': `import cron from 'node-cron'; export const heavy = cron;`,
    };
    expect(judged(`import { light } from '../b/index.ts';`, more)).toEqual([
      'a/a-worker.ts:1 loads node-cron by a/a-worker.ts > b/index.ts > b/heavy.ts',
    ]);
  });

  it('a thread has no row', () => {
    expect(lines(heavyThreads(thread(''), {}))).toEqual([
      'a/a-worker.ts:1 is a thread without a row in THREAD_PACKAGES',
    ]);
  });

  it.each([
    `import { WebSocket } from 'ws';`,
    `import type { Task } from 'node-cron';`,
    `export type { Task } from 'node-cron';`,
    `const load = () => import('node-cron');`,
    `import { readFileSync } from 'node:fs';`,
  ])('and stays green when it holds %s', (text) => {
    expect(judged(text)).toEqual([]);
  });
});
