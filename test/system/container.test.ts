import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { done, type Ran, run } from './support/program.ts';
import { rootFileSystem } from './support/root-file-system.ts';

/**
 * The container recipe without a container engine: its steps, in its order and as it says them, in the root file system that
 * its image has (a small Debian 12); systemd-nspawn stands for the engine.
 */
const release = inject('release');
const parent = mkdtempSync(join(tmpdir(), 'carillon-container-'));
const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(parent, name)) as [
  string,
  string,
  string,
];

interface Recipe {
  readonly steps: readonly { readonly word: string; readonly rest: string }[];
  readonly of: (word: string) => string;
}

/** Lines that are continued are one, and a recipe has no other syntax that matters here. */
function recipe(): Recipe {
  const lines = readFileSync('systemd/cloud/Containerfile', 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .split('\n');
  const steps = lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [word = '', ...rest] = line.split(' ');
      return { word, rest: rest.join(' ').trim() };
    });
  return { steps, of: (word) => steps.find((step) => step.word === word)?.rest ?? '' };
}

beforeAll(async () => {
  const lower = await rootFileSystem('bookworm');
  for (const folder of [upper, work, root]) mkdirSync(folder);
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  await done(['mount', '-t', 'overlay', 'overlay', '-o', layers, root]);
});
afterAll(async () => {
  if ((await run(['umount', root])).code === 0) rmSync(parent, { recursive: true, force: true });
});

/** A line of shell in the image, as its user or as root; `words` are flags of systemd-nspawn. */
function inside(line: string, words: readonly string[]): Promise<Ran> {
  const nspawn = [
    'systemd-nspawn',
    '--quiet',
    `--directory=${root}`,
    '--register=no',
    '--keep-unit',
    '--as-pid2',
  ];
  const machine = `--machine=${basename(parent)}`;
  return run([...nspawn, machine, '--console=pipe', ...words, '/bin/sh', '-c', line], { withinMs: 400_000 });
}

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

test('the container recipe makes a control plane that is well, and ends in order', {
  timeout: 500_000,
}, async () => {
  const { steps, of } = recipe();
  expect(of('FROM')).toBe('debian:bookworm-slim');
  const cpu = `--setenv=TARGETARCH=${process.arch === 'x64' ? 'amd64' : 'arm64'}`;
  for (const { word, rest } of steps) {
    if (word === 'COPY') {
      expect(rest).toBe('dist/carillon-linux-* /copied/');
      mkdirSync(join(root, 'copied'));
      copyFileSync(release.binary, join(root, 'copied', `carillon-linux-${process.arch}`));
    }
    if (word !== 'RUN') continue;
    const ran = await inside(rest, [cpu, '--resolv-conf=replace-host']);
    expect(ran.code, `${rest}: ${ran.err}${ran.out.slice(-1_000)}`).toBe(0);
  }
  const settings = of('ENV')
    .split(/\s+/)
    .map((pair) => `--setenv=${pair}`);
  const [entry, command] = [of('ENTRYPOINT'), of('CMD')].map((json) => JSON.parse(json) as string[]);
  const health = JSON.parse(of('HEALTHCHECK').replace(/^.*?CMD /, '')) as string[];
  const script = `${quoted([...(entry ?? []), ...(command ?? [])])} & cloud=$!
    tries=0
    until ${quoted(health)} >/dev/null 2>&1; do
      tries=$((tries + 1)); [ $tries -lt 240 ] || exit 1; kill -0 $cloud || exit 2; sleep 0.5
    done
    stat -c 'data %U %a' /data
    sleep 2
    kill $cloud; wait $cloud; echo "ended $?"`;
  const flags = ['--private-network', `--user=${of('USER')}`, `--chdir=${of('WORKDIR')}`, ...settings];
  const ran = await inside(script, flags);
  expect(ran.code, ran.err + ran.out).toBe(0);
  expect(ran.out).toMatch(/ready \{/);
  expect(ran.out).toMatch(/data carillon-cloud 700\s+(.*\s+)*ended 0/);
});
