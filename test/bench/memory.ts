import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from '#test/support/site-port.ts';
import type { CalleeReady } from './process/callee.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { median } from './support/figure.ts';
import { inPlace } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';
import { type Calls, callsTo, DOMAIN, startCalls, startLoad } from './support/start.ts';
import { UNIT_ENVIRONMENT } from './support/unit-environment.ts';

const TOP = resolve(import.meta.dirname, '../..');
const MB = 1024 * 1024;
const KB = 1024;
/** The clock of the weighed processes: 64 x T1 and what else must pass before all is forgotten takes a quarter. */
const CLOCK_RATE = 4;
/** INVITE transactions and ended legs are kept 32 s each, one after the other at most. */
const FORGOTTEN_MS = 70_000 / CLOCK_RATE;
const NODE_FLAGS = ['--expose-gc'];
const CALLS_UP = 500;

/**
 * Row 18: how long the daemon takes from its start to its first SIP answer, what it holds when nothing happens, and what a
 * registered device, a call, and a finished transaction add; and that nothing is left of a storm of calls.
 */
export const memory: Bench = { row: 18, name: 'memory', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  // Five seconds behind its first answer the daemon gives back what only the start needed.
  const size = quick
    ? { starts: 2, weighed: 1, idleMs: 10_000, watchedMs: 5_000, devices: 1_000, storm: 500, cancelled: 50 }
    : {
        starts: 5,
        weighed: 3,
        idleMs: 10_000,
        watchedMs: 30_000,
        devices: 10_000,
        storm: 8_000,
        cancelled: 200,
      };
  const starts: Awaited<ReturnType<typeof coldStart>>[] = [];
  const weighed: typeof starts = [];
  const release = builtRelease(say);
  try {
    for (let n = 0; n < size.starts; n++) {
      starts.push(await coldStart(release.binary, size));
      const { answeredMs, residentBytes, idleShare } = starts.at(-1) ?? {
        ...{ answeredMs: 0, residentBytes: 0, idleShare: 0 },
      };
      say(
        `start ${n + 1}: first answer after ${answeredMs.toFixed(0)} ms, ${(residentBytes / MB).toFixed(0)} MB, ` +
          `${(100 * idleShare).toFixed(2)} % of a core when idle`,
      );
    }
    for (let n = 0; n < size.weighed; n++) {
      asAfterBoot(release.binary);
      weighed.push(await coldStart(release.binary, { ...size, watchedMs: 0 }));
      const { answeredMs = 0, residentBytes = 0 } = weighed.at(-1) ?? {};
      say(
        `start from the disk ${n + 1}: first answer after ${answeredMs.toFixed(0)} ms, ${(residentBytes / MB).toFixed(0)} MB`,
      );
    }
  } finally {
    release.remove();
  }
  // Memory is not shared: what is weighed side by side weighs the same.
  const [registered, calls, storm] = await Promise.all([
    registrations(size.devices),
    callsUp(),
    stormOf(size.storm, size.cancelled),
  ]);
  const startedMs = median(starts.map(({ answeredMs }) => answeredMs)) / 1_000;
  const idle = median(weighed.map(({ residentBytes }) => residentBytes)) / MB;
  const justWritten = median(starts.map(({ residentBytes }) => residentBytes)) / MB;
  const fromDiskMs = median(weighed.map(({ answeredMs }) => answeredMs));
  const alone = (what: string, unit: string, ours: number, gate: number, ambition: number) => ({
    row: 18,
    what,
    unit,
    ours,
    judged: ours,
    gate,
    ambition,
    wanted: 'most' as const,
  });
  return {
    figures: [
      alone('from the start of the process to the first SIP answer', 's', startedMs, 1.5, 0.6),
      alone('resident memory when idle', 'MB', idle, 150, 90),
      alone(
        'processor time when idle',
        '% of a core',
        100 * median(starts.map(({ idleShare }) => idleShare)),
        1,
        0.3,
      ),
      alone('heap for each registered device', 'kB', registered.perDevice / KB, 3, 1.5),
      alone(
        'resident memory for each call, answered, with its media leg',
        'kB',
        calls.perCall / KB,
        300,
        150,
      ),
      alone('heap for each transaction that is kept', 'kB', registered.perTransaction / KB, 3, 2),
      alone(
        `heap after ${size.storm} calls and ${size.cancelled} cancelled, against before`,
        '×',
        storm.ratio,
        1.1,
        1.02,
      ),
    ],
    notes: [
      `${size.starts} starts of the binary with the environment of its unit, median; ${starts[0]?.threads} threads; weighed ${size.idleMs} ms after the first answer, its processor time watched for ${size.watchedMs} ms from there`,
      `memory: of ${size.weighed} starts from the disk, as after a boot, first answer after ${fromDiskMs.toFixed(0)} ms; a binary that was just written has ${justWritten.toFixed(0)} MB, for the kernel keeps it in pieces of 2 MB and counts each whole`,
      `heap when idle ${(storm.idleBytes / MB).toFixed(1)} MB (signalling and calls; after collection)`,
      `${size.devices} registrations, ${registered.transactions} transactions weighed; the devices themselves were there before`,
      `${calls.calls} calls up: heap of the main thread ${(calls.heapPerCall / KB).toFixed(1)} kB a call, the rest is the media worker with its sockets`,
      `storm: ${storm.done} calls, ${storm.cancelled} cancelled, heap ${(storm.before / MB).toFixed(2)} MB before, ${(storm.after / MB).toFixed(2)} MB after; kept at the end ${storm.kept}`,
    ],
  };
}

