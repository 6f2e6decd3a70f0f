import { exitCode, Stop } from '../../exit-code.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * npm keeps a flag for itself where the two dashes before it are missing (`npm start --callback URL`), and hands its value over as a
 * word. The script would run without the flag, so that the callbacks of a newcomer would go elsewhere.
 */
export function refuseFlagsOfNpm(flags: readonly string[], environment: Environment): void {
  const script = environment.npm_lifecycle_event;
  if (script === undefined) return;
  const kept = flags.find((flag) => environment[`npm_config_${flag.replaceAll('-', '_')}`] !== undefined);
  if (kept === undefined) return;
  const typed = script === 'start' ? 'npm start' : `npm run ${script}`;
  throw new Stop(
    exitCode.wrongUse,
    `npm has kept --${kept} for itself, because two dashes are missing before it. Write ${typed} -- --${kept} …`,
  );
}
