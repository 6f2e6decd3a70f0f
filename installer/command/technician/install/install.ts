import { existsSync, realpathSync } from 'node:fs';
import { hostname, totalmem } from 'node:os';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { serviceState, whenReady } from '../../../io/host/appliance-unit.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { run } from '../../../io/host/host-program.ts';
import { isPacked, ownUnits, ownVersion } from '../../../io/release.ts';
import { canAsk, question } from '../../../io/terminal/question.ts';
import {
  CONFIGURE_WATCH,
  configurePlan,
  installPlan,
  layout,
  neededMb,
  type Written,
} from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { demand, preflight, withIgnore } from '../check/preflight.ts';
import { failedPoints, runSelfTest } from '../check/selftest.ts';
import { vipActs, vipChange, vipFinding, wantedVip } from '../network/shared-address.ts';
import { timeActs, timeChange, timeFinding, wantedTime } from '../network/time-source.ts';
import { type Acts, conduct } from '../terminal/conduct.ts';
import { type Person, type PlanFlags, personOf, withPlanFlags } from '../terminal/person.ts';
import { type ApplianceSettings, judged, withSettingFlags, writtenFrom } from '../terminal/settings.ts';

interface InstallFlags extends PlanFlags {
  readonly ignore?: readonly string[];
  readonly selftest: boolean;
}

const READY_WITHIN_MS = 60_000;

/** `carillon install` and `carillon configure`. */
export function installCommands(root: Command, programs: Programs): void {
  withSettingFlags(withPlanFlags(withIgnore(root.command('install').summary('make this host an appliance'))))
    .description(
      'Checks this host, puts the program, the service and the configuration in place, and tests it.',
    )
    .option('--no-selftest', 'leave the self-test out')
    .addHelpText(
      'after',
      '\nExample:\n  carillon install --cloud https://cloud.example --claim 4F7K2M9QXT --yes',
    )
    .action((flags: InstallFlags) => install(flags, programs));
  withSettingFlags(withPlanFlags(root.command('configure').summary('change the settings of this host')))
    .description('Writes /etc/carillon/appliance.toml; the service takes it up, or everything is taken back.')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon configure --sip-udp 0.0.0.0:5062 --yes' +
        '\n  carillon configure --vip 192.0.2.10/24 --vip-hosts 192.0.2.11=150,192.0.2.12=100',
    )
    .action(configure);
}

async function install(flags: InstallFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  const written = await asked(writtenFrom({ ...flags }), person, flags);
  const settings = judged(written);
  demandMemory(settings, person);
  const { findings, vip: wanted, time: wantedClock } = await preflight(programs, settings, person);
  demand(findings, flags.ignore ?? [], person);
  const vip = vipChange(wanted);
  const time = timeChange(wantedClock);
  const packaged = (await installedFact())?.packaged === true;
  if (!packaged && !isPacked()) {
    throw new Stop(exitCode.missing, 'this is a checkout; build the program first: npm run build');
  }
  if (packaged) person.line(person.text('install.deb'));
  const version = ownVersion();
  const plan = installPlan({
    version,
    self: realpathSync(process.execPath),
    written,
    units: packaged ? [] : ownUnits(),
    packaged,
    vip,
    time,
  });
  const acts = { ...readyActs(person), ...timeActs(time, person), ...vipActs(vip, person) };
  await conduct(plan, acts, person, flags);
  if (flags.dryRun === true) return;
  if (flags.selftest) {
    const failed = failedPoints(await runSelfTest(programs, settings, person), person);
    if (failed !== '') {
      throw new Stop(exitCode.selfTestFailed, person.text('install.selftest-failed', { points: failed }));
    }
  }
  person.line(person.text('install.done', { version }));
}

async function configure(flags: PlanFlags): Promise<void> {
  const person = personOf(flags);
  if ((await installedFact()) === undefined) throw new Stop(exitCode.missing, person.text('service.none'));
  const written = await asked(writtenFrom({ ...flags }), person, flags);
  const settings = judged(written);
  demandMemory(settings, person);
  const wanted = await wantedVip(settings);
  if (wanted !== undefined) demand([vipFinding(wanted)], [], person);
  const wantedClock = await wantedTime(settings);
  if (wantedClock.kind === 'refused') demand(timeFinding(wantedClock), [], person);
  const vip = vipChange(wanted);
  const time = timeChange(wantedClock);
  const live = (await serviceState()).active !== 'none' && existsSync(layout.configuration);
  const acts = { ...configureActs(person), ...timeActs(time, person), ...vipActs(vip, person) };
  await conduct(configurePlan(written, live, vip, time), acts, person, flags);
}

/**
 * A service that may take more than there is would be ended by the kernel in the midst of an alarm. The other profiles fit on the
 * least machine that the preflight lets pass.
 */
function demandMemory({ memoryProfile = 'standard' }: ApplianceSettings, { text }: Person): void {
  const words = {
    profile: memoryProfile,
    needed: neededMb(memoryProfile),
    found: Math.round(totalmem() / 1_048_576),
  };
  if (memoryProfile === 'large' && words.found < words.needed)
    throw new Stop(exitCode.wrongConfiguration, text('memory.too-little', words));
}

export const readyActs = (person: Person): Acts => ({ ready: (before) => ready(before, person) });

/** A drain, a start and our own patience may take so long; then the command that watched the configuration has died. */
const WATCH_S = 240;

/** The service takes up a configuration; without us systemd has it taken back. */
export const configureActs = (person: Person): Acts => ({
  ...readyActs(person),
  watch: async () => {
    await run(['systemctl', 'stop', `${CONFIGURE_WATCH}.timer`]);
    const timer = ['systemd-run', '--collect', `--unit=${CONFIGURE_WATCH}`, `--on-active=${WATCH_S}s`];
    const armed = await run([...timer, process.execPath, 'maintenance']);
    if (armed.code !== 0)
      throw new Stop(exitCode.missing, `the way back cannot be armed: ${armed.err.trim()}`);
  },
  'watch-off': async () => void (await run(['systemctl', 'stop', `${CONFIGURE_WATCH}.timer`])),
});

/** Waits for READY, and says in one sentence why it does not come. */
export async function ready(before: string, person: Person, withinMs = READY_WITHIN_MS): Promise<void> {
  const outcome = await whenReady(before, withinMs);
  if (outcome.kind === 'refused') {
    throw new Stop(exitCode.wrongConfiguration, person.text('service.refused', { reason: outcome.reason }));
  }
  if (outcome.kind === 'notReady') {
    const words = { seconds: withinMs / 1_000, state: outcome.state };
    throw new Stop(exitCode.unexpected, person.text('service.not-ready', words));
  }
}

/** Asks for the settings that were not given yet; without a terminal or with `--yes` it asks nothing. */
async function asked(written: Written, person: Person, flags: PlanFlags): Promise<Written> {
  if (flags.yes === true || flags.dryRun === true || person.json || !canAsk()) return written;
  const answers: Record<string, string> = { ...written };
  const offered: Readonly<Record<string, string>> = { host_id: hostname().split('.')[0] ?? '' };
  for (const key of ['cloud', 'claim', 'host_id', 'address'] as const) {
    if (answers[key] !== undefined || (key === 'claim' && answers.cloud === undefined)) continue;
    const answer = await question(person.text(`ask.${key}`), offered[key]);
    if (answer !== '') answers[key] = answer;
  }
  return answers;
}
