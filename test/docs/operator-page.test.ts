import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyCommand, nameOf, rootCommand } from '#installer/command/root.ts';
import type { Programs } from '#installer/program.ts';
import { settingTable } from '#shared/setting/index.ts';

/* Pages for people who plan, mount and run: each fact on them that the sources have too is compared with the sources. */

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const settings = Object.values(settingTable);

describe('docs/upgrade-notes.md', () => {
  it('has a part for every version of the changelog', () => {
    const versions = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\]/gm)].map(([, version]) => version);
    const parts = [...read('docs/upgrade-notes.md').matchAll(/^## (.+)$/gm)].map(([, part]) => part);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => !parts.includes(version))).toEqual([]);
  });

  it('has a part for the version of this release', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('docs/upgrade-notes.md')).toContain(`\n## ${version}\n`);
  });
});

describe('docs/sizing.md', () => {
  const rows = [...read('docs/sizing.md').matchAll(/^\| ([^|]+) \| ([\d,.]+) \| \S+ \| `([a-z-]+)` \|$/gm)];

  it('has figures', () => expect(rows.length).toBeGreaterThan(10));

  it.each(rows.map(([, what = '', figure = '', bench = '']) => [what, figure.replaceAll(',', ''), bench]))(
    '%s: %s is the limit that the benchmark %s enforces',
    (what, figure, bench) => {
      const source = read(`test/bench/${bench}.ts`).replaceAll('_', '');
      const limits = [
        ...source.matchAll(/gate: ([\d.]+)/g),
        ...source.matchAll(/const RETURNWITHINS = ([\d.]+)/g),
        // `alone(what, unit, ours, gate, ambition)`
        ...source.matchAll(/alone\([^;]*?,\s*([\d.]+),\s*[\d.]+,?\s*\)/g),
      ].map(([, limit]) => Number(limit));
      expect(limits, what).toContain(Number(figure));
    },
  );

  it('names disk, memory and profiles as the preflight and the installer have them', () => {
    const page = read('docs/sizing.md');
    const [optMb = '', stateMb = '', memoryMb = ''] = ['OPT_MB', 'STATE_MB', 'MEMORY_MB'].map(
      (name) => new RegExp(`${name} = ([\\d_]+);`).exec(read('installer/preflight/judge.ts'))?.[1],
    );
    const written = [optMb, stateMb, memoryMb].map(
      (mb) => `${Number(mb.replace('_', '')).toLocaleString('en')} MB`,
    );
    for (const mb of written) expect(page).toContain(mb);
    for (const { env, fallback } of settings.filter((each) =>
      ['CARILLON_RECORDS', 'CARILLON_CAPTURE'].includes(each.env),
    ))
      expect(page).toContain(`\`${env}\` (${fallback} MB)`);
  });
});

describe('docs/prepare-your-network.md', () => {
  const page = read('docs/prepare-your-network.md');
  const rows = page.split('\n').filter((line) => line.startsWith('|'));

  const ports = settings.flatMap(({ env, fallback }) => {
    const port = /^(?:[\d.]+:)?(\d{3,5}(?:-\d+)?)$/.exec(fallback ?? '')?.[1];
    return port === undefined || !/HTTP|EDGE|MQTT|SIP|DC09|QUEUE|RTP|PEER/.test(env)
      ? []
      : [[env, port] as const];
  });

  it('has rows to compare', () => expect(ports.length).toBeGreaterThan(8));

  it.each(ports)('%s has a row with port %s', (env, port) => {
    expect(rows.filter((row) => row.includes(`\`${env}\``) && row.includes(port))).not.toEqual([]);
  });

  it('names no setting that there is not', () => {
    const named = [...page.matchAll(/CARILLON_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !settings.some(({ env }) => env === name))).toEqual([]);
  });
});

describe('docs/guides/technician.md', () => {
  const [, table = ''] = read('docs/guides/technician.md').split('\n## Network\n');
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  const ports = settings.flatMap(({ env, fallback, programs }) => {
    const port = /^0\.0\.0\.0:(\d+)$/.exec(fallback ?? '')?.[1];
    return port !== undefined && programs.includes('appliance') ? [[env, port] as const] : [];
  });

  it('has ports to compare', () => expect(ports.length).toBeGreaterThan(6));

  it.each(ports)('%s: the table has a route to the host with port %s', (_, port) => {
    expect(
      rows.filter((row) => / \| host(?: of the same site)? \| /.test(row) && row.includes(port)),
    ).not.toEqual([]);
  });
});

