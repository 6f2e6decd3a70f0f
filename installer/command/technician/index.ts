import type { Command } from 'commander';
import type { Programs } from '../../program.ts';
import { captureCommand } from './check/capture.ts';
import { preflightCommand } from './check/preflight.ts';
import { selfTestCommands } from './check/selftest.ts';
import { statusCommand } from './check/status.ts';
import { supportBundleCommand } from './check/support-bundle.ts';
import { enrolCommand } from './install/enrol.ts';
import { installCommands } from './install/install.ts';
import { maintenanceCommand } from './install/maintenance.ts';
import { uninstallCommand } from './install/uninstall.ts';
import { upgradeCommands } from './install/upgrade.ts';
import { networkCommands } from './network/network.ts';

/** The commands of a field technician on site hardware: look, install, network, enrol, test, hand over, update, remove. */
export function technicianCommands(root: Command, programs: Programs): void {
  preflightCommand(root, programs);
  installCommands(root, programs);
  networkCommands(root, programs);
  enrolCommand(root, programs);
  selfTestCommands(root, programs);
  statusCommand(root, programs);
  supportBundleCommand(root, programs);
  captureCommand(root);
  upgradeCommands(root, programs);
  uninstallCommand(root, programs);
  maintenanceCommand(root, programs);
}
