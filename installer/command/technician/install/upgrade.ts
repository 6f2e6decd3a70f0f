import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { serviceFigures, serviceState, textOf } from '../../../io/host/appliance-unit.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { run } from '../../../io/host/host-program.ts';
import { digestOf, ownKeys, programIn, sizeMb } from '../../../io/release-file.ts';
import {
  layout,
  rollbackPlan,
  SERVICE,
  slotOf,
  TRIAL_END,
  type UnitFile,
  upgradePlan,
  versionOf,
  WATCH,
} from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import {
  compareVersions,
  type ReleaseNote,
  readSignature,
  releaseNote,
  verifySignature,
} from '../../../release/index.ts';
import { type Acts, conduct, takeBackUnfinished, unfinishedPlan } from '../terminal/conduct.ts';
import { type Person, type PlanFlags, personOf, withPlanFlags } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { ready, readyActs } from './install.ts';

interface UpgradeFlags extends PlanFlags {
  readonly now?: boolean;
  readonly allowDowngrade?: boolean;
  readonly confirm?: boolean;
  readonly wait: string;
}

/** A start that hangs is killed by systemd after 60 s. */
const READY_WITHIN_MS = 70_000;
const SELF_TEST_WITHIN_MS = 35_000;
/** The time after which no command watches the upgrade any more: longer than both together take. */
const WATCH_S = 112;
/** `pending` goes after so long in health. */
const TRIAL = '10min';
const SPARE_MB = 50;
const KEPT_RELEASES = 2;

/** `carillon upgrade FILE` and `carillon rollback`. */
export function upgradeCommands(root: Command, programs: Programs): void {
  withPlanFlags(root.command('upgrade').summary('the next release, or back again'))
    .description(
      'Verifies the file, waits for calls, switches over, and takes everything back unless it works.',
    )
    .argument('[file]', 'carillon-linux-<cpu> or carillon-<version>-<cpu>.run, with its .minisig beside it')
    .option('--now', 'do not wait until no alarm and no call is active')
    .option('--wait <minutes>', 'how long to wait for that', '30')
    .option('--allow-downgrade', 'take an older release')
    .option('--confirm', 'the trial is over: keep the release that runs (done by itself after ten minutes)')
    .addHelpText('after', '\nExample:\n  carillon upgrade /media/stick/carillon-1.2.0-x64.run')
    .action((file: string | undefined, flags: UpgradeFlags) =>
      flags.confirm === true
        ? confirmTrial(personOf(flags))
        : upgradeTo(file, flags, programs, personOf(flags)),
    );
  withPlanFlags(root.command('rollback').summary('back to the release before'))
    .description('Switches to the previous release and starts it; an unfinished upgrade is taken back.')
    .addHelpText('after', '\nExample:\n  carillon rollback --yes')
    .action(rollback);
}

/** Also what `carillon maintenance` does with a release that the appliance was asked to take. */
export async function upgradeTo(
  file: string | undefined,
  flags: UpgradeFlags,
  programs: Programs,
  person: Person,
): Promise<void> {
  if (file === undefined) throw new Stop(exitCode.wrongUse, person.text('answer.missing', { flag: 'FILE' }));
  const installed = await installedFact();
  if (installed === undefined) throw new Stop(exitCode.missing, person.text('upgrade.not-current'));
  if (installed.packaged) throw new Stop(exitCode.wrongUse, person.text('upgrade.deb'));
  const note = await verified(file, person);
  fits(note, installed.version, flags, person);
  if (flags.dryRun !== true && process.getuid?.() === 0) await takeBackUnfinished(person);
  const running = readlinkSync(layout.current);
  if (running === slotOf(note.version)) {
    person.record({ plan: 'upgrade', changed: 0 });
    return person.line(person.text('upgrade.same', { version: note.version }));
  }
  roomFor(file, person);
  mkdirSync(layout.update, { recursive: true, mode: 0o700 });
  try {
    const program = await programIn(file, layout.unpacked);
    const units = await unitsOf(program);
    const plan = upgradePlan({ version: note.version, program, running, units, now: flags.now === true });
    await conduct(
      plan,
      upgradeActs(programs, { running, version: note.version }, flags, person),
      person,
      flags,
    );
    if (flags.dryRun !== true) person.line(person.text('upgrade.done', { version: note.version }));
  } finally {
    rmSync(layout.unpacked, { force: true });
  }
}

