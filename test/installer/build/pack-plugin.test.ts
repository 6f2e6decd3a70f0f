import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { awaitable, type Found, settled } from '#installer/build/pack-plugin.ts';

const ROOT = join(import.meta.dirname, '../../..');
const nothing = (): Found => ({ workers: new Set(), parts: new Set(), files: new Set() });

describe('a module in the binary', () => {
  it('names its thread by the place in the archive', () => {
    const found = nothing();
    const text = `new Worker(new URL('./x-worker.ts', import.meta.url), {})`;
    expect(settled(text, 'appliance/io/x/x.ts', ROOT, found)).toBe(
      `new Worker(new URL("file:///$carillon/appliance/io/x/x-worker.ts"), {})`,
    );
    expect([...found.workers]).toEqual(['appliance/io/x/x-worker.ts']);
    expect([...found.files]).toEqual([]);
  });

  it('names a file beside it, and a file of a package', () => {
    const found = nothing();
    const text = `new URL('../../package.json', import.meta.url); import.meta.resolve('zod/package.json')`;
    expect(settled(text, 'installer/io/release.ts', ROOT, found)).toBe(
      `new URL("file:///$carillon/package.json"); "file:///$carillon/node_modules/zod/package.json"`,
    );
    expect([...found.files]).toEqual(['package.json', 'node_modules/zod/package.json']);
  });

  it('keeps its folder and its own name', () => {
    const text = 'a(import.meta.dirname, import.meta.filename, import.meta.url)';
    expect(settled(text, 'cloud/io/a.ts', ROOT, nothing())).toBe(
      'a("/$carillon/cloud/io", "/$carillon/cloud/io/a.ts", "file:///$carillon/cloud/io/a.ts")',
    );
  });

  it.each(['import.meta.main', 'import.meta.resolve(name)', 'f(import.meta)'])('may not say %s', (text) => {
    expect(() => settled(text, 'cloud/io/a.ts', ROOT, nothing())).toThrow('no meaning in the binary');
  });
});

describe('the program of a thread', () => {
  it('awaits inside of a function, below its imports', () => {
    const text = `import { a } from 'a';\nimport type { B } from 'b';\nconst c: B = await a();\nfunction d() {}`;
    expect(awaitable(text, 'x-worker.ts').split('\n')).toEqual([
      `import { a } from 'a';`,
      `import type { B } from 'b';`,
      'void (async () => {',
      'const c: B = await a();',
      'function d() {}',
      '})();',
    ]);
  });

  it('exports nothing', () => {
    expect(() => awaitable('export const a = 1;', 'x-worker.ts')).toThrow('must not export');
  });
});
