import type { CommandModule } from '../shell/command-tree.ts';

/** The commands of a field technician on site hardware: look, install, network, enrol, test, hand over, update, remove. */
export const TECHNICIAN_MODULES: readonly CommandModule[] = [
  {
    words: ['preflight'],
    add: async (root, programs) => (await import('./check/preflight.ts')).preflightCommand(root, programs),
  },
  {
    words: ['install', 'configure'],
    add: async (root, programs) => (await import('./install/install.ts')).installCommands(root, programs),
  },
  {
    words: ['network'],
    add: async (root, programs) => (await import('./network/network.ts')).networkCommands(root, programs),
  },
  {
    words: ['enrol'],
    add: async (root, programs) => (await import('./install/enrol.ts')).enrolCommand(root, programs),
  },
  {
    words: ['selftest', 'test-alarm'],
    add: async (root, programs) => (await import('./check/selftest.ts')).selfTestCommands(root, programs),
  },
  {
    words: ['status'],
    add: async (root, programs) => (await import('./check/status.ts')).statusCommand(root, programs),
  },
  {
    words: ['support-bundle'],
    add: async (root, programs) =>
      (await import('./check/support-bundle.ts')).supportBundleCommand(root, programs),
  },
  {
    words: ['capture'],
    add: async (root) => (await import('./check/capture.ts')).captureCommand(root),
  },
  {
    words: ['upgrade', 'rollback'],
    add: async (root, programs) => (await import('./install/upgrade.ts')).upgradeCommands(root, programs),
  },
  {
    words: ['uninstall'],
    add: async (root, programs) => (await import('./install/uninstall.ts')).uninstallCommand(root, programs),
  },
  {
    words: ['maintenance'],
    add: async (root, programs) =>
      (await import('./install/maintenance.ts')).maintenanceCommand(root, programs),
  },
];
