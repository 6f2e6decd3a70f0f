import type { Media } from '../control/index.ts';
import type { LinkCommands } from './packet/link.ts';

/** The commands that the engine gets between slices: everything a `Media` does, but opening legs, which needs sockets. */
const COMMANDS = [
  'updateLeg',
  'closeLeg',
  'stats',
  'connect',
  'disconnect',
  'echo',
  'play',
  'supply',
  'stop',
  'sendDigits',
  'listen',
  'watchSilence',
  'createConference',
  'join',
  'change',
  'leave',
  'endConference',
  'tap',
  'pauseTap',
  'untap',
] as const;

export type CommandName = (typeof COMMANDS)[number];
export type CommandAnswer<K extends CommandName> = Awaited<ReturnType<Media[K]>>;

/** The same as a `Media` does, answered at once. */
export type EngineCommands = {
  [K in CommandName]: (...args: Parameters<Media[K]>) => CommandAnswer<K>;
};

/** One command as it travels to a worker. */
export type EngineCommand =
  | { [K in CommandName]: readonly [name: K, ...args: Parameters<Media[K]>] }[CommandName]
  | {
      [K in keyof LinkCommands]: readonly [name: K, ...args: Parameters<LinkCommands[K]>];
    }[keyof LinkCommands];

/** Does what a command that travelled says. */
export function perform(
  engine: EngineCommands & LinkCommands,
  [name, ...args]: EngineCommand,
): CommandAnswer<CommandName> {
  const command = engine[name].bind(engine) as (...given: readonly unknown[]) => CommandAnswer<CommandName>;
  return command(...args);
}

/** The part of a `Media` that is commands, over whatever carries them. */
export function commandsOver(
  carry: (command: EngineCommand) => Promise<CommandAnswer<CommandName>>,
): Pick<Media, CommandName> {
  const methods = COMMANDS.map((name) => [
    name,
    (...args: readonly unknown[]) => carry([name, ...args] as unknown as EngineCommand),
  ]);
  return Object.fromEntries(methods) as Pick<Media, CommandName>;
}
