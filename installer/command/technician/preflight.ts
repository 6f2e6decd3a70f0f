import type { Command } from 'commander';
import { type ExitCode, exitCode, Stop } from '../../exit-code.ts';
import { hostFacts } from '../../io/host-facts.ts';
import { dim } from '../../io/terminal.ts';
import { type Finding, judge, obstacles } from '../../preflight/index.ts';
import { sayOr } from '../../text/index.ts';
import { type CommonFlags, mark, type Person, personOf, withCommonFlags } from './person.ts';
import { type ApplianceSettings, judged, withSettingFlags, writtenFrom } from './settings.ts';

interface PreflightFlags extends CommonFlags {
  readonly ignore?: readonly string[];
}

/** `carillon preflight`: can this host become an appliance? Changes nothing. */
export function preflightCommand(root: Command): void {
  withSettingFlags(
    withCommonFlags(withIgnore(root.command('preflight').summary('can this host be an appliance?'))),
  )
    .description('Checks this host and says of each point what to do. Changes nothing.')
    .addHelpText('after', '\nExample:\n  carillon preflight --cloud https://cloud.example --json')
    .action(async (flags: PreflightFlags) => {
      const person = personOf(flags);
      const findings = await preflight(judged(writtenFrom({ ...flags })), person);
      demand(findings, flags.ignore ?? [], person);
    });
}

export const withIgnore = (command: Command): Command =>
  command.option(
    '--ignore <id>',
    'accept this failure of the preflight; may be given again',
    (id: string, all: readonly string[] = []) => [...all, id],
  );

/** Looks, judges and prints. */
export async function preflight(settings: ApplianceSettings, person: Person): Promise<readonly Finding[]> {
  const findings = judge(await hostFacts(settings));
  for (const { id, verdict, found, text, words } of findings) {
    const what = sayOr(person.text, `check.${text}.what`, words, '');
    const then = sayOr(person.text, `check.${text}.do`, words, '');
    person.record({ check: id, verdict, found, ...(verdict !== 'ok' && { what, do: then }) });
    const detail = verdict === 'ok' ? dim(found) : `${what} ${then}`;
    person.line(`  ${mark(person, verdict)}  ${id.padEnd(14)} ${detail}`);
  }
  return findings;
}

/** Stops with the first failure that nobody accepted. */
export function demand(findings: readonly Finding[], ignored: readonly string[], person: Person): void {
  const ids = [...new Set(findings.map(({ id }) => id))];
  const unknown = ignored.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const words = { id: unknown, ids: ids.join(', ') };
    throw new Stop(exitCode.wrongUse, person.text('preflight.no-check', words));
  }
  const [first] = obstacles(findings, ignored);
  if (first === undefined) return;
  const what = sayOr(person.text, `check.${first.text}.what`, first.words, first.id);
  const then = sayOr(person.text, `check.${first.text}.do`, first.words, '');
  throw new Stop(CODES[first.id] ?? exitCode.missing, `${what} ${then}`);
}

const CODES: Readonly<Record<string, ExitCode>> = {
  root: exitCode.notPermitted,
  cpu: exitCode.damagedFile,
  disk: exitCode.disk,
};
