import { existsSync, readdirSync, rmSync } from 'node:fs';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../exit-code.ts';
import { installedFact } from '../../io/host-facts.ts';
import { keptByUninstall, layout, uninstallPlan } from '../../plan/index.ts';
import { conduct } from './conduct.ts';
import { type PlanFlags, personOf, withPlanFlags } from './person.ts';

interface UninstallFlags extends PlanFlags {
  readonly purge?: boolean;
}

/** `carillon uninstall`: leaves nothing but what it says. */
export function uninstallCommand(root: Command): void {
  withPlanFlags(root.command('uninstall').summary('take the product off this host'))
    .description(
      'Stops and removes service, units and releases. Configuration and data stay unless --purge is given.',
    )
    .option('--purge', 'also remove /etc/carillon and everything the site has stored')
    .addHelpText('after', '\nExample:\n  carillon uninstall --dry-run')
    .action(uninstall);
}

async function uninstall(flags: UninstallFlags): Promise<void> {
  const person = personOf(flags);
  const installed = await installedFact();
  if (installed?.packaged === true) throw new Stop(exitCode.wrongUse, person.text('uninstall.deb'));
  const purge = flags.purge === true;
  const units = existsSync(layout.units)
    ? readdirSync(layout.units).filter((name) =>
        /^carillon[-.].*\.(service|path|timer|target|socket)$/.test(name),
      )
    : [];
  await conduct(uninstallPlan({ units, purge }), { goodbye: async () => undefined }, person, flags);
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
