import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { CARILLON } from '../../support/program/program.ts';
import { runProgram } from '../support/program.ts';

/* The demo twice over one folder: the list of records has each alarm with what the timeline has printed. */

const WAIT_MS = 150_000;
const folder = mkdtempSync(join(tmpdir(), 'carillon-demo-record-'));
let child: ChildProcess | undefined;

interface Demo {
  said: string;
  code: number | null;
}

function start(...more: string[]): Demo {
  const words = [CARILLON, 'demo', '--port-offset', '6600', '--data', join(folder, 'data'), ...more];
  const demo: Demo = { said: '', code: null };
  child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      demo.said += String(text);
    });
  child.once('close', (code) => {
    demo.code = code ?? -1;
  });
  return demo;
}

afterAll(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Words of the timeline that a record has too; the story of a tone alarm names no bridge. */
const PRINTED = {
  traceId: / {3}trace ([0-9a-f-]{36})$/m,
  address: /^Its record {2}(\S+) \(alarm, done\)$/m,
  deviceType: /understands: (\w+),/,
  statusCode: /understands: \w+, (\w+),/,
  audio: /understands: .* audio (\w+),/,
  destination: /calls (\S+) and joins the speech/,
  status: /has the answer after .*: HTTP (\d+)/,
};
type Facts = Record<keyof typeof PRINTED, string | undefined>;

const printed = (said: string): Facts[] =>
  said
    .split(/(?=^.* {3}trace [0-9a-f-]{36}$)/m)
    .slice(1)
    .map(
      (story) =>
        Object.fromEntries(
          Object.entries(PRINTED).map(([name, pattern]) => [name, pattern.exec(story)?.[1]]),
        ) as Facts,
    );

it('prints the address of each record, and both starts are in the list with what they printed', {
  timeout: 2 * WAIT_MS,
}, async () => {
  const first = start('--once');
  await until(() => first.code !== null, WAIT_MS);
  expect(first, first.said).toMatchObject({ code: 0 });
  const second = start();
  await until(() => second.said.includes('Ctrl-C ends everything.') || second.code !== null, WAIT_MS);
  const { api, token, domain } = JSON.parse(second.said.match(/^ready (.*)$/m)?.[1] ?? '{}');
  const stories = [...printed(first.said), ...printed(second.said)];
  expect(stories).toHaveLength(4);
  expect(
    stories.flatMap((facts) => Object.values(facts)),
    second.said,
  ).not.toContain(undefined);
  const words = ['record', 'list', domain, '--kind', 'alarm', '--json', '--cloud', api, '--token', token];
  const { code, stdout, stderr } = await runProgram(process.execPath, [CARILLON, ...words]);
  expect(code, stderr).toBe(0);
  const { records } = JSON.parse(stdout) as { records: ShownRecord[] };
  // The list has the newest first, people read the oldest first.
  const oldestFirst = records.toReversed();
  expect(oldestFirst.map(({ protocol }) => protocol)).toEqual(['scaip', 'bs8521', 'scaip', 'bs8521']);
  expect(
    oldestFirst.map(({ traceId, recordId, event, acceptedBy, deliveries }) => ({
      ...{ traceId, address: `${api}/record/${domain}/${recordId}` },
      ...{ deviceType: event?.deviceType, statusCode: event?.statusCode, audio: event?.audio },
      ...{ destination: acceptedBy, status: String(deliveries?.lastStatus) },
    })),
  ).toEqual(stories);
  const login = ['--kind', 'alarm', '--cloud', api, '--token', token];
  const exported = await runProgram(process.execPath, [
    ...[CARILLON, 'record', 'export', domain, '--format', 'jsonl', ...login],
  ]);
  expect(
    exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(records);
  for (const { address = '' } of stories) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ record: { kind: 'alarm', result: 'done' } });
  }
});
