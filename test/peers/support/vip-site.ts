/**
 * The address of a site with two hosts, in a network of its own: `unshare --net node vip-site.ts FOLDER`. keepalived of Debian with the
 * shipped text on both; a device beside them asks the address twenty times a second. The last line is what was seen, as JSON.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { command } from '#test/campaign/command.ts';
import { type Floating, startFloating } from '#test/campaign/floating.ts';
import { siteLan } from '#test/campaign/site-lan.ts';
import { until } from '#test/support/site.ts';

const WEB = 8443;
const SIP = 5060;
const ASK_MS = 50;
const WITHIN_MS = 20_000;
const PRIORITY = { one: 150, two: 100 } as const;
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];

/** Observations of one event; times in ms. */
export interface Seen {
  readonly what: string;
  /** Longest time without an answer from the address, from the event on. */
  readonly silentMs: number;
  readonly answers: Name;
  /** The host that has the address once it is over. */
  readonly holders: readonly Name[];
}

const folder = process.argv[2] ?? '';
// No listener here is reached from there; a port of the hosts themselves must not be named.
const lan = await siteLan(folder, [1]);
const issued = await (await demoAuthority(folder)).issue([lan.hosts.one.address, lan.hosts.two.address]);
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
writeFileSync(certFile, issued.cert);
writeFileSync(keyFile, issued.key, { mode: 0o600 });
const runFolder = (name: Name): string => join(folder, name);
for (const name of NAMES) mkdirSync(runFolder(name));

const hosts = new Map<Name, ChildProcess>();
async function begin(name: Name): Promise<void> {
  const [enter = '', ...there] = lan.hosts[name].enter;
  const words = [name, runFolder(name), String(WEB), String(SIP), certFile, keyFile];
  const program = [process.execPath, resolve(import.meta.dirname, 'vip-host.ts')];
  const child = spawn(enter, [...there, ...program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  hosts.set(name, child);
  await once(child.stdout, 'data');
}
async function end(name: Name): Promise<void> {
  const child = hosts.get(name);
  hosts.delete(name);
  if (child === undefined) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Answers from the address, in the order in which they came. */
const answers: { readonly by: Name; readonly atMs: number }[] = [];
const device = createSocket('udp4');
device.on('message', (bytes) => answers.push({ by: bytes.toString() as Name, atMs: performance.now() }));
device.on('error', () => undefined);
device.bind(0);
await once(device, 'listening');
const asking = setInterval(() => device.send('?', SIP, lan.vip), ASK_MS);

const floating = new Map<Name, Floating>();
const holders = (): readonly Name[] => NAMES.filter((name) => floating.get(name)?.holds());

/** The address answers `count` times more, without a pause longer than the time in which a device repeats. */
async function answered(count: number, by?: Name): Promise<void> {
  const from = answers.length;
  const enough = () =>
    answers.slice(from).filter((each) => by === undefined || each.by === by).length >= count;
  if (!(await until(enough, WITHIN_MS)))
    throw new Error(`the address did not answer${by ? ` at ${by}` : ''}`);
}

/** Something happens, then the address is at `by` for three seconds. */
async function seen(what: string, by: Name, happens: () => unknown): Promise<Seen> {
  const beganMs = performance.now();
  const from = answers.length;
  await happens();
  await answered(60, by);
  const times = [beganMs, ...answers.slice(from).map(({ atMs }) => atMs)];
  const silentMs = Math.round(Math.max(...times.slice(1).map((atMs, at) => atMs - (times[at] ?? atMs))));
  await until(() => holders().length === 1, WITHIN_MS);
  return { what, silentMs, answers: answers.at(-1)?.by ?? by, holders: holders() };
}

const logOf = (name: Name): string => join(folder, `${name}.log`);
function floatAt(name: Name): void {
  const plan = { host: lan.hosts[name], priority: PRIORITY[name], vip: lan.vip, webPort: WEB };
  floating.set(name, startFloating({ ...plan, runFolder: runFolder(name), logFile: logOf(name) }));
}
async function sink(name: Name): Promise<void> {
  await floating.get(name)?.close();
  floating.delete(name);
}

/**
 * Both begin. The VRRP process of keepalived sometimes ends in its first seconds, and keepalived starts it again. The other host may have the
 * address by then and rightly keeps it, so that the story could not go on: the start is repeated, twice at most.
 */
async function bothBegin(): Promise<Seen> {
  for (let left = 2; ; left--) {
    for (const name of NAMES) floatAt(name);
    try {
      return await seen('both begin at once', 'one', () => answered(1));
    } catch (cause) {
      const hasEnded = (name: Name) => readFileSync(logOf(name), 'utf8').includes('Restart of VRRP process');
      if (left === 0 || !NAMES.some(hasEnded)) throw cause;
      for (const name of NAMES) {
        await sink(name);
        rmSync(logOf(name));
      }
    }
  }
}

try {
  await Promise.all(NAMES.map(begin));
  const story: Seen[] = [await bothBegin()];
  story.push(await seen('the active appliance is killed', 'two', () => end('one')));
  story.push(await seen('it comes back', 'two', () => begin('one')));
  story.push(
    await seen('the active host is cut off', 'one', () => command('ip', 'link', 'set', 'to-two', 'down')),
  );
  story.push(await seen('it is joined again', 'one', () => command('ip', 'link', 'set', 'to-two', 'up')));
  story.push(
    await seen('both appliances hang for six seconds', 'one', async () => {
      for (const child of hosts.values()) child.kill('SIGSTOP');
      const beganMs = performance.now();
      // No program answers; the address must stay where it is all the time.
      const isLost = await until(
        () => holders().length === 0 || performance.now() - beganMs > 6_000,
        WITHIN_MS,
      );
      for (const child of hosts.values()) child.kill('SIGCONT');
      if (isLost && performance.now() - beganMs < 6_000) throw new Error('nobody had the address');
    }),
  );
  process.stdout.write(`${JSON.stringify(story)}\n`);
} finally {
  clearInterval(asking);
  for (const name of NAMES) await sink(name);
  for (const name of NAMES) await end(name);
  device.close();
  await lan.close();
}