/** The binary that is handed out: that of `TEST_RELEASE`, else one built for this processor, which takes a minute and a half. */
function builtRelease(say: (text: string) => void) {
  const cpu = process.arch === 'arm64' ? 'arm64' : 'x64';
  const known = process.env.TEST_RELEASE;
  const folder = known ?? mkdtempSync(join(tmpdir(), 'carillon-bench-release-'));
  const remove = () => {
    if (known === undefined) rmSync(folder, { recursive: true, force: true });
  };
  if (known === undefined) {
    say('building the binary');
    const build = ['run', '--silent', 'build', '--', '--cpu', cpu, '--out', folder];
    const { status, stderr } = spawnSync('npm', build, { cwd: TOP, encoding: 'utf8' });
    if (status !== 0) {
      remove();
      throw new Error(`npm run build failed: ${stderr.slice(-2_000)}`);
    }
  }
  return { binary: join(folder, `carillon-linux-${cpu}`), remove };
}

/**
 * Takes a file out of the page cache. A file that was just written lies there in pieces of 2 MB, and a process that touches one of their
 * pages counts all of it: 30 MB of this program that no host has after its next boot.
 */
function asAfterBoot(file: string): void {
  execFileSync('sync', [file]);
  execFileSync('dd', [`if=${file}`, 'iflag=nocache', 'count=0'], { stdio: 'ignore' });
}

/** The daemon as it is delivered, without a control plane: it answers SIP before it knows its tenant. */
async function coldStart(
  binary: string,
  { idleMs, watchedMs }: { readonly idleMs: number; readonly watchedMs: number },
) {
  return await inPlace(async (place) => {
    const ports = await freePorts('127.0.0.1', 5);
    const [sip = 0, sips = 0, web = 0, queue = 0, dc09 = 0] = ports;
    const startMs = performance.now();
    const child = spawn(binary, ['appliance'], {
      env: {
        PATH: process.env.PATH,
        ...UNIT_ENVIRONMENT,
        CARILLON_DATA: place.folder(),
        CARILLON_HOST_ID: 'bench',
        CARILLON_ADDRESS: '127.0.0.1',
        CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
        CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
        CARILLON_SIP_TLS: `127.0.0.1:${sips}`,
        CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
        CARILLON_COMMAND_QUEUE: `127.0.0.1:${queue}`,
        CARILLON_DC09: `127.0.0.1:${dc09}`,
        CARILLON_LOG: 'error',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000);
    });
    const exited = once(child, 'exit');
    try {
      const answeredMs = (await answered(sip, () => child.exitCode !== null, startMs)) - startMs;
      if (Number.isNaN(answeredMs)) throw new Error(`the appliance does not answer: ${said}`);
      await sleep(idleMs);
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
      const weighed = { residentBytes: field('VmRSS') * KB, threads: field('Threads') };
      const [spentMs, fromMs] = [processorMs(child.pid ?? 0), performance.now()];
      await sleep(watchedMs);
      const idleShare = (processorMs(child.pid ?? 0) - spentMs) / (performance.now() - fromMs);
      return { answeredMs, ...weighed, idleShare };
    } finally {
      child.kill('SIGTERM');
      await exited;
    }
  });
}

/** Asks until there is an answer; when it came. */
async function answered(port: number, ended: () => boolean, fromMs: number): Promise<number> {
  const socket = createSocket('udp4');
  let atMs = Number.NaN;
  socket.on('message', () => {
    if (Number.isNaN(atMs)) atMs = performance.now();
  });
  // Before it listens no connection succeeds.
  socket.on('error', () => {});
  for (let n = 0; Number.isNaN(atMs) && !ended() && performance.now() < fromMs + 20_000; n++) {
    const request =
      `OPTIONS sip:ping@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKping${n};rport\r\n` +
      `From: <sip:ping@127.0.0.1>;tag=1\r\nTo: <sip:ping@127.0.0.1>\r\nCall-ID: ping${n}\r\nCSeq: 1 OPTIONS\r\n` +
      'Max-Forwards: 70\r\nContent-Length: 0\r\n\r\n';
    socket.send(request, port, '127.0.0.1');
    await sleep(5);
  }
  socket.close();
  return atMs;
}

