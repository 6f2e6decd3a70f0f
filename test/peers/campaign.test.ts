import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mustBreak, seeded } from '#test/campaign/campaign.ts';
import { tooGood } from '#test/campaign/loss.ts';
import { judgeSending } from '#test/campaign/sending-history.ts';

const PROGRAM = resolve(import.meta.dirname, '../campaign/run.ts');
const SEED = '4711';

/** The campaigns in the size of one change, as a person would call them. The table stands in the output. */
test.each(['kill9', 'powercut', 'loss', 'wan'])('campaign %s keeps every promise', async (name) => {
  const { code, output } = await run(name, '--seed', SEED);
  process.stdout.write(output);
  expect(code, output).toBe(0);
  expect(output).toContain(`${name}: every promise kept`);
});

test('a campaign nobody knows is refused, with the names of those there are', async () => {
  const { code, output } = await run('earthquake');
  expect(code).toBe(64);
  expect(output).toMatch(/there is no campaign earthquake[\s\S]*kill9[\s\S]*powercut[\s\S]*loss[\s\S]*wan/);
});

test('a mutant that stays green turns its campaign red, one that breaks does not', () => {
  const mutant = (lost: number) =>
    mustBreak({ name: 'mutant', figures: { lost }, violations: [`${lost} lost`] }, 'lost');
  expect(mutant(0).violations).toEqual(['"lost" stayed 0: this campaign sees nothing']);
  expect(mutant(3).violations).toEqual([]);
});

test('a planted fault in what was sent turns the judgement red', () => {
  const taken = new Map([['4711', 'session 1']]);
  const heard = [{ controllerId: '4711', name: 'ref 1' }];
  const told = [{ outcome: 'alarmSent', sessionId: 'session 1', key: 'id 1' }];
  const judged = (fault: object) => judgeSending({ taken, heard, told, ...fault }).violations.join();
  expect(judged({})).toBe('');
  expect(judged({ heard: [...heard, ...heard] })).toBe('');
  expect(judged({ heard: [] })).toContain('never at the receiver');
  expect(judged({ heard: [...heard, { controllerId: '4711', name: 'ref 2' }] })).toContain('two events');
  expect(judged({ heard: [0, 1].map(() => ({ controllerId: '4711', name: undefined })) })).toContain(
    'two events',
  );
  expect(judged({ told: [] })).toContain('nothing told');
  expect(judged({ told: [...told, { ...told[0], key: 'id 2' }] })).toContain('different ids');
});

test('a link that lost, doubled or delayed too little is no bad link', () => {
  const bad = { arrived: 1000, lost: 100, doubled: 100, delayed: 100 };
  expect(tooGood('site', bad)).toEqual([]);
  for (const what of ['lost', 'doubled', 'delayed'] as const) {
    expect(tooGood('site', { ...bad, [what]: 9 })).toEqual([
      expect.stringContaining('the link of the site was not bad'),
    ]);
  }
  expect(tooGood('site', { arrived: 0, lost: 0, doubled: 0, delayed: 0 })).toHaveLength(1);
});

test('the same seed gives the same faults, another one others', () => {
  const draws = (seed: number) => Array.from({ length: 50 }, seeded(seed));
  expect(draws(1)).toEqual(draws(1));
  expect(draws(1)).not.toEqual(draws(2));
  for (const draw of draws(7)) expect(draw).toBeGreaterThanOrEqual(0);
  expect(new Set(draws(7)).size).toBe(50);
});

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, output };
}