/** Is the file what was released? Nothing of it is believed or run before. */
async function verified(file: string, person: Person): Promise<ReleaseNote> {
  if (!existsSync(file)) throw new Stop(exitCode.damagedFile, person.text('upgrade.no-file', { file }));
  const keys = ownKeys();
  if (keys.length === 0) throw new Stop(exitCode.damagedFile, person.text('upgrade.no-keys'));
  const signatureFile = `${file}.minisig`;
  const text = textOf(signatureFile);
  if (text === undefined) {
    throw new Stop(exitCode.damagedFile, person.text('upgrade.unsigned', { file: signatureFile }));
  }
  const bad = (reason: string): Stop =>
    new Stop(exitCode.damagedFile, person.text('upgrade.bad-signature', { file, reason }));
  const read = readSignature(text);
  if (!read.ok) throw bad(read.error.reason);
  const comment = verifySignature(await digestOf(file), read.value, keys);
  if (!comment.ok) throw bad(comment.error.reason);
  const note = releaseNote(comment.value);
  if (!note.ok) throw bad(note.error.reason);
  return note.value;
}

function fits(note: ReleaseNote, running: string, flags: UpgradeFlags, person: Person): void {
  const { version, cpu } = note;
  if (cpu !== process.arch) {
    throw new Stop(exitCode.damagedFile, person.text('upgrade.cpu', { cpu, machine: process.arch }));
  }
  if (compareVersions(version, running) < 0 && flags.allowDowngrade !== true) {
    throw new Stop(exitCode.damagedFile, person.text('upgrade.older', { version, running }));
  }
}

/** The new release, its unpacked copy, and the databases once more. */
function roomFor(file: string, person: Person): void {
  const { bavail, bsize } = statfsSync(layout.opt);
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const least = (file.endsWith('.run') ? 4 : 2) * sizeMb(file) + SPARE_MB;
  if (free < least) throw new Stop(exitCode.disk, person.text('upgrade.space', { free, least }));
}

/** The verified program says which units belong to it; one that cannot brings none. */
async function unitsOf(program: string): Promise<readonly UnitFile[]> {
  await run(['chmod', 'u+x', program]);
  const { code, out } = await run([program, 'version', '--units'], { withinMs: 10_000 });
  if (code !== 0) return [];
  try {
    return (JSON.parse(out) as { units: readonly UnitFile[] }).units;
  } catch {
    return [];
  }
}

/** The slot to leave, and the version to start. */
interface Move {
  readonly running: string;
  readonly version: string;
}

/**
 * Checks that the new release answers. One that fails at once is taken back by `carillon-rollback.service` before anybody
 * here has looked, and the old one then answers in its place.
 */
function expectNew({ version }: Move, person: Person): void {
  if (readlinkSync(layout.current) === slotOf(version)) return;
  throw new Stop(exitCode.unexpected, person.text('upgrade.replaced'));
}

const upgradeActs = (programs: Programs, move: Move, flags: UpgradeFlags, person: Person): Acts => ({
  databases: async () => {
    const into = join(layout.databases, versionOf(move.running));
    await programs.copyDatabases(judged(configured()).data ?? layout.state, into);
  },
  quiet: () => quiet(Number(flags.wait), person),
  watch: async () => {
    await run(['systemctl', 'stop', `${WATCH}.timer`]);
    const back = `[ -e ${layout.pending} ] && ${layout.rollback} && systemctl restart --no-block ${SERVICE}`;
    const timer = [
      'systemd-run',
      '--collect',
      `--unit=${WATCH}`,
      `--on-active=${WATCH_S}s`,
      'sh',
      '-c',
      back,
    ];
    const armed = await run(timer);
    if (armed.code !== 0)
      throw new Stop(exitCode.missing, `the way back cannot be armed: ${armed.err.trim()}`);
  },
  ready: async (before) => {
    await ready(before, person, READY_WITHIN_MS);
    expectNew(move, person);
  },
  'self-test': async () => {
    const failed = await selfTestFailures();
    expectNew(move, person);
    if (failed === undefined) return;
    throw new Stop(exitCode.selfTestFailed, person.text('upgrade.selftest', { points: failed }));
  },
  'watch-off': async () => {
    // That of an upgrade before would end this trial too early.
    await run(['systemctl', 'stop', `${WATCH}.timer`, `${TRIAL_END}.timer`]);
    await armTrialEnd();
  },
});

/** Again and again until it is in health: as long as it is not, the way back stays open. */
async function armTrialEnd(): Promise<void> {
  const later = ['systemd-run', '--collect', `--unit=${TRIAL_END}`, `--on-active=${TRIAL}`];
  await run([...later, `--on-unit-inactive=${TRIAL}`, layout.program, 'upgrade', '--confirm']);
}

