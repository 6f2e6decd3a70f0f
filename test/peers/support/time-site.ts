/**
 * The time of a site with two hosts, in a network of its own: `unshare --net node time-site.ts FOLDER`. chronyd of Debian with the drop-in
 * that the installer writes on both, each asking as the product does what it follows; none of them sets the clock of this machine (`-x`).
 * The last line is what was seen, as JSON.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chronyText, timePlace } from '#installer/plan/index.ts';
import { fromOutside, TRACKING, type Tracking, trackingIn } from '#shared/time-source/index.ts';
import { siteLan } from '#test/campaign/site-lan.ts';
import { until } from '#test/support/site.ts';
import { aheadServer } from './ahead-server.ts';

const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];
/** Beside the site: the gateway, on whose machine the named server runs, too. */
const OUTSIDE = '10.98.0.1';
const WITHIN_MS = 120_000;
/** Error of a server that is back after months. */
const AHEAD_MS = 30_000;
/** Lines of Debian's main file besides `confdir`, as far as they matter here. */
const MAIN = 'makestep 1 3\n';

/** The source that each host followed once both agreed, and how long that took, in ms. */
export interface Agreed {
  readonly what: string;
  readonly tookMs: number;
  readonly follows: Readonly<Record<Name, Tracking & { readonly outside: boolean }>>;
}

export interface TimeStory {
  readonly agreed: readonly Agreed[];
  /** A machine of the network that is no host of the site was given the time by one of them. */
  readonly strangerServed: boolean;
}

const folder = process.argv[2] ?? '';
const lan = await siteLan(folder, [1]);
const daemons: ChildProcess[] = [];

/** chronyd with a main file as Debian's, which reads the folder of drop-ins. */
async function begin(name: string, enter: readonly string[], dropIn: string): Promise<ChildProcess> {
  const place = join(folder, name);
  mkdirSync(join(place, 'conf.d'), { recursive: true, mode: 0o700 });
  writeFileSync(join(place, 'conf.d', 'carillon.conf'), dropIn);
  const own = `pidfile ${place}/chronyd.pid\nbindcmdaddress ${place}/chronyd.sock\n`;
  writeFileSync(join(place, 'chrony.conf'), `confdir ${place}/conf.d\n${MAIN}${own}`);
  const log = openSync(join(folder, `${name}.log`), 'a');
  const argv = [...enter, 'chronyd', '-x', '-d', '-u', 'root', '-f', join(place, 'chrony.conf')];
  const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['ignore', log, log] });
  daemons.push(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** As the product asks, in the place of the host. */
function tracking(name: Name): Tracking | undefined {
  const [program = '', ...words] = [...lan.hosts[name].enter, ...TRACKING];
  return trackingIn(spawnSync(program, words, { encoding: 'utf8' }).stdout);
}

async function agreed(what: string, isIt: (one: Tracking, two: Tracking) => boolean): Promise<Agreed> {
  const beganMs = performance.now();
  let [one, two]: [Tracking | undefined, Tracking | undefined] = [undefined, undefined];
  // The answer that was judged is the one that is given: the next one may be another.
  const holds = () => {
    [one, two] = [tracking('one'), tracking('two')];
    return one !== undefined && two !== undefined && one.synchronised && two.synchronised && isIt(one, two);
  };
  const came = await until(holds, WITHIN_MS);
  const tookMs = Math.round(performance.now() - beganMs);
  if (!came || one === undefined || two === undefined)
    throw new Error(`${what}: not within ${WITHIN_MS} ms: ${JSON.stringify([one, two])}`);
  const shown = (each: Tracking) => ({ ...each, outside: fromOutside(each) });
  return { what, tookMs, follows: { one: shown(one), two: shown(two) } };
}

/** The drop-in of a host, by the same way from its facts as the installer goes. */
function dropIn(name: Name): string {
  const { address, peer } = lan.hosts[name];
  const step = timePlace(
    {
      keeper: 'auto',
      servers: undefined,
      hosts: [lan.hosts.one.address, lan.hosts.two.address],
      sharing: [],
    },
    {
      ...{ chrony: 'running', readsFolder: true, configuration: 'none', other: undefined, servers: [] },
      ...{ addresses: ['127.0.0.1', address], gateways: [OUTSIDE] },
    },
  );
  if (step.kind !== 'place' || step.place.peers.join() !== peer) throw new Error(JSON.stringify(step));
  return chronyText(step.place);
}

const host = (name: Name): Promise<ChildProcess> => begin(name, lan.hosts[name].enter, dropIn(name));

/** One follows the other, and that one itself. */
const eachOther = (one: Tracking, two: Tracking): boolean =>
  Math.min(one.stratum, two.stratum) === 10 && Math.max(one.stratum, two.stratum) === 11;
const theServer = (one: Tracking, two: Tracking): boolean =>
  [one, two].every(({ server, stratum }) => server === OUTSIDE && stratum === 4);

/** Asks once, and sets nothing. */
const strangerServed = (): boolean =>
  spawnSync('chronyd', ['-Q', '-t', '5', '-u', 'root', `server ${lan.hosts.one.address} iburst maxsamples 1`])
    .status === 0;

try {
  // The one with the higher address is there first, and keeps its own time: it must give way.
  const second = await host('two');
  if (!(await until(() => tracking('two')?.stratum === 10, WITHIN_MS))) throw new Error('two has no time');
  const site = [second, await host('one')];
  const story: Agreed[] = [await agreed('no server answers', eachOther)];
  const stranger = strangerServed();
  // The clocks of a site go apart from those of the world: with two against one, or one against one, no side would have the majority.
  const endAhead = await aheadServer(AHEAD_MS);
  // A line that is back is noticed with the next question, up to 64 s later: here it is asked at once.
  const askNow = setInterval(() => {
    for (const name of NAMES)
      spawnSync('chronyc', ['-h', join(folder, name, 'chronyd.sock'), 'burst', '1/2', OUTSIDE]);
  }, 3_000);
  story.push(await agreed('a server comes back', theServer));
  clearInterval(askNow);
  for (const child of site) await end(child);
  await endAhead();
  await begin('outside', [], 'local stratum 3\nallow\n');
  for (const name of NAMES) await host(name);
  story.push(await agreed('both begin while a server answers', theServer));
  const result: TimeStory = { agreed: story, strangerServed: stranger };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  for (const child of daemons) await end(child);
  await lan.close();
}
