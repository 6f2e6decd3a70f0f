import type { Command } from 'commander';
import type { Listen } from '#shared/setting/index.ts';
import { type ExitCode, exitCode, Stop } from '../../../exit-code.ts';
import { type AskGateway, hostFacts } from '../../../io/host/host-info.ts';
import { dim } from '../../../io/terminal/terminal.ts';
import type { TimeStep, VipStep } from '../../../plan/index.ts';
import { type Finding, judge, obstacles } from '../../../preflight/index.ts';
import type { Programs } from '../../../program.ts';
import { sayOr } from '../../../text/index.ts';
import { hostPort, listenOf } from '../../option/option-word.ts';
import { vipFinding, wantedVip } from '../network/shared-address.ts';
import { timeFinding, wantedTime } from '../network/time-source.ts';
import { type CommonFlags, mark, type Person, personOf, withCommonFlags } from '../terminal/person.ts';
import { type ApplianceSettings, judged, withSettingFlags, writtenFrom } from '../terminal/settings.ts';

interface PreflightFlags extends CommonFlags {
  readonly sipPeer?: string;
  readonly ignore?: readonly string[];
}

/** `carillon preflight`: can this host become an appliance? Changes nothing. */
export function preflightCommand(root: Command, programs: Programs): void {
  withSettingFlags(
    withCommonFlags(withIgnore(root.command('preflight').summary('can this host be an appliance?'))),
  )
    .description('Checks this host and says of each point what to do. Changes nothing.')
    .option(
      '--sip-peer <host:port>',
      'a SIP server outside, to find routers that rewrite SIP (default: port 5060 of the control plane)',
      hostPort,
    )
    .addHelpText('after', '\nExample:\n  carillon preflight --cloud https://cloud.example --json')
    .action(async (flags: PreflightFlags) => {
      const person = personOf(flags);
      const { sipPeer, ...given } = flags;
      const { findings } = await preflight(
        programs,
        judged(writtenFrom({ ...given })),
        person,
        listenOf(sipPeer),
      );
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
export async function preflight(
  programs: Programs,
  settings: ApplianceSettings,
  person: Person,
  sipPeer?: Listen,
): Promise<{
  readonly findings: readonly Finding[];
  readonly vip: VipStep | undefined;
  readonly time: TimeStep;
}> {
  const vip = await wantedVip(settings);
  const time = await wantedTime(settings);
  const findings = [
    ...judge(await hostFacts(settings, gatewayBy(programs), sipPeer)),
    ...(vip === undefined ? [] : [vipFinding(vip)]),
    ...timeFinding(time),
  ];
  for (const { id, verdict, found, text, words } of findings) {
    const what = sayOr(person.text, `check.${text}.what`, words, '');
    const then = sayOr(person.text, `check.${text}.do`, words, '');
    person.record({ check: id, verdict, found, ...(verdict !== 'ok' && { what, do: then }) });
    const detail = verdict === 'ok' ? dim(found) : `${what} ${then}`;
    person.line(`  ${mark(person, verdict)}  ${id.padEnd(14)} ${detail}`);
  }
  return { findings, vip, time };
}

/** A machine on which the question cannot even be asked is no worse for it. */
const gatewayBy =
  (programs: Pick<Programs, 'sipGateway'>): AskGateway =>
  async (host, port) => {
    const outcome = await programs.sipGateway(host, port).catch(() => undefined);
    if (outcome === undefined || outcome.code === 'alg.silent')
      return { kind: 'unmeasured', asked: `${host}:${port}` };
    return { kind: outcome.verdict === 'ok' ? 'untouched' : 'rewritten', found: outcome.found };
  };

/** Stops with the first failure that was not accepted. */
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
  throw new Stop(CODES[first.text] ?? CODES[first.id] ?? exitCode.missing, `${what} ${then}`);
}

const CODES: Readonly<Record<string, ExitCode>> = {
  root: exitCode.notPermitted,
  cpu: exitCode.damagedFile,
  disk: exitCode.disk,
  vip: exitCode.wrongConfiguration,
  'vip-missing': exitCode.missing,
  time: exitCode.wrongConfiguration,
  'time-missing': exitCode.missing,
};
