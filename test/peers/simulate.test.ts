import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dtmf, hearFile, render, silence } from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { must } from '#test/support/media.ts';
import { CARILLON } from '../support/program/program.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

/* `carillon simulate sip` and `siprec` as a person types them: processes of their own. */
const PASSWORD = 'correct-horse';
const WAIT = { timeout: 30_000 };
/** Far less than the ten minutes that its call would last. */
const AT_ONCE_MS = 20_000;

let folder: string;
let site: PeerSite;
const running: ChildProcess[] = [];

/** A command, and what it has said so far. */
function simulate(...words: readonly string[]) {
  const child = spawn(process.execPath, [CARILLON, 'simulate', ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    output.out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    output.err += bytes.toString();
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { told: output, exit, stop: (signal: NodeJS.Signals = 'SIGINT') => child.kill(signal) };
}

const optionsOf = (device: string) => [
  ...['--to', `127.0.0.1:${site.appliance.ready.udp}`, '--domain', DOMAIN, '--device', device],
  ...['--password', PASSWORD],
];

const telephone = (device: string, ...more: readonly string[]) =>
  simulate('sip', ...optionsOf(device), ...more);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-simulate-'));
  site = await startPeerSite({ devices: ['ours', 'plain'].map((name) => phone(name, PASSWORD)) });
});
afterAll(async () => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('simulate sip', () => {
  it('one registers, answers and plays a file; the other calls it and sends digits: each hears the other', async () => {
    const file = join(folder, 'seven.wav');
    writeFileSync(file, writeWav([render([silence(500), ...must(dtmf('7', { onMs: 200, offMs: 100 }))])]));
    const waits = telephone('plain', '--play', file, '--talk', '4');
    await expect.poll(() => waits.told.out, WAIT).toContain(`plain is registered at ${DOMAIN}`);
    const calls = telephone('ours', '--call', 'plain', '--digits', '42#', '--talk', '2', '--json');
    expect(await calls.exit).toBe(0);
    expect(JSON.parse(calls.told.out)).toMatchObject({
      answered: true,
      // On a busy machine a gap may part the tone.
      heard: expect.stringMatching(/^7+$/),
      packets: expect.any(Number),
    });
    expect(JSON.parse(calls.told.out).packets).toBeGreaterThan(50);
    await expect.poll(() => waits.told.out, WAIT).toContain('the call is over');
    for (const text of ['is called by', 'hears 4', 'hears 2', 'hears #', 'has said everything'])
      expect(waits.told.out).toContain(text);
    waits.stop();
    expect(await waits.exit).toBe(0);
  });

  it.each([
    { who: 'who was called', signal: 'SIGTERM' },
    { who: 'who was called', signal: 'SIGINT' },
    { who: 'who calls', signal: 'SIGTERM' },
    { who: 'who calls', signal: 'SIGINT' },
  ] as const)('$who is ended by $signal in a call: the other side is hung up on', async ({ who, signal }) => {
    const waits = telephone('plain', '--talk', '600');
    await expect.poll(() => waits.told.out, WAIT).toContain(`plain is registered at ${DOMAIN}`);
    const calls = telephone('ours', '--call', 'plain', '--talk', '600');
    for (const one of [waits, calls])
      await expect.poll(() => one.told.out, WAIT).toContain('hears the other side');
    const [ended, left] = who === 'who calls' ? [calls, waits] : [waits, calls];
    const atMs = performance.now();
    ended.stop(signal);
    expect(await ended.exit).toBe(0);
    expect(performance.now() - atMs).toBeLessThan(AT_ONCE_MS);
    await expect.poll(() => left.told.out, WAIT).toContain('the call is over');
    if (left === waits) left.stop();
    expect(await left.exit).toBe(0);
  });

  it('an analogue unit is ended by SIGTERM in its call: who answered is hung up on', async () => {
    const waits = telephone('plain', '--talk', '600');
    await expect.poll(() => waits.told.out, WAIT).toContain(`plain is registered at ${DOMAIN}`);
    const unit = simulate('tone', ...optionsOf('ours'), '--receiver', 'plain');
    await expect.poll(() => unit.told.out, WAIT).toContain('is answered');
    await expect.poll(() => waits.told.out, WAIT).toContain('is on the line');
    const atMs = performance.now();
    unit.stop('SIGTERM');
    expect(await unit.exit).toBe(75);
    expect(performance.now() - atMs).toBeLessThan(AT_ONCE_MS);
    expect(unit.told.err).toContain('without an acknowledge: we hung up');
    await expect.poll(() => waits.told.out, WAIT).toContain('the call is over');
    waits.stop();
    expect(await waits.exit).toBe(0);
  });

  it('says what is wrong: no receiver, a wrong password, a file that is none', async () => {
    const file = join(folder, 'bad.wav');
    writeFileSync(file, 'RIFF');
    const [unreachable, deaf] = [
      telephone('ours', '--call', 'nobody'),
      telephone('plain', '--call', 'ours', '--play', file),
    ];
    expect([await unreachable.exit, await deaf.exit]).toEqual([75, 75]);
    const stranger = telephone('ours', '--password', 'wrong');
    expect(await stranger.exit).toBe(75);
    expect(unreachable.told.err).toMatch(/the call was not answered: .*404/);
    expect(stranger.told.err).toMatch(/is the password right\?/);
    expect(deaf.told.err).toContain('bad.wav');
  });
});

it('simulate siprec: a client copies a call to a server, which writes it to a file', async () => {
  const server = simulate('siprec', 'server', '--port', '0', '--folder', folder);
  await expect.poll(() => server.told.out, WAIT).toMatch(/at 127\.0\.0\.1:\d+ over UDP/);
  const [, port] = /127\.0\.0\.1:(\d+) over UDP/.exec(server.told.out) ?? [];
  const client = simulate('siprec', 'client', '--to', `127.0.0.1:${port}`, '--seconds', '0.6');
  expect(await client.exit).toBe(0);
  expect(client.told.out).toContain('the session was taken and recorded from its beginning to its end');
  const files = () =>
    readdirSync(folder).filter((name) => name.endsWith('.wav') && !['seven.wav', 'bad.wav'].includes(name));
  await expect.poll(() => server.told.out, WAIT).toContain('.wav');
  server.stop();
  expect(await server.exit).toBe(0);
  const detected = must(hearFile(readFileSync(join(folder, files()[0] ?? '')), 'alarm'));
  expect(new Set(detected.map(({ channel }) => channel))).toEqual(new Set([1, 2]));
  for (const text of ['Anna joins', 'Cay leaves']) expect(server.told.out).toContain(text);
});
