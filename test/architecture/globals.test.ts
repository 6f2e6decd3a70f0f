import { describe, expect, it } from 'vitest';
import { FORBIDDEN_GLOBALS, FORBIDDEN_MEMBERS, forbiddenGlobals } from './global-rule.ts';
import { repositorySources } from './repository.ts';
import { lines, source } from './source.ts';

const CORE = 'appliance/alarm/session/step.ts';
const judged = (path: string, text: string) => lines(forbiddenGlobals(source(path, text)));

describe('clocks, timers, randomness, environment and network', () => {
  it('are used at the edge only', () => {
    expect(lines(repositorySources().flatMap(forbiddenGlobals))).toEqual([]);
  });

  it.each(Object.keys(FORBIDDEN_GLOBALS))('%s turns a core red', (name) => {
    expect(judged(CORE, `const a = ${name};`)).toHaveLength(1);
  });

  it.each(Object.keys(FORBIDDEN_MEMBERS))('%s turns a core red', (member) => {
    expect(judged(CORE, `const a = ${member}();`)).toHaveLength(1);
  });

  it.each([
    `const at = new Date();`,
    `const at = Date();`,
    `const at = Date['now']();`,
    `export const step = (now = Date.now) => now();`,
    `const later = { setTimeout };`,
    `const name = process.env.NAME;`,
    `performance.now();`,
    `const send = fetch as (url: string) => Promise<unknown>;`,
    `class Session { at = Date.now(); }`,
    `const { log } = console;`,
    `function a(fetch: () => void) { fetch(); } fetch('/');`,
    `{ const process = 1; use(process); } process.exit();`,
  ])('%s turns a core red', (text) => {
    expect(judged(CORE, text)).toHaveLength(1);
  });

  it.each([
    `const at = new Date(epochMs);`,
    `const at = Date.parse(text) + Date.UTC(2026, 1);`,
    `export const client = (fetch: typeof globalThis.fetch) => fetch('/');`,
    `export function client({ fetch, crypto = undefined }: Rim) { return fetch(crypto); }`,
    `import { process } from './process.ts'; process();`,
    `this.timer.setTimeout(5); const a = { console: 1, fetch() {} }; a.console;`,
    `interface Rim { fetch: (url: string) => void; process: string }`,
    `type Send = typeof fetch;`,
    `const bytes = Buffer.from(new URL('/', base).href); structuredClone(bytes);`,
    `// Date.now()\nconst text = 'process.env';`,
  ])('%s leaves a core green', (text) => {
    expect(judged(CORE, text)).toEqual([]);
  });

  it.each([
    'appliance/io/http/server.ts',
    'appliance/main.ts',
    'appliance/config.ts',
    'cloud/cli/login.ts',
    'cloud/io/keys/read.ts',
    'installer/command/demo.ts',
    'test/support/clock.ts',
  ])('%s stands at the edge', (path) => {
    expect(judged(path, 'setTimeout(() => console.log(Date.now()), process.uptime());')).toEqual([]);
  });

  it.each([
    'shared/id.ts',
    'cloud/http/site/route.ts',
    'appliance/engine/loop.ts',
    'appliance/simulator/swarm.ts',
  ])('%s does not', (path) => {
    expect(judged(path, 'setTimeout(() => console.log(Date.now()), process.uptime());')).toHaveLength(4);
  });
});
