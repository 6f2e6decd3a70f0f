import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operationsOf } from '#installer/build/openapi.ts';
import { rootCommand } from '#installer/command/root.ts';
import { type ApiDocuments, apiDocuments } from '#installer/documentation/api-document.ts';
import type { Page, Section } from '#installer/documentation/page.ts';
import { listForPrograms, markdownOf, siteFaults, siteOf } from '#installer/documentation/site.ts';
import { unknownCommands } from '#test/architecture/readme-rule.ts';
import { ROOT } from '#test/architecture/repository.ts';
import { commandsIn, fencesIn, NAMED, WRITTEN, writtenFences } from './fence.ts';

const root = await rootCommand({} as never, {});
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
let documents: ApiDocuments;
let sections: readonly Section[];
let pages: readonly Page[];

beforeAll(async () => {
  documents = await apiDocuments();
  sections = siteOf(ROOT, documents, root);
  pages = sections.flatMap((section) => section.pages);
}, 120_000);

describe('the site', () => {
  it('has every part, in the order in which people read', () => {
    expect(sections.map(({ label }) => label)).toEqual([
      ...['Start', 'Concepts', 'Guides', 'Recipes', 'Protocols', 'Callbacks', 'Reference', 'API', 'About'],
      'Rules in full',
    ]);
  });

  it('has no dead link and no address twice, and shows both', () => {
    expect(siteFaults(sections)).toEqual([]);
    const page = (address: string, body: string): Page => ({ address, title: 'x', summary: 'x', body });
    expect(
      siteFaults([{ label: 'x', pages: [page('a', '[b](/docs/b) [a](/docs/a#x)'), page('a', '')] }]),
    ).toHaveLength(2);
  });

  it('shows every page that lies in its folders', () => {
    expect(WRITTEN.filter((page) => page !== 'docs/README.md' && !NAMED.has(page))).toEqual([]);
  });

  it('has a page for every callback, every subject of the API and every command', () => {
    const addresses = new Set(pages.map(({ address }) => address));
    expect(Object.keys(documents.openApi.webhooks ?? {}).length).toBeGreaterThan(25);
    expect(pages.filter(({ address }) => address.startsWith('callbacks/')).length).toBeGreaterThan(30);
    for (const each of ['protocols/scaip', 'callbacks/new-alarmbridge-event', 'callbacks/verify-csharp'])
      expect(addresses).toContain(each);
    const api = pages.filter(({ address }) => address.startsWith('reference/api'));
    const all = api.map(({ body }) => body).join('\n');
    expect(
      operationsOf(documents.openApi)
        .map(({ method, path }) => `${method} ${path}`)
        .filter((each) => !all.includes(`\`${each}\``)),
    ).toEqual([]);
  });

  it('makes no value up and shows none that is missing', () => {
    const faulty = pages.filter(
      ({ body, summary }) => /\[object Object\]|^\|.*\| (?:undefined|NaN) \|/m.test(body) || summary === '',
    );
    expect(faulty.map(({ address }) => address)).toEqual([]);
  });

  it('lists every page for programs, by its address as Markdown', () => {
    const list = listForPrograms(sections);
    expect(list.match(/^- \[/gm)).toHaveLength(pages.length);
    expect(list).toContain('(/docs/start/first-alarm.md)');
    const [first] = pages;
    expect(first && markdownOf(first)).toMatch(/^# Carillon\n/);
  });

  it('names only commands and flags that there are', () => {
    expect(
      pages.flatMap(({ address, body }) => unknownCommands(body, root).map((each) => `${address}: ${each}`)),
    ).toEqual([]);
  });
});

describe('fenced blocks', () => {
  it('are in a language that is known', () => {
    const known = ['sh', 'json', 'text', 'ts', 'xml', 'toml', 'yaml'];
    expect(writtenFences().filter(({ language }) => !known.includes(language))).toEqual([]);
  });

  /** Programs of others that a page may name. */
  const OTHERS =
    /^(?:(?:sudo )?(?:apt-get install |\.\/carillon-\d+\.\d+\.\d+-x64\.run|minisign -Vm)\b|export [A-Z ]+$|npm install CHECKOUT\/|[A-Z]+=[\w:/.]+$)/;
  /** `test/peers/sdk/own-application.test.ts` runs them as they stand, and says which one it cannot run. */
  const LANGUAGES = ['Python', 'Go', 'Java', 'PHP', 'C#'];
  const PATHS = /"\$API(\/[^"?]*)/;

  function faultOf(command: string): string | undefined {
    if (OTHERS.test(command)) return undefined;
    const [, script] = /^(?:CARILLON_[A-Z]+=\S+ )?npm (?:run )?([\w:-]+)/.exec(command) ?? [];
    if (script !== undefined) return script in scripts ? undefined : `${command}: no such script`;
    if (/^(?:sudo )?(?:npx )?carillon /.test(command))
      return unknownCommands(`${command.replace(/ (?:"[^"]*"|'[^']*')/g, ' x')}   `, root)[0];
    if (command.startsWith('curl ')) return pathFault(command);
    return /^[A-Z]+=\$\(node -p /.test(command) ? undefined : `${command}: not known`;
  }

  function pathFault(command: string): string | undefined {
    const path = PATHS.exec(command)?.[1] ?? '';
    const method = / -X (\w+)/.exec(command)?.[1] ?? 'GET';
    const parts = path.split('/');
    const isThere = operationsOf(documents.openApi).some(
      (each) =>
        each.method === method &&
        each.path.split('/').length === parts.length &&
        each.path.split('/').every((part, at) => part.startsWith('{') || part === parts[at]),
    );
    return isThere ? undefined : `${method} ${path}: no such operation`;
  }

  it('name commands, scripts and operations that there are, in shell', () => {
    const shell = writtenFences().filter(
      ({ language, words: [word = ''] }) => language === 'sh' && !LANGUAGES.includes(word),
    );
    expect(shell.length).toBeGreaterThan(50);
    expect(
      shell.flatMap((fence) =>
        commandsIn(fence)
          .flatMap((each) => faultOf(each) ?? [])
          .map((each) => `${fence.page}: ${each}`),
      ),
    ).toEqual([]);
  });

  it.each([
    'npm run nothing',
    'npx carillon simulate smoke',
    'carillon host list --colour',
    'curl -s "$API/nothing"',
    'rm -r /',
  ])('%s turns red', (command) => expect(faultOf(command)).toBeTypeOf('string'));

  it('name the schema that they conform to in JSON, and do', () => {
    const samples = writtenFences().filter(({ language }) => language === 'json');
    expect(samples.length).toBeGreaterThan(1);
    for (const { page, words, text } of samples) {
      const [, name = ''] = /schema=(\w+)/.exec(words.join(' ')) ?? [];
      expect([page, Object.keys(documents.openApi.components.schemas).includes(name)]).toEqual([page, true]);
      const schema = JSON.parse(
        JSON.stringify({ $ref: `#/$defs/${name}`, $defs: documents.openApi.components.schemas }).replaceAll(
          '#/components/schemas/',
          '#/$defs/',
        ),
      ) as never;
      expect([page, z.fromJSONSchema(schema).safeParse(JSON.parse(text)).error]).toEqual([page, undefined]);
    }
  });

  it('can be read as JSON on generated pages', () => {
    const samples = pages
      .flatMap(({ address, body }) => fencesIn(address, body))
      .filter(({ language }) => language === 'json');
    expect(samples.length).toBeGreaterThan(200);
    for (const { page, text } of samples) expect(() => JSON.parse(text) as unknown, page).not.toThrow();
  });
});
