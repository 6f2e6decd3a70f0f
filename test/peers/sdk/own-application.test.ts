import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '#test/architecture/repository.ts';
import { writtenFences } from '#test/documentation/fence.ts';
import { freePorts } from '#test/support/site-port.ts';
import { callOf, deliveryOf, senderTo, tenantKey } from '../../sdk/sender.ts';

/* The programs of `docs/start/own-application.md`, started by the lines that stand there, with the sender of the platform before them. */

const { entry, key } = tenantKey();
const cache = mkdtempSync(join(tmpdir(), 'carillon-own-application-'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  rmSync(cache, { recursive: true, force: true });
});

/** Starts the lines of a block, in a process group of their own, and waits until the program takes callbacks. */
async function start(lines: string): Promise<string> {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const child = spawn('sh', ['-c', lines.replace('127.0.0.1:3000', `127.0.0.1:${port}`)], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...{ KEY: key.publicKey, AUDIENCE: 'https://app.example', ISSUER: 'care.example', PORT: String(port) },
      ...{ GOPROXY: 'off', GOCACHE: cache, PYTHONDONTWRITEBYTECODE: '1' },
    },
  });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += String(bytes)));
  const begins = async (): Promise<string> => {
    for (;;) {
      if (/takes callbacks|Development Server .* started/.test(said)) return `http://127.0.0.1:${port}`;
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    }
  };
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}: ${said}`);
  });
  return await Promise.race([begins(), ended]);
}

const senderOf = (base: string, entries = [entry]) =>
  senderTo(
    async (request) =>
      fetch(`${base}${new URL(request.url).pathname}`, {
        method: 'POST',
        headers: request.headers,
        body: await request.text(),
      }),
    entries,
  ).send;

const languages = writtenFences()
  .filter(({ page, language }) => page === 'docs/start/own-application.md' && language === 'sh')
  .flatMap(({ words: [word = ''], text }) => (word === '' ? [] : [[word, text] as const]));

/** Programs that the page has and that are not started here, with the reason. */
const NOT_STARTED: Readonly<Record<string, string>> = { 'C#': 'Debian has no .NET' };

it('has a program in five languages, one of which is not started here', () => {
  expect(languages.map(([language]) => language)).toEqual(['Python', 'Go', 'Java', 'PHP', 'C#']);
  expect(Object.keys(NOT_STARTED)).toHaveLength(1);
});

describe.each(Object.entries(NOT_STARTED))('%s', (language, reason) => {
  const page = readFileSync(join(ROOT, 'docs/start/own-application.md'), 'utf8');
  const [, lines = ''] = languages.find(([each]) => each === language) ?? [];

  it('says on the page why no test has started it', () => {
    const [, section = ''] = new RegExp(`### ${language}\n\n(.*)`).exec(page) ?? [];
    expect(section).toContain(`${reason}, so no test has compiled or started this program yet.`);
  });

  it('names a project whose files are there, and treats each callback as the other programs do', () => {
    const [, project = ''] = /--project (\S+)/.exec(lines) ?? [];
    const text = readFileSync(join(ROOT, project), 'utf8');
    for (const [, file = ''] of text.matchAll(/Include="([^"]+)"/g))
      expect(existsSync(join(ROOT, dirname(project), file)), file).toBe(true);
    const [program, java] = ['Application.cs', 'Application.java'].map((file) =>
      readFileSync(join(ROOT, dirname(project), file), 'utf8'),
    );
    const words = (source = ''): string[] => [
      ...new Set(source.match(/"(?:[a-z]+[A-Z]|[A-Z]{3})\w*"|\b(?:401|501)\b/g)),
    ];
    expect(words(program).toSorted()).toEqual(words(java?.replaceAll('\\"', '"')).toSorted());
  });
});

describe.each(languages.filter(([language]) => !(language in NOT_STARTED)))('%s', (_, lines) => {
  it('answers an alarm, takes a record, leaves a call to the fallback, and refuses the key of another', async () => {
    const base = await start(lines);
    const statusOf = async (send: ReturnType<typeof senderOf>, path: string) => {
      const outcome = await send(callOf(path, { alarmEvent: { type: 'alarm' } }), deliveryOf(path));
      if (outcome.kind !== 'answered') throw new Error(outcome.reason);
      return [outcome.status, JSON.parse(outcome.body)];
    };
    const own = senderOf(base);
    expect(await statusOf(own, '/newAlarmbridgeEvent')).toEqual([200, { action: 'callEmergencyCenter' }]);
    expect(await statusOf(own, '/alarmSent')).toEqual([200, {}]);
    expect((await statusOf(own, '/newCall'))[0]).toBe(501);
    expect((await statusOf(senderOf(base, [tenantKey().entry]), '/alarmSent'))[0]).toBe(401);
  });
});
