import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#test/architecture/repository.ts';
import { commandsIn, writtenFences } from '#test/documentation/fence.ts';
import { openDemo, type RunningDemo } from './demo.ts';
import type { Started } from './started.ts';

/* The blocks of the documentation that say "run", one after the other as a reader types them. */
let demo: RunningDemo;
let application: Started;

beforeAll(async () => {
  demo = await openDemo();
  application = demo.example('first-alarm');
  await application.says(/takes callbacks/);
}, 300_000);
afterAll(async () => {
  await application?.stop();
  await demo?.close();
});

const PROGRAM = `${process.execPath} ${join(ROOT, 'installer/bin.ts')}`;

/** A line as it is typed here: the program of this checkout, the ports of this demo, and a status that says of a refusal. */
const typed = (command: string): string =>
  command
    .replace(/^npx carillon simulate (\w+)/, `${PROGRAM} simulate $1 --to ${demo.ready.sip}`)
    .replace(/^npx carillon /, `${PROGRAM} `)
    .replace(/^curl -s /, 'curl -sS --fail-with-body ');

async function shell(command: string, cwd: string): Promise<{ code: number | null; text: string }> {
  const { api: API = '', token: TOKEN = '', domain: DOMAIN = '' } = demo.ready;
  const child = spawn('sh', ['-c', command], { cwd, env: { ...process.env, API, TOKEN, DOMAIN } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, text };
}

const fences = writtenFences().filter(({ language }) => language === 'sh');

describe.each(fences.filter(({ words }) => words.includes('run')))('$page', (fence) => {
  it.each(commandsIn(fence))(
    '%s',
    async (command) => {
      const { code, text } = await shell(typed(command), ROOT);
      expect(code, text).toBe(0);
      expect(text).not.toBe('');
    },
    120_000,
  );
});

it('the addresses that a page reads from the file of the demo are those of its ready line', async () => {
  const [setup] = fences.filter(({ words }) => words.includes('setup'));
  expect(setup).toBeDefined();
  const { code, text } = await shell(
    `${setup?.text.replaceAll('./.carillon', demo.folder)}\necho "$API $DOMAIN"`,
    demo.folder,
  );
  expect([code, text.trim()]).toEqual([0, `${demo.ready.api} ${demo.ready.domain}`]);
});

it('a block that is refused turns red', async () => {
  const { code, text } = await shell(typed('curl -s "$API/provisioning/device/$DOMAIN"'), ROOT);
  expect([code, text.includes('unauthorized')]).toEqual([22, true]);
});
