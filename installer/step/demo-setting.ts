type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a daemon of the demo, and what a person gave that the demo cannot honour. */
export interface DemoEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  readonly setAside: readonly string[];
}

/** The demo holds what a person gave within its own value: nothing is set aside. */
const QUIET: ReadonlySet<string> = new Set(['CARILLON_DATA', 'CARILLON_TRUST', 'CARILLON_ALLOW_PRIVATE']);

/**
 * The environment that a daemon of the demo reads: the settings of the person and those of the demo. The demo keeps its addresses,
 * folders and names, because its parts find each other by them.
 */
export function demoEnvironment(given: Environment, own: Readonly<Record<string, string>>): DemoEnvironment {
  const named = Object.entries(given).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const theirs = Object.fromEntries(named);
  return {
    environment: { ...theirs, ...own },
    setAside: Object.keys(own).filter(
      (name) => !QUIET.has(name) && theirs[name] !== undefined && theirs[name] !== own[name],
    ),
  };
}

/** Certificates that the demo trusts: of its own authority, and what the person named. */
export const trustedPem = (own: string, theirs: string): string => `${own.trimEnd()}\n${theirs.trimEnd()}\n`;
