import type { Command } from 'commander';
import type { Programs } from '../../program.ts';
import { enrolCommand } from './enrol.ts';
import { installCommands } from './install.ts';
import { maintenanceCommand } from './maintenance.ts';
import { networkCommands } from './network.ts';
import { preflightCommand } from './preflight.ts';
import { selfTestCommands } from './selftest.ts';
import { statusCommand } from './status.ts';
import { supportBundleCommand } from './support-bundle.ts';
import { uninstallCommand } from './uninstall.ts';
import { upgradeCommands } from './upgrade.ts';

/** What a field technician runs on site hardware: look, install, network, enrol, test, hand over, update, remove. */
export function technicianCommands(root: Command, programs: Programs): void {
  preflightCommand(root, programs);
  installCommands(root, programs);
  networkCommands(root, programs);
  enrolCommand(root, programs);
  selfTestCommands(root, programs);
  statusCommand(root, programs);
  supportBundleCommand(root, programs);
  upgradeCommands(root, programs);
  uninstallCommand(root, programs);
  maintenanceCommand(root, programs);
}
