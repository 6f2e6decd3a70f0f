import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { textOf } from '../../../io/host/appliance-unit.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { ownVersion } from '../../../io/release.ts';
import { isOurTime, isOurVip, keptByUninstall, layout, uninstallPlan } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { conduct } from '../terminal/conduct.ts';
import { type Person, type PlanFlags, personOf, withPlanFlags } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';

interface UninstallFlags extends PlanFlags {
  readonly purge?: boolean;
}

/** `carillon uninstall`: leaves nothing but what it says. */
export function uninstallCommand(root: Command, programs: Programs): void {
  withPlanFlags(root.command('uninstall').summary('take the product off this host'))
    .description(
      'Stops and removes service, units and releases. Configuration and data stay unless --purge is given.',
    )
    .option('--purge', 'also remove /etc/carillon and everything the site has stored')
    .addHelpText('after', '\nExample:\n  carillon uninstall --dry-run')
    .action((flags: UninstallFlags) => uninstall(flags, programs));
}

async function uninstall(flags: UninstallFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  const installed = await installedFact();
  if (installed?.packaged === true) throw new Stop(exitCode.wrongUse, person.text('uninstall.deb'));
  const purge = flags.purge === true;
  const units = existsSync(layout.units)
    ? readdirSync(layout.units).filter((name) =>
        /^carillon[-.].*\.(service|path|timer|target|socket)$/.test(name),
      )
    : [];
  await conduct(
    uninstallPlan({
      units,
      purge,
      vip: isOurVip(textOf(layout.keepalived) ?? ''),
      time: isOurTime(textOf(layout.chrony) ?? ''),
    }),
    { goodbye: () => goodbye(programs, purge, person) },
    person,
    flags,
  );
  if (flags.dryRun === true) return;
  // Its own journal goes last.
  if (purge) rmSync(layout.update, { recursive: true, force: true });
  const kept = keptByUninstall.filter((path) => existsSync(path));
  person.record({ kept });
  person.line(
    kept.length === 0
      ? person.text('uninstall.purged')
      : person.text('uninstall.done', { kept: kept.join(', ') }),
  );
}

/** The control plane learns why this host falls silent; a failure of this report does not stop the command. */
async function goodbye(programs: Programs, purge: boolean, person: Person): Promise<void> {
  const folder = judged(configured()).data ?? layout.state;
  const report = await programs
    .tellCloud(folder, { kind: 'uninstalled', release: ownVersion(), purge })
    .catch(() => undefined);
  if (report === undefined || (!report.ok && report.error.code === 'notEnrolled')) return;
  person.record({ told: report.ok });
  person.line(
    report.ok
      ? person.text('uninstall.told')
      : person.text('uninstall.not-told', { reason: report.error.reason }),
  );
}
