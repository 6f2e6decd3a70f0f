import { Command } from 'commander';
import type { Result } from '#shared/result.ts';
import { flagOf, type Program, type Sources, settingTable } from '#shared/setting/index.ts';
import { tuneHeap } from '../io/engine-flag.ts';
import { settingSources } from '../io/file/config-file.ts';
import { keepMemorySettled, settleMemory } from '../io/host/memory.ts';
import { openServiceWatch } from '../io/host/sd-notify.ts';
import { asked, complain, say } from '../io/terminal/terminal.ts';
import type { Programs, Running } from '../program.ts';
import { startFailure } from '../step/start-failure.ts';
import { withAdvice } from './shell/command-tree.ts';
import { ended } from './shell/ending.ts';

/**
 * The root command of a daemon, with no other command. Chosen: a daemon holds what it has loaded for as long as it runs, and the
 * commands for people are 8 MB of it.
 */
export function daemonRoot(programs: Programs): Command {
  const root = new Command('carillon');
  daemonCommands(root, programs);
  return withAdvice(root);
}

/** Runs a daemon to its end. Gives the exit code. */
export const runDaemon = (programs: Programs, words: readonly string[]): Promise<number> =>
  ended(daemonRoot(programs), words);

/** How a daemon uses memory: its heap from the start, and what it gives back once behind it, or again and again. */
export interface ProcessMemory {
  readonly tuneHeap: () => void;
  readonly settle: () => Promise<void>;
  readonly keepSettled: () => Promise<void>;
}

const ownMemory: ProcessMemory = { tuneHeap, settle: settleMemory, keepSettled: keepMemorySettled };

/** `carillon cloud` and `carillon appliance`: start, say `ready {…}`, serve until asked to stop. */
export function daemonCommands(root: Command, programs: Programs, memory: ProcessMemory = ownMemory): void {
  const cloud = root.command('cloud').summary('the control plane').description('Runs the control plane.');
  withSettings(cloud, 'cloud').action((flags: Record<string, string>) => {
    memory.tuneHeap();
    return serve(programs.startCloud, flags, memory.keepSettled);
  });
  cloud.addHelpText('after', '\nExample:\n  carillon cloud --http 127.0.0.1:8080 --data /var/lib/carillon');

  const appliance = root.command('appliance').summary('the daemon on the site');
  withSettings(appliance.description('Runs the appliance.'), 'appliance').action(
    (flags: Record<string, string>) => serve(programs.startAppliance, flags, memory.settle),
  );
  appliance.addHelpText(
    'after',
    '\nExample:\n  carillon appliance --cloud https://cloud.example --claim 4F7K2M9QXT',
  );
}

/** Adds a flag for every setting that this program looks at. */
function withSettings(command: Command, program: Program): Command {
  for (const setting of Object.values(settingTable)) {
    if (!setting.programs.includes(program)) continue;
    const fallback = setting.fallback ? ` (default ${setting.fallback})` : '';
    command.option(`--${flagOf(setting)} <value>`, `${setting.meaning}${fallback}`);
  }
  return command;
}

async function serve(
  start: (sources: Sources) => Promise<Result<Running>>,
  flags: Record<string, string>,
  settle: () => Promise<void>,
): Promise<void> {
  const watch = openServiceWatch(complain);
  const running = await start(settingSources(asFlags(flags)));
  if (!running.ok) throw startFailure(running.error.reason);
  const { setupLink } = running.value;
  if (setupLink !== undefined) say(`set-up link, good once, for the owner of the platform: ${setupLink}`);
  const { faults = async () => [], removed = new Promise<void>(() => {}), close, ready } = running.value;
  // Before anybody who waits for the line below can ask for the end.
  // A machine that is no host any more has nothing to serve.
  const end = Promise.race([asked(), removed]);
  say(`ready ${JSON.stringify(ready)}`);
  // One that never gets well can be asked to end, too.
  await Promise.race([watch?.ready('answers', faults), end]);
  void settle();
  await end;
  await watch?.stopping();
  await close();
}

/** commander hands flags over in camel case; settings know them in kebab case. */
const asFlags = (options: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`),
      value,
    ]),
  );
