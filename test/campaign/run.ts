/**
 * `npm run campaign [-- NAME …] [--minutes N] [--times N] [--seed S] [--without-mutants]`: the reliability campaigns on real processes. Ends 0 when
 * every promise was kept, 1 when one was broken, 64 for wrong use, 69 when this machine cannot run one.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type Campaign, NotPossible } from './campaign.ts';
import { needRoot, ownNamespace } from './command.ts';
import { failover } from './failover.ts';
import { clock } from './fault/clock.ts';
import { damage } from './fault/damage.ts';
import { diskFull } from './fault/disk-full.ts';
import { flood } from './fault/flood.ts';
import { frozen } from './fault/frozen.ts';
import { soak } from './fault/soak.ts';
import { kill9 } from './kill9.ts';
import { loss } from './loss.ts';
import { pair } from './pair.ts';
import { people } from './people/people.ts';
import { powercut } from './powercut.ts';
import { controlPlane } from './replica/control-plane.ts';
import { sending } from './sending.ts';
import { table } from './table.ts';
import { wan } from './wan.ts';

const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  kill9,
  powercut,
  loss,
  wan,
  failover,
  pair,
  sending,
  people,
  flood,
  damage,
  'disk-full': diskFull,
  clock,
  frozen,
  soak,
  'control-plane': controlPlane,
};
const EXIT = { kept: 0, broken: 1, wrongUse: 64, missing: 69 } as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

interface Wanted {
  readonly names: readonly string[];
  readonly minutes: number | undefined;
  readonly times: number | undefined;
  readonly seed: number;
  readonly withoutMutants: boolean;
  /** We are in a namespace made for this campaign. */
  readonly inside: boolean;
}

/** Undefined: said what is wrong. */
function wanted(): Wanted | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        times: { type: 'string' },
        seed: { type: 'string' },
        'without-mutants': { type: 'boolean', default: false },
        inside: { type: 'boolean', default: false },
      },
    });
    const unknown = positionals.find((name) => CAMPAIGNS[name] === undefined);
    if (unknown !== undefined) throw new Error(`there is no campaign ${unknown}`);
    return {
      names: positionals.length === 0 ? Object.keys(CAMPAIGNS) : positionals,
      minutes: values.minutes === undefined ? undefined : positive('--minutes', values.minutes),
      times: values.times === undefined ? undefined : positive('--times', values.times),
      seed: values.seed === undefined ? Date.now() % 1_000_000 : positive('--seed', values.seed),
      withoutMutants: values['without-mutants'],
      inside: values.inside,
    };
  } catch (cause) {
    complain(cause instanceof Error ? cause.message : String(cause));
    for (const [name, { summary }] of Object.entries(CAMPAIGNS)) complain(`  ${name.padEnd(9)} ${summary}`);
    return undefined;
  }
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`${flag} ${text}: write a number above 0`);
}

async function runOne(name: string, campaign: Campaign, what: Wanted): Promise<number> {
  const { minutes, times, seed, withoutMutants, inside } = what;
  if (campaign.changes !== undefined && !inside) return inNamespace(campaign.changes, name, what);
  say(`${name}: ${campaign.summary} (seed ${seed})`);
  const startMs = performance.now();
  const runs = await campaign.run({ minutes, times, seed, withoutMutants, say: (line) => say(`  ${line}`) });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  const kept = runs.every((run) => run.violations.length === 0);
  say(table(`${name}: ${kept ? 'every promise kept' : 'BROKEN'}, ${seconds} s, seed ${seed}`, runs));
  return kept ? EXIT.kept : EXIT.broken;
}

/** The same program where what it changes of the machine ends with it. */
function inNamespace(
  of: 'network' | 'mounts',
  name: string,
  { minutes, seed, withoutMutants }: Wanted,
): number {
  needRoot(`a change of the ${of}`);
  const length = minutes === undefined ? [] : ['--minutes', String(minutes)];
  const [unshare, namespace] = ownNamespace(of);
  const less = withoutMutants ? ['--without-mutants'] : [];
  const words = [import.meta.filename, name, ...length, ...less, '--seed', String(seed), '--inside'];
  const run = spawnSync(unshare, [namespace, process.execPath, ...words], { stdio: 'inherit' });
  if (run.error !== undefined) throw new NotPossible(`${unshare}: ${run.error.message}`);
  return run.status ?? EXIT.broken;
}

async function main(): Promise<number> {
  const what = wanted();
  if (what === undefined) return EXIT.wrongUse;
  let worst: number = EXIT.kept;
  for (const name of what.names) {
    const campaign = CAMPAIGNS[name];
    if (campaign === undefined) continue;
    try {
      worst = Math.max(worst, await runOne(name, campaign, what));
    } catch (cause) {
      const missing = cause instanceof NotPossible;
      complain(
        `${name}: ${missing ? `cannot be run here: ${cause.message}` : String(cause instanceof Error ? cause.stack : cause)}`,
      );
      worst = Math.max(worst, missing ? EXIT.missing : EXIT.broken);
    }
  }
  return worst;
}

process.exit(await main());