describe('docs/about/limits.md', () => {
  const rows = read('docs/about/limits.md').split('\n');

  it.each([
    'CARILLON_MEDIA_LEGS',
    'CARILLON_INVITE_RATE',
    'CARILLON_UNKNOWN_UNIT_RATE',
    'CARILLON_RTP_PORTS',
    'CARILLON_RECORDS',
    'CARILLON_CAPTURE',
  ])('has the defaults of %s', (env) => {
    const fallback = settings.find((each) => each.env === env)?.fallback ?? '';
    const page = rows.join('\n').replaceAll(/(\d),(\d{3})/g, '$1$2');
    const figures = fallback.match(/\d+/g) ?? [];
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) expect(page).toMatch(new RegExp(`\\b${figure}\\b`));
    expect(rows.filter((row) => row.includes(`\`${env}\``))).not.toEqual([]);
  });
});

describe('the card of the technician', () => {
  const cards = globSync('docs/technician-card/*.html', { cwd: ROOT }).toSorted();
  const commandsOn = (card: string): string[] =>
    [...read(card).matchAll(/<code>(?:sudo )?carillon ([^<]*)<\/code>/g)].map(([, words]) => words ?? '');

  it('is there in three languages, with the same commands and parts', () => {
    expect(cards).toEqual(['de', 'en', 'sv'].map((language) => `docs/technician-card/${language}.html`));
    const [first, ...others] = cards.map(commandsOn);
    for (const other of others) expect(other).toEqual(first);
    expect(first?.length).toBeGreaterThan(10);
    const tags = cards.map((card) => [...read(card).matchAll(/<(\w+)/g)].map(([, tag]) => tag).join());
    expect(new Set(tags).size).toBe(1);
    for (const card of cards) expect(read(card)).toContain(`<html lang="${card.slice(-7, -5)}">`);
  });

  it('names commands that there are', async () => {
    const root = await rootCommand({} as Programs, {});
    const known = [...everyCommand(root)].map((command) => nameOf(command).replace('carillon ', ''));
    for (const words of commandsOn('docs/technician-card/en.html')) {
      const [first = '', second = ''] = words.split(' ');
      expect(known.includes(`${first} ${second}`) || known.includes(first), words).toBe(true);
    }
  });

  it('loads nothing from elsewhere', () => {
    for (const card of cards) expect(read(card)).not.toMatch(/(?:src|href)="(?!card\.css")/);
  });
});

describe('compose.yaml', () => {
  const [root, own] = [read('compose.yaml'), read('systemd/cloud/compose.yaml')];
  /** Names directly below a key of the first level. */
  const below = (text: string, key: string): string[] =>
    [...(text.split(`\n${key}:\n`)[1]?.split(/\n(?=\S)/)[0] ?? '').matchAll(/^ {2}([\w-]+):/gm)].map(
      ([, name]) => name ?? '',
    );

  it('extends the service of systemd/cloud, and has its volume', () => {
    expect(below(root, 'services')).toEqual(below(own, 'services'));
    expect(root).toContain('file: systemd/cloud/compose.yaml\n      service: cloud\n');
    expect(below(root, 'volumes')).toEqual(['carillon-cloud']);
    expect(below(own, 'volumes')).toEqual(['carillon-cloud']);
  });

  it('publishes the ports that its container listens on, and sets settings that there are', () => {
    const exposed = /^EXPOSE (.*)$/m.exec(read('systemd/cloud/Containerfile'))?.[1]?.split(' ');
    expect([...own.matchAll(/^ +- "(?:[\d.]+:)?\d+:(\d+)"$/gm)].map(([, port]) => port)).toEqual(exposed);
    for (const [, name] of own.matchAll(/^ +(CARILLON_\w+):/gm))
      expect(settings.map(({ env }) => env)).toContain(name);
  });
});
