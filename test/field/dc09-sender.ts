import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFrameListener } from '#appliance/io/frame-listener/index.ts';
import { runProgram } from '#test/peers/support/program.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import type { Row } from './support/table.ts';

const PLAIN = '4321';
const KEYS = { '5678': randomBytes(16).toString('hex'), '5679': randomBytes(32).toString('hex') };
const HEARING_MS = 3_000;

/** Senders of DC-09 against our listener: a client in Python, frame makers in C and in Rust. */
export async function dc09Sender(folder: string): Promise<readonly Row[]> {
  // The clock stands still here, and with it the budget of units that are not provisioned.
  const site = await testAppliance({ unknownUnitRate: 'off' });
  site.setWallBy(Date.now() - site.clock.wallMs());
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#' });
  for (const [deviceId, key] of Object.entries(KEYS))
    site.device({ deviceId, serviceData: { alarmBridge: { dc09: { key } } } });
  site.answerBy(() => answered({ action: 'drop' }));
  const listening = await openFrameListener(
    { host: '127.0.0.1', port: 0 },
    {
      frame: (frame, connection) => site.runtime.dc09.frame(frame, connection),
      closed: (connection) => site.runtime.dc09.closed(connection),
      report: () => undefined,
    },
  );
  try {
    const rows = [
      ...(await python(join(folder, 'dc09_spt'), listening.port)),
      ...(await frames('C', inC(join(folder, 'ademco_hb')), listening.port)),
      ...(await frames('Rust', inRust(join(folder, 'dc09')), listening.port)),
    ];
    await site.quiet();
    const events = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
    console.error(`${events.length} events reached the application`);
    for (const { body } of events)
      console.error(JSON.stringify((body.sourceAlarmEvent as { warnings?: unknown }).warnings));
    return rows;
  } finally {
    await listening.close();
    await site.close();
  }
}

async function python(folder: string, port: number): Promise<Row[]> {
  const driver = join(import.meta.dirname, 'support/spt-driver.py');
  const args = [driver, folder, String(port), JSON.stringify({ [PLAIN]: '', ...KEYS })];
  const { stdout, stderr, code } = await runProgram('python3', args, { withinMs: 300_000 });
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const { name, taken } = JSON.parse(line) as { name: string; taken: unknown };
      return {
        name,
        verdict: taken === true ? 'as expected' : 'differs',
        answer: taken === true ? 'ACK' : String(taken),
      };
    });
}

/** Compiled from the fetched copy. */
function inC(folder: string): Buffer[] {
  const place = mkdtempSync(join(tmpdir(), 'carillon-ademco-'));
  try {
    const program = join(place, 'frames');
    const driver = join(import.meta.dirname, 'support/ademco-driver.c');
    execFileSync('gcc', ['-w', '-I', folder, '-o', program, driver, join(folder, 'ademco.c')]);
    const lines = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => Buffer.from(line, 'hex'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Whole frames that the tests of the Rust sources hold, since its crates cannot be had everywhere. */
function inRust(folder: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.rs'),
  );
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const literals = texts.flatMap((text) => [...text.matchAll(/"(\\n[0-9A-F]{8}(?:[^"\\]|\\.)*\\r)"/g)]);
  return literals.map(([, literal]) => Buffer.from(JSON.parse(`"${literal}"`) as string, 'latin1'));
}

async function frames(language: string, made: readonly Buffer[], port: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const frame of made)
    for (const [transport, say] of [['TCP', overTcp] as const, ['UDP', overUdp] as const]) {
      const answer = (await say(frame, port)).trim();
      const asked = frame.toString('latin1').trim();
      // An answer is not answered, and a token that is not of DC-09 or an empty event is refused.
      const expected = /"(ACK|NAK|DUH)"/.test(asked)
        ? ''
        : /"HENG-BO"|SIA-DCS.*\[\]$/.test(asked)
          ? 'DUH'
          : 'ACK';
      const good = expected === '' ? answer === '' : answer.includes(`"${expected}"`);
      rows.push({
        name: `${language} ${transport} ${asked}`,
        verdict: good ? 'as expected' : 'differs',
        answer: answer || 'silence',
      });
    }
  return rows;
}

async function overTcp(frame: Buffer, port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1');
  });
  await once(socket, 'connect');
  socket.write(frame);
  await received(() => said.includes('\r'));
  socket.destroy();
  return said;
}

async function overUdp(frame: Buffer, port: number): Promise<string> {
  const socket = createSocket('udp4');
  let said = '';
  socket.on('message', (bytes) => {
    said += bytes.toString('latin1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.send(frame, port, '127.0.0.1');
  await received(() => said.includes('\r'));
  socket.close();
  return said;
}

async function received(done: () => boolean): Promise<void> {
  const until = performance.now() + HEARING_MS;
  while (!done() && performance.now() < until) await pause(10);
}
