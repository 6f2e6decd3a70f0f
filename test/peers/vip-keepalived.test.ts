import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownNamespace } from '#test/campaign/command.ts';
import type { Seen } from './support/vip-site.ts';

/** Control plane 9 and 13: failover of alarm reception with the shared address. */
const MOST_SILENT_MS = 5_000;
/** An address that stays does not answer late. */
const STAYS_MS = 1_500;

const folder = mkdtempSync(join(tmpdir(), 'vip-keepalived-'));
let story: readonly Seen[] = [];

beforeAll(async () => {
  const program = resolve(import.meta.dirname, 'support/vip-site.ts');
  const [unshare, network] = ownNamespace('network');
  const child = spawn(unshare, [network, process.execPath, program, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, complained]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => complained.push(bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    const logs = ['one', 'two'].map((name) => `${name}: ${last(join(folder, `${name}.log`))}`);
    throw new Error([Buffer.concat(complained).toString(), ...logs].join('\n'));
  }
  story = JSON.parse(Buffer.concat(said).toString().trim().split('\n').at(-1) ?? '[]') as Seen[];
  for (const { what, silentMs } of story)
    process.stdout.write(`${what}: silent for at most ${silentMs} ms\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['both begin at once', 'one', Number.POSITIVE_INFINITY],
  ['the active appliance is killed', 'two', MOST_SILENT_MS],
  // The host that has the address keeps it: nopreempt.
  ['it comes back', 'two', STAYS_MS],
  ['the active host is cut off', 'one', MOST_SILENT_MS],
  ['it is joined again', 'one', STAYS_MS],
  // The address stays; what is silent are the appliances.
  ['both appliances hang for six seconds', 'one', Number.POSITIVE_INFINITY],
] as const)('%s: the address is at %s, and at one host only', (what, at, mostMs) => {
  const seen = story.find((each) => each.what === what);
  expect(seen).toMatchObject({ answers: at, holders: [at] });
  expect(seen?.silentMs).toBeLessThanOrEqual(mostMs);
});

test('the address was really away for a while when a host died', () => {
  for (const what of ['the active appliance is killed', 'the active host is cut off'])
    expect(story.find((each) => each.what === what)?.silentMs).toBeGreaterThan(500);
});

function last(file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n  ');
  } catch {
    return '';
  }
}
