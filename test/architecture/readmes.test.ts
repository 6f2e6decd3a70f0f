import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootCommand } from '#installer/command/root.ts';
import type { Programs } from '#installer/program.ts';
import { staleNames, unknownCommands } from './readme-rule.ts';
import { ROOT, repositoryTexts } from './repository.ts';
import { lines } from './source.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const manifest: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const root = await rootCommand({} as Programs, {});

describe('a name in a README', () => {
  it('is there, as far as it is a source', () => {
    expect(lines(staleNames(repositoryTexts()))).toEqual([]);
  });

  it('turns red when a file was renamed, in its folder or in another', () => {
    const code = { path: 'appliance/call/leg.ts', text: '' };
    const readme = (text: string) => [code, { path: 'appliance/call/README.md', text }];
    expect(staleNames(readme('`leg.ts`, `call/leg.ts`, `appliance/call/leg.ts` and `*.ts`'))).toEqual([]);
    expect(lines(staleNames(readme('one\n`limb.ts`')))).toEqual([
      'appliance/call/README.md:2 names limb.ts, which is nowhere',
    ]);
    expect(staleNames(readme('`media/leg.ts`'))).toHaveLength(1);
  });

  it.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/spec/media.md'])(
    'turns red in %s too',
    (path) => {
      expect(staleNames([{ path, text: 'one\n`appliance/call/leg.ts`' }])).toHaveLength(1);
    },
  );
});

describe('commands in README.md', () => {
  it('are scripts that package.json has', () => {
    const named = [...README.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
      ([, run, own]) => run ?? own,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => name === undefined || !(name in manifest.scripts))).toEqual([]);
  });

  it('are commands that there are, with flags that they take', () => {
    expect(unknownCommands(README, root)).toEqual([]);
    const typed = README.split('\n').filter((line) => line.startsWith('npx carillon'));
    expect(typed.length).toBeGreaterThan(9);
  });

  it('and so do the READMEs of folders and the documents', () => {
    const isText = /\/README\.md$|^[A-Z]+\.md$|^docs\/(?!decisions)/;
    const readmes = repositoryTexts().filter(({ path }) => isText.test(path));
    expect(readmes.length).toBeGreaterThan(50);
    const unknown = readmes.flatMap(({ path, text }) =>
      unknownCommands(text, root).map((fault) => `${path}: ${fault}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ['npx carillon simulate scape --count 10     ten alarms', ': no such command'],
    ['sudo carillon instal', ': no such command'],
    ['`carillon network` says what `carillon network sho` says', ': no such command'],
    ['by `carillon simulate scaip --often`', ': takes no --often'],
    ['carillon simulate scaip --count 10; carillon simulate', undefined],
    ['`carillon simulate scaip --help`', undefined],
    ['`carillon appliance --dc09 127.0.0.1:6060`', undefined],
    ['`carillon appliance --dc10 127.0.0.1:6060`', ': takes no --dc10'],
    ['carillon config show                   every setting --of it', undefined],
  ])('%s', (text, fault) => {
    const found = unknownCommands(text, root);
    expect(found).toHaveLength(fault === undefined ? 0 : 1);
    expect(found[0]?.endsWith(fault ?? '')).not.toBe(false);
  });
});
