import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { bySize } from '#test/support/vitest/rounds.ts';
import { done, run } from './support/program.ts';

/** The one file that is handed out: what it weighs, how fast it is there, and that nothing of the checkout is missing in it. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-binary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
  }
});

const MB = 1e6;
/** `.ci/run --long` packs as small as what is handed out, and each change in less time. */
const CARRIED_MB = bySize(60, 48);
const SIP = 17_060;

/** An appliance without a configuration, on loopback. `prefix` is a program that starts it. */
function appliance(
  name: string,
  environment: Record<string, string> = {},
  prefix: readonly string[] = [],
): ChildProcess {
  const [program = '', ...words] = [...prefix, release.binary, 'appliance'];
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      // As the unit says.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '32768',
      MALLOC_TRIM_THRESHOLD_: '131072',
      CARILLON_DATA: join(folder, name),
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SIP_UDP: `127.0.0.1:${SIP}`,
      CARILLON_SIP_TCP: '',
      CARILLON_SIP_TLS: '',
      CARILLON_DC09: '127.0.0.1:17061',
      CARILLON_APPLIANCE_HTTP: '127.0.0.1:17062',
      CARILLON_COMMAND_QUEUE: '127.0.0.1:17063',
      CARILLON_RTP_PORTS: '27000-27999',
      ...environment,
    },
  });
  running.push(child);
  return child;
}

/** Asks until the first answer, each 10 ms; milliseconds from now. */
async function firstAnswer(withinMs = 20_000): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const request = [
    `OPTIONS sip:127.0.0.1:${SIP} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${socket.address().port};rport;branch=z9hG4bKcold`,
    'From: <sip:test@127.0.0.1>;tag=1',
    'To: <sip:127.0.0.1>',
    'Call-ID: cold',
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 1',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
  const beganMs = performance.now();
  const answer = new Promise<number>((resolve) =>
    socket.once('message', () => resolve(performance.now() - beganMs)),
  );
  // Before the socket is there, the kernel refuses.
  socket.on('error', () => undefined);
  const asking = setInterval(() => socket.send(request, SIP, '127.0.0.1'), 10);
  try {
    return await Promise.race([answer, pause(withinMs, Number.POSITIVE_INFINITY)]);
  } finally {
    clearInterval(asking);
    socket.close();
  }
}

/**
 * How long the start waited for a CPU that others had: what the rest of this machine does is none of it. The main thread
 * waits for threads that wait themselves; the longest of those counts.
 */
function waitedMs(pid: number | undefined): number {
  const [main = 0, ...others] = readdirSync(`/proc/${pid}/task`).map(
    (task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[1]) / 1e6,
  );
  return main + Math.max(0, ...others);
}

/** A line of /proc/PID/smaps_rollup, MB. */
function memory(pid: number | undefined, line: string): number {
  const said = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(said)?.[1]) * 1024) / MB;
}

