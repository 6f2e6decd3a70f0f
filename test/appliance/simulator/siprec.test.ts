import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hearFile } from '#appliance/media/dtmf/index.ts';
import { openRecordingClient, openRecordingServer } from '#appliance/simulator/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { must } from '#test/support/media.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-siprec-simulator-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a recording client and a recording server understand each other, and the file holds what was said', async () => {
  const reported: string[] = [];
  const server = await openRecordingServer({
    host: '127.0.0.1',
    port: 0,
    folder,
    onStep: ({ text }) => reported.push(text),
  });
  const client = await openRecordingClient({
    to: `127.0.0.1:${server.port}`,
    service: 'recorder',
    domain: 'demo.carillon.test',
    user: 'client',
    password: undefined,
  });
  const beganMs = performance.now();
  await pass(1_100);
  await client.hold(0, true);
  // On a busy machine the first part may have taken longer.
  await pass(performance.now() - beganMs + 1_000);
  await client.join('Cay', 'sip:cay@guest.example');
  await client.leave();
  await client.end();
  expect(await client.over).toBe('us');
  await until(() => server.files.length > 0);
  await server.close();
  expect(reported.filter((text) => !text.startsWith('<') && !text.includes('.wav'))).toEqual([
    'a recording session of sip:client@demo.carillon.test',
    'Anna joins',
    'Bo joins',
    'stream 1 is of nobody',
    'Cay joins',
    'stream 2 is of Bo, Cay',
    'Cay leaves',
    'stream 2 is of Bo',
  ]);
  expect(reported.filter((text) => text.includes('<datamode>')).length).toBe(4);
  const received = must(hearFile(readFileSync(join(folder, server.files[0] ?? '')), 'alarm'));
  const tones = received.map(
    (each) => `${each.channel} ${'frequency' in each ? Math.round(each.frequency / 100) : ''}`,
  );
  // Anna is heard until she is held, Bo to the end.
  expect(new Set(tones)).toEqual(new Set(['1 14', '2 23']));
  const count = (channel: number) => received.filter((each) => each.channel === channel).length;
  expect(count(2)).toBeGreaterThan(count(1));
}, 30_000);