async function registrations(devices: number) {
  return await inPlace(async (place) => {
    const called = Array.from({ length: devices }, (_, number) => `device-${number}`);
    const weighed = { media: 'none', clockRate: CLOCK_RATE, called, trunkAddress: '127.0.0.9' } as const;
    const ours = await place.keep(
      startCalls({ folder: place.folder(), ...weighed }, { nodeFlags: NODE_FLAGS }),
    );
    const stream = {
      name: 'devices',
      port: ours.ready.port,
      domain: DOMAIN,
      receiver: '',
      prefix: 'device-',
      devices,
      kind: 'register',
    } as const;
    const load = await place.keep(startLoad([stream]));
    // The first of them compile what all need; they stand in the weight before.
    const warm = Math.ceil(devices / 10);
    await load.ask({ kind: 'begin', stream: 'devices', count: warm, perSecond: 1_000 });
    await sleep(FORGOTTEN_MS);
    const before = await ours.ask('weigh');
    await load.ask({ kind: 'begin', stream: 'devices', count: devices - warm, perSecond: 1_000 });
    await sleep(500);
    const busy = await ours.ask('weigh');
    await sleep(FORGOTTEN_MS);
    const after = await ours.ask('weigh');
    const transactions = busy.transactions - after.transactions;
    return {
      perDevice: (after.heapBytes - before.heapBytes) / (devices - warm),
      perTransaction: (busy.heapBytes - after.heapBytes) / transactions,
      transactions,
    };
  });
}

async function callsUp() {
  return await inPlace(async (place) => {
    const ours = await place.keep(
      startCalls({ folder: place.folder(), media: 'whole' }, { nodeFlags: NODE_FLAGS }),
    );
    const to = callsTo(ours.ready.port, 'bridge');
    const load = await place.keep(
      startLoad([
        { ...to, name: 'warm' },
        { ...to, name: 'up', stays: true },
      ]),
    );
    await load.ask({ kind: 'begin', stream: 'warm', count: 100, perSecond: 50 });
    await sleep(500);
    const before = await ours.ask('weigh');
    await load.ask({ kind: 'begin', stream: 'up', count: CALLS_UP, perSecond: 100 });
    await sleep(1_000);
    const after = await ours.ask('weigh');
    return {
      calls: after.calls,
      perCall: (after.residentBytes - before.residentBytes) / after.calls,
      heapPerCall: (after.heapBytes - before.heapBytes) / after.calls,
    };
  });
}

async function stormOf(size: number, cancelled: number) {
  return await inPlace(async (place) => {
    const weighed = { media: 'none', clockRate: CLOCK_RATE, called: ['ringing'] } as const;
    const ours: Calls = await place.keep(
      startCalls({ folder: place.folder(), ...weighed }, { nodeFlags: NODE_FLAGS }),
    );
    const idle = await ours.ask('weigh');
    const registrar = { port: ours.ready.port, domain: DOMAIN, user: 'ringing' };
    const file = new URL('./process/callee.ts', import.meta.url);
    await place.keep(startChild<unknown, CalleeReady, never, null>(file, { registrar, ringsOnly: true }));
    const load = await place.keep(
      startLoad([
        { ...callsTo(ours.ready.port, 'bridge'), name: 'calls' },
        { ...callsTo(ours.ready.port, 'ringing'), name: 'cancelled', cancels: true },
      ]),
    );
    const both = async (calls: number, exited: number) => {
      await load.ask({ kind: 'begin', stream: 'calls', count: calls, perSecond: 200 });
      await load.ask({ kind: 'begin', stream: 'cancelled', count: exited, perSecond: 50 });
      await sleep(FORGOTTEN_MS);
    };
    await both(Math.ceil(size / 8), Math.ceil(cancelled / 8));
    const warm = await load.ask({ kind: 'count' });
    const before = await ours.ask('weigh');
    await both(size, cancelled);
    const after = await ours.ask('weigh');
    const end = await load.ask({ kind: 'count' });
    const done = (name: string) => (end[name]?.done ?? 0) - (warm[name]?.done ?? 0);
    const sound = done('calls') === size && done('cancelled') === cancelled;
    return {
      ratio: sound ? after.heapBytes / before.heapBytes : Number.POSITIVE_INFINITY,
      idleBytes: idle.heapBytes,
      before: before.heapBytes,
      after: after.heapBytes,
      done: done('calls'),
      cancelled: done('cancelled'),
      kept: `${after.calls} calls, ${after.keptLegs} legs, ${after.transactions} transactions`,
    };
  });
}
