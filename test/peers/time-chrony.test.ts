import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chronyText, directives } from '#installer/plan/index.ts';
import { ownNamespace } from '#test/campaign/command.ts';
import { runProgram } from './support/program.ts';
import type { TimeStory } from './support/time-site.ts';

/** Control plane 8: peers serve each other. chronyd of Debian reads what `carillon configure` writes for it. */
const folder = mkdtempSync(join(tmpdir(), 'time-chrony-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('two hosts of a site', () => {
  let story: TimeStory;

  beforeAll(async () => {
    const program = resolve(import.meta.dirname, 'support/time-site.ts');
    const [unshare, network] = ownNamespace('network');
    const child = spawn(unshare, [network, process.execPath, program, folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complained]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (bytes: Buffer) => said.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => complained.push(bytes));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) {
      const logs = ['one', 'two', 'outside'].map((name) => `${name}: ${last(join(folder, `${name}.log`))}`);
      throw new Error([Buffer.concat(complained).toString(), ...logs].join('\n'));
    }
    story = JSON.parse(Buffer.concat(said).toString().trim().split('\n').at(-1) ?? '') as TimeStory;
    for (const { what, tookMs } of story.agreed)
      process.stdout.write(`${what}: the hosts agree after ${tookMs} ms\n`);
  }, 480_000);

  test('keep one time together while no server answers, and do not take it for that of outside', () => {
    // Chosen by their addresses, and not by who was there first.
    expect(seen('no server answers').follows).toEqual({
      one: { server: undefined, stratum: 10, synchronised: true, outside: false },
      two: { server: '10.98.0.11', stratum: 11, synchronised: true, outside: false },
    });
  });

  test.each([
    // Its time is another one than that which the hosts have kept.
    'a server comes back',
    'both begin while a server answers',
  ])('%s: both follow it', (what) => {
    const server = { server: '10.98.0.1', stratum: 4, synchronised: true, outside: true };
    expect(seen(what).follows).toEqual({ one: server, two: server });
  });

  test('give the time to each other and to no other machine', () => {
    expect(story.strangerServed).toBe(false);
  });

  const seen = (what: string) => {
    const found = story.agreed.find((each) => each.what === what);
    if (found === undefined) throw new Error(`nobody looked at: ${what}`);
    return found;
  };
});

describe('chronyd', () => {
  const takes = async (lines: readonly string[]) => (await runProgram('chronyd', ['-p', ...lines])).code;

  test.each([
    ['names and IPv4', { servers: ['ntp.example', '192.0.2.1'], gateways: [], peers: ['192.0.2.12'] }],
    ['IPv6', { servers: [], gateways: ['fe80::1%eth0'], peers: ['2001:db8::12', '2001:db8::13'] }],
  ])('takes the lines for %s', async (_, place) => {
    const lines = directives(chronyText(place));
    expect(lines.length).toBeGreaterThan(2);
    expect(await takes(lines)).toBe(0);
  });

  test('says of a line that it does not know it, which is why it is asked first', async () => {
    expect(await takes(['server 192.0.2.1 iburst', 'orphan yes'])).not.toBe(0);
  });
});

function last(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n  ');
  } catch {
    return '';
  }
}
