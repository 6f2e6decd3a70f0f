import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rootCommand } from '#installer/command/root.ts';
import { completionScript } from '#installer/command/shell/completion.ts';
import type { Programs } from '#installer/program.ts';
import { slowness } from '#test/support/vitest/processor-speed.ts';

const root = await rootCommand({} as Programs, {});
const START = resolve(import.meta.dirname, '../../../installer/bin.ts');
const folder = mkdtempSync(join(tmpdir(), 'carillon-shell-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Words that bash completes behind these. */
function completed(...words: string[]): string[] {
  const script = `${completionScript(root, 'bash')}
COMP_WORDS=(carillon ${words.map((word) => `"${word}"`).join(' ')})
COMP_CWORD=${words.length}
_carillon
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
}

it('bash completes groups, commands, choices and flags', () => {
  expect(completed('rec')).toEqual(expect.arrayContaining(['receiver', 'recording', 'record']));
  expect(completed('receiver', '')).toEqual(['list', 'show', 'create', 'edit', 'remove', 'try', '--help']);
  expect(completed('receiver', '--json', 'create', 'care.example', '--fr')).toEqual(['--from']);
  expect(completed('explain', 'no')).toEqual(['nowip', 'nowipcontroller']);
  expect(completed('simulate', 'scaip', '--tal')).toEqual(['--talk']);
});

it('zsh and fish get a script with every command', () => {
  expect(completionScript(root, 'zsh')).toMatch(/^#compdef carillon\n/);
  const fish = completionScript(root, 'fish');
  expect(fish).toContain("complete -c carillon -n '__carillon_at 1 receiver' -f -a 'create'");
  expect(fish).toContain('-l talk');
  expect(fish.match(/^complete -c carillon /gm)?.length).toBeGreaterThan(500);
});

it('the older name of incident still leads to its commands', () => {
  const incident = root.commands.find((command) => command.name() === 'incident');
  expect(incident?.aliases()).toEqual(['alarm']);
  expect(incident?.commands.map((command) => command.name())).toContain('ack');
});

const CPU = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)/1000)})`;

/** Processor time of one start, ms. */
function start(...words: string[]): { readonly ms: number; readonly out: string } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', CPU, START, ...words], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: folder, NODE_COMPILE_CACHE: undefined },
  });
  return { ms: Number(/cpu ([\d.]+)/.exec(stderr)?.[1]), out: stdout };
}

it('a start takes at most 0.4 s of the processor, once what was compiled is kept', () => {
  const first = start('--version');
  expect(first.out).toMatch(/^carillon \d+\.\d+\.\d+\n$/);
  // The best of some: other programs on the machine make every one of them slower.
  const again = Array.from({ length: 5 }, () => start('--version').ms);
  expect(Math.min(...again)).toBeLessThanOrEqual(400 * slowness());
  expect(Math.min(...again)).toBeLessThan(first.ms);
}, 120_000);
