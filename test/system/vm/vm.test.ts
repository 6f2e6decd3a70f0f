import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { done, run } from '../support/program.ts';
import { runVirtualMachine, type Step } from './virtual-machine.ts';

/** Behaviour that only a machine with a kernel of its own shows: `noexec` on /run, memory limits in force, where the library goes then. */
const release = inject('release');
const LAN = `carillon-vm-${process.pid}`;
const enter = ['ip', 'netns', 'exec', LAN];
/** Checks of the self-test that a real processor passes in time, and a translated one does not. */
const TIMED = ['rtp', 'dtmf', 'codecs', 'tts', 'fsync'];
/** API, ARC application, edge listener, broker. */
const PORTS = [8_080, 8_445, 8_444, 1_883];
const folder = mkdtempSync(join(tmpdir(), 'carillon-vm-cloud-'));
const said: Record<string, unknown>[] = [];
let cloud: ChildProcess | undefined;
let steps: ReadonlyMap<string, Step> = new Map();
let tookS = 0;

beforeAll(async () => {
  await done(['ip', 'netns', 'add', LAN]);
  await done([...enter, 'ip', 'link', 'set', 'lo', 'up']);
  const [program = '', ...words] = [
    ...enter,
    process.execPath,
    'test/system/support/control-plane.ts',
    folder,
  ];
  cloud = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: cloud.stdout ?? process.stdin });
  const ready = new Promise<Record<string, string>>((resolve, reject) => {
    lines.on('line', (line) => {
      if (!line.startsWith('{')) return;
      const message = JSON.parse(line) as Record<string, string>;
      said.push(message);
      if (line.includes('"ready":true')) resolve(message);
    });
    lines.once('close', () => reject(new Error('the control plane ended')));
  });
  const { claimCode, ca = '', domain } = await ready;
  const begun = performance.now();
  steps = await runVirtualMachine({
    files: {
      '/root/carillon.deb': { from: release.debianFile },
      '/root/trust.pem': { from: ca },
      '/root/inside.sh': { from: join(import.meta.dirname, 'inside.sh') },
      '/root/words.sh': { text: `CLAIM=${claimCode}\nDOMAIN=${domain}\n` },
    },
    ports: PORTS,
    enter,
    withinMs: 1_500_000,
  });
  tookS = (performance.now() - begun) / 1_000;
});
afterAll(async () => {
  cloud?.kill();
  await run(['ip', 'netns', 'delete', LAN]);
  rmSync(folder, { recursive: true, force: true });
});

/** Output of a step; it must have succeeded. */
function step(name: string): Step {
  const found = steps.get(name);
  expect(found?.code, `${name}: ${found?.out ?? 'was not reached'}`).toBe(0);
  return found as Step;
}

/** How long the last start took until READY, s, by systemd's own clock. */
function readyS(out: string): number {
  const at = (name: string): number => Number(new RegExp(`${name}=(\\d+)`).exec(out)?.[1]);
  return (at('ActiveEnterTimestampMonotonic') - at('InactiveExitTimestampMonotonic')) / 1e6;
}

describe('the .deb on a Debian 12 with a kernel of its own', () => {
  test('finds what no container has: cgroup v2, and /run from which nothing can be run', () => {
    expect(step('kernel').out).toContain('cgroup2fs');
    expect(step('mounts').out).toMatch(/ \/run tmpfs \S*\bnoexec\b/);
  });

  test('is installed, READY, and is held to its memory', () => {
    step('install');
    const seconds = readyS(step('ready').out);
    const [current = '', high, max, tasks, anon = ''] = step('memory').out.split('\n');
    expect([high, max, tasks]).toEqual([String(384 * 1_048_576), String(512 * 1_048_576), '256']);
    // Without the pages of its own file, which the kernel takes back when it needs them.
    expect(Number(anon)).toBeLessThan(150 * 1_048_576);
    process.stdout.write(
      `READY after ${seconds.toFixed(1)} s, ${Math.round(Number(anon) / 1_048_576)} MB, with its file ${Math.round(Number(current) / 1_048_576)} MB\n`,
    );
  });

  test('takes an alarm to the application, and passes its self-test', () => {
    step('configure');
    expect(step('enrol').out).toMatch(/Enrolled as \S+ of site demo/);
    step('alarm');
    expect(
      said.filter(({ alarm, verified }) => alarm === '/newAlarmbridgeEvent' && verified === true),
    ).not.toEqual([]);
    const points = (steps.get('selftest')?.out ?? '')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { point?: string; verdict?: string });
    const judged = points.filter(({ point }) => point !== undefined && !TIMED.includes(point));
    expect(judged.map(({ point }) => point)).toEqual(
      expect.arrayContaining(['sip', 'call', 'mqtt', 'alarm', 'ports']),
    );
    expect(judged.filter(({ verdict }) => verdict === 'failure')).toEqual([]);
  });

  test('unpacks its library where it may run, and in the next place when the first is shut', () => {
    expect(step('addon').out).toMatch(/^\/var\/cache\/carillon\//m);
    const next = step('next-place').out;
    expect(next).toMatch(/^\/\S+/m);
    expect(next).not.toMatch(/\/var\/cache\/carillon|\/run\//);
  });

  test('is ended by the kernel when it takes more than it may, comes back, and takes alarms', () => {
    const back = step('killed');
    expect(back.out).toMatch(/NRestarts=[1-9]/);
    const limit = step('limit');
    expect(limit.out).toContain("Failed with result 'oom-kill'");
    expect(limit.out.trim().split('\n').at(-1)).toBe(String(512 * 1_048_576));
    step('alarm-after');
    process.stdout.write(
      `whole run ${Math.round(tookS)} s; kill -9 until active ${(back.untilS - back.fromS).toFixed(1)} s; alarm ${(step('alarm-after').untilS - step('alarm-after').fromS).toFixed(1)} s\n`,
    );
  });
});