/** A trial whose timer went with a start of the machine would last for ever, and a fault in a year would bring the old release back. */
export async function resumeTrial(): Promise<boolean> {
  if (!existsSync(layout.pending) || unfinishedPlan() !== undefined) return false;
  for (const timer of [WATCH, TRIAL_END])
    if ((await run(['systemctl', 'is-active', '--quiet', `${timer}.timer`])).code === 0) return false;
  await armTrialEnd();
  return true;
}

/** Nothing is cut off: alarms and calls end first. A service that cannot be asked serves none. */
async function quiet(minutes: number, person: Person): Promise<void> {
  for (const deadline = Date.now() + minutes * 60_000; ; await pause(1_000)) {
    if ((await activeWork()) === 0) return;
    if (Date.now() > deadline) throw new Stop(exitCode.tryAgain, person.text('upgrade.quiet', { minutes }));
  }
}

/** Alarms and calls that are active. */
export async function activeWork(): Promise<number> {
  const { data, applianceHttp } = judged(configured());
  const listener = applianceHttp ?? { host: '127.0.0.1', port: 8443 };
  const figures = await serviceFigures(data ?? layout.state, listener);
  return (figures?.alarm_sessions ?? 0) + (figures?.calls ?? 0);
}

/** The failed tests of the running release, without the line to the outside; undefined: nothing. */
async function selfTestFailures(): Promise<string | undefined> {
  const { code, out } = await run([layout.program, 'selftest', '--local', '--json'], {
    withinMs: SELF_TEST_WITHIN_MS,
  });
  return code === 0 ? undefined : failedIn(out);
}

function failedIn(lines: string): string {
  const failed = lines.split('\n').flatMap((line) => {
    try {
      const { point, verdict } = JSON.parse(line) as { point?: string; verdict?: string };
      return verdict === 'failure' && point !== undefined ? [point] : [];
    } catch {
      return [];
    }
  });
  return failed.join(', ') || '?';
}

/** After the trial, in health: no way back any more by itself, and unneeded releases are removed. */
async function confirmTrial(person: Person): Promise<void> {
  const version = textOf(layout.pending)?.trim();
  if (version === undefined) {
    await run(['systemctl', 'stop', `${TRIAL_END}.timer`]);
    return person.line(person.text('network.nothing'));
  }
  if ((await serviceState()).active !== 'active') {
    throw new Stop(exitCode.tryAgain, person.text('service.not-ready', { seconds: 0, state: 'not active' }));
  }
  const failed = await selfTestFailures();
  if (failed !== undefined)
    throw new Stop(exitCode.tryAgain, person.text('upgrade.selftest', { points: failed }));
  rmSync(layout.pending, { force: true });
  await run(['systemctl', 'stop', `${TRIAL_END}.timer`]);
  const kept = new Set([layout.current, layout.previous].map((link) => linkOf(link)?.split('/').at(-1)));
  const old = readdirSync(layout.releases)
    .filter((name) => !kept.has(name))
    .sort(compareVersions);
  for (const name of old.slice(0, Math.max(0, old.length - (KEPT_RELEASES - 1)))) {
    rmSync(join(layout.releases, name), { recursive: true, force: true });
  }
  // Copies are for the way back, which leads to the release before and no further.
  const before = linkOf(layout.previous)?.split('/').at(-1);
  for (const name of existsSync(layout.databases) ? readdirSync(layout.databases) : [])
    if (name !== before) rmSync(join(layout.databases, name), { recursive: true, force: true });
  person.line(person.text('upgrade.same', { version }));
}

async function rollback(flags: PlanFlags): Promise<void> {
  const person = personOf(flags);
  const installed = await installedFact();
  if (installed?.packaged === true) throw new Stop(exitCode.wrongUse, person.text('upgrade.deb'));
  const taken = flags.dryRun !== true && (await takeBackUnfinished(person));
  const running = linkOf(layout.current);
  if (taken) {
    await ready('', person);
    return person.line(person.text('rollback.done', { version: running?.split('/').at(-1) ?? '?' }));
  }
  const previous = linkOf(layout.previous);
  if (running === undefined || previous === undefined || !existsSync(`${previous}/carillon`)) {
    throw new Stop(exitCode.missing, person.text('rollback.none'));
  }
  await conduct(rollbackPlan(running, previous), readyActs(person), person, flags);
  if (flags.dryRun !== true) {
    person.line(person.text('rollback.done', { version: previous.split('/').at(-1) ?? '?' }));
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