describe('the binary', () => {
  const data = join(folder, 'demo');

  test(`is at most 130 MB, and ${CARRIED_MB} to carry`, () => {
    const sizes = [release.binary, release.runFile, release.debianFile].map(
      (file) => statSync(file).size / MB,
    );
    console.log(`binary ${sizes.map((size) => size.toFixed(1)).join(', .run and .deb ')} MB`);
    expect(sizes[0]).toBeLessThanOrEqual(130);
    // The console lies in it as brotli and gzip, some 1.5 MB. The documentation is 1.1 MB: 14 MB of pages packed as one text, with
    // the index of their search, so that a site without a line has them too.
    expect(Math.max(sizes[1] ?? 0, sizes[2] ?? 0)).toBeLessThanOrEqual(CARRIED_MB);
  });

  test('brings two alarms from end to end, and speaks without a speech program', { retry: 2 }, async () => {
    const ran = await run([release.binary, 'demo', '--once', '--port-offset', '9000'], {
      env: { PATH: '/nonexistent', TMPDIR: folder, CARILLON_DATA: data },
      withinMs: 240_000,
    });
    expect(ran.code, ran.err + ran.out).toBe(0);
    expect(ran.out).toContain('the alarm is acknowledged');
    expect(ran.err).not.toMatch(/Warning/);
  });

  // Beside this machines are started and packed: one that stands still for seconds hears no tones.
  test('goes on with a demo that was begun under other ports', { retry: 2 }, async () => {
    const again = { env: { PATH: '/nonexistent', TMPDIR: folder, CARILLON_DATA: data }, withinMs: 240_000 };
    const ran = await run([release.binary, 'demo', '--once', '--port-offset', '9200'], again);
    expect(ran.code, ran.err + ran.out).toBe(0);
  });

  test('answers SIP after its start, and how soon is printed', async () => {
    const taken: number[] = [];
    for (const name of ['cold-1', 'cold-2', 'cold-3', 'cold-4']) {
      const child = appliance(name);
      const wallMs = await firstAnswer();
      taken.push(wallMs - waitedMs(child.pid));
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
    }
    console.log(`first SIP answer after ${taken.map(Math.round).join(', ')} ms`);
  });

  test('needs at most 165 MB when nothing happens', async () => {
    // As after a boot. A file that was just written in one stroke lies in the page cache in pieces of up to 2 MB, and the
    // kernel maps a whole piece for each page that is touched: 30 MB more that the program never asked for.
    await done(['dd', `of=${release.binary}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0']);
    const child = appliance('idle');
    expect(await firstAnswer()).toBeLessThan(20_000);
    await pause(10_000);
    // Memory that only the start needed is given back some seconds later, that of the thread of records after 30 s.
    await expect
      .poll(() => memory(child.pid, 'Rss'), { timeout: 60_000, interval: 1_000 })
      .toBeLessThanOrEqual(165);
    const [own, shared, all] = ['Pss_Anon', 'Pss', 'Rss'].map((line) => memory(child.pid, line).toFixed(0));
    console.log(`idle: ${own} MB of its own; with the pages of its file ${shared} (PSS), ${all} (RSS)`);
  });

  test('comes out of its .run by xz as well as by dpkg-deb', async () => {
    const tools = join(folder, 'tools');
    const names = ['sh', 'id', 'uname', 'getconf', 'tail', 'head', 'tar', 'sha256sum', 'xz'];
    await done([
      'sh',
      '-c',
      `mkdir ${tools}; for n in ${names.join(' ')}; do ln -s "$(command -v $n)" ${tools}/; done`,
    ]);
    const systemd =
      'mkdir -p /run/systemd/system && mount -t tmpfs none /run && mkdir -p /run/systemd/system';
    for (const path of [tools, process.env.PATH ?? '']) {
      const out = join(folder, 'unpacked');
      await done([
        'unshare',
        '--mount',
        'sh',
        '-c',
        `${systemd} && PATH=${path} exec sh ${release.runFile} --unpack ${out}`,
      ]);
      expect(readFileSync(out).equals(readFileSync(release.binary))).toBe(true);
      rmSync(out);
    }
  });

  test('is deaf to NODE_OPTIONS', async () => {
    const ran = await run([release.binary, 'version'], { env: { NODE_OPTIONS: '--no-such-option' } });
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(release.version) });
  });

  test('holds the pages of the API and of the console', async () => {
    const child = spawn(release.binary, ['cloud', '--http', '127.0.0.1:17080'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        CARILLON_DATA: join(folder, 'cloud'),
        CARILLON_EDGE: '127.0.0.1:17444',
        CARILLON_MQTT_LISTEN: '127.0.0.1:17883',
        CARILLON_LOG: 'error',
      },
    });
    running.push(child);
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('ready {')) resolve();
      });
    });
    for (const path of [
      '/docs',
      '/docs/try',
      '/docs/try/swagger-ui.css',
      '/llms.txt',
      '/openapi.json',
      '/console/',
    ]) {
      const answer = await fetch(`http://127.0.0.1:17080${path}`);
      expect([path, answer.status, (await answer.text()).length > 100]).toEqual([path, 200, true]);
    }
  });
});

describe('its database library', () => {
  /** Shell that hides folders behind file systems on which nothing may be executed. */
  const noexec = (...folders: string[]): string[] => [
    'unshare',
    '--mount',
    'sh',
    '-c',
    `${folders.map((each) => `mount -t tmpfs -o noexec tmpfs ${each}`).join(' && ')} && exec "$0" "$@"`,
  ];

  test('is loaded from the next folder when the first is noexec', async () => {
    const run = join(folder, 'run');
    cpSync('systemd/vip', run, { recursive: true });
    appliance('noexec', { RUNTIME_DIRECTORY: run, TMPDIR: folder }, noexec(run));
    expect(await firstAnswer()).toBeLessThan(20_000);
    expect(readdirSync(folder).filter((name) => name.endsWith('.node'))).toEqual([]);
  });

  test('says what to do when there is none', async () => {
    const only = join(folder, 'only');
    cpSync('systemd/vip', only, { recursive: true });
    const child = appliance('nowhere', { TMPDIR: only }, noexec(only, '/var/tmp', '/dev/shm'));
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(said).toContain('give TMPDIR one that is writable and not mounted noexec');
    for (const each of [only, '/var/tmp', '/dev/shm']) expect(said).toContain(each);
  });
});

describe('the units', () => {
  // Tenths of what systemd counts from 0 to 10. Root has more: one switches links, one writes releases and speaks to the cloud.
  test.each([
    ['carillon-appliance', 15],
    ['cloud/carillon-cloud', 15],
    ['carillon-rollback', 20],
    ['carillon-maintenance', 25],
    ['carillon-network-undo', 35],
  ])('%s is clean and shut', async (name, threshold) => {
    const unit = join(folder, `${name.replace('cloud/', '')}.service`);
    // The program that it starts is not installed here.
    const text = readFileSync(`systemd/${name}.service`, 'utf8').replace(
      /^ExecStart=.*/m,
      'ExecStart=/bin/true',
    );
    writeFileSync(unit, text);
    const verified = await run(['systemd-analyze', 'verify', '--man=no', unit]);
    expect(verified).toMatchObject({ code: 0, err: '' });
    const security = [
      'systemd-analyze',
      'security',
      '--offline=yes',
      `--threshold=${threshold}`,
      '--no-pager',
    ];
    const judged = await run([...security, unit]);
    console.log(judged.out.trim().split('\n').at(-1));
    expect(judged.code).toBe(0);
  });

  test('the path that waits for what the appliance asks is clean, and so is the timer', async () => {
    const verify = ['systemd-analyze', 'verify', '--man=no'];
    const units = ['path', 'timer', 'service'].map((kind) => `carillon-maintenance.${kind}`);
    for (const name of units) {
      const text = readFileSync(`systemd/${name}`, 'utf8').replace(/^ExecStart=.*/m, 'ExecStart=/bin/true');
      writeFileSync(join(folder, name), text);
    }
    expect(await run([...verify, ...units.map((name) => join(folder, name))])).toMatchObject({
      code: 0,
      err: '',
    });
  });
});
