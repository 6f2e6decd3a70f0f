import { networkInterfaces } from 'node:os';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../exit-code.ts';
import { serviceFigures, serviceState, textOf } from '../../io/appliance-unit.ts';
import { installedFact } from '../../io/host-facts.ts';
import { JournalFile } from '../../io/journal-file.ts';
import { bold } from '../../io/terminal.ts';
import { layout } from '../../plan/index.ts';
import type { Programs } from '../../program.ts';
import type { HostOfSite, SelfTestRecord } from '../../technician-program.ts';
import { type CommonFlags, type Person, personOf, withCommonFlags } from './person.ts';
import { failedPoints, keptSelfTest } from './selftest.ts';
import { type ApplianceSettings, configured, judged } from './settings.ts';

/** What a host says of itself without asking anybody outside. */
export interface HostStatus {
  readonly release: string | undefined;
  readonly packaged: boolean;
  readonly service: string;
  readonly host: HostOfSite | undefined;
  readonly cloud: string | undefined;
  readonly figures: Readonly<Record<string, number>> | undefined;
  readonly pending: string | undefined;
  readonly interrupted: { readonly name: string; readonly step: string } | undefined;
  readonly selfTest: SelfTestRecord | undefined;
  readonly page: string;
  readonly code: string | undefined;
}

/** `carillon status`: offline, and for root with the code of the technician's page. */
export function statusCommand(root: Command, programs: Programs): void {
  withCommonFlags(root.command('status').summary('how this host is'))
    .description(
      'Prints release, service, enrolment, calls, alarms, the last self-test and the way to the local page.',
    )
    .addHelpText('after', '\nExample:\n  carillon status --lang sv')
    .action(async (flags: CommonFlags) => {
      const person = personOf(flags);
      const status = await hostStatus(programs);
      if (status.service === 'none') throw new Stop(exitCode.missing, person.text('service.none'));
      person.record({ ...status, code: status.code === undefined ? null : status.code });
      printStatus(status, person);
    });
}

export async function hostStatus(programs: Programs): Promise<HostStatus> {
  const settings = judged(configured());
  const folder = settings.data ?? layout.state;
  const journal = new JournalFile(layout.journal).read();
  const installed = await installedFact();
  const port = settings.applianceHttp?.port ?? 8443;
  return {
    release: installed?.version,
    packaged: installed?.packaged === true,
    service: (await serviceState()).active,
    host: await programs.hostOfSite(folder).catch(() => undefined),
    cloud: settings.cloud,
    figures: await serviceFigures(port),
    pending: textOf(layout.pending)?.trim(),
    interrupted: journal?.kind === 'cut' ? { name: journal.plan, step: journal.step ?? '' } : undefined,
    selfTest: keptSelfTest(),
    page: `https://${addressOf(settings)}:${port}/technician`,
    code: textOf(`${folder}/technician-code`)?.trim(),
  };
}

function addressOf(settings: ApplianceSettings): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const first = all.find(({ internal, family }) => !internal && family === 'IPv4');
  return settings.address ?? first?.address ?? '127.0.0.1';
}

function printStatus(status: HostStatus, person: Person): void {
  const { text } = person;
  const rows: [string, string][] = [
    [
      text('status.release'),
      `${status.release ?? text('status.unknown')}${status.packaged ? ' (.deb)' : ''}`,
    ],
    [text('status.service'), status.service],
    [text('status.enrolment'), enrolment(status.host, person)],
    [text('status.cloud'), status.cloud ?? '-'],
    [text('status.calls'), String(status.figures?.calls ?? text('status.unknown'))],
    [text('status.alarms'), String(status.figures?.alarm_sessions ?? text('status.unknown'))],
    [text('status.self-test'), lastTest(status.selfTest, person)],
    [text('status.page'), status.page],
  ];
  if (status.code !== undefined) rows.push([text('status.code'), bold(status.code)]);
  if (status.pending !== undefined) {
    rows.push([text('status.upgrade'), text('status.pending', { version: status.pending })]);
  }
  if (status.interrupted !== undefined) {
    const { name, step } = status.interrupted;
    rows.push([text('status.upgrade'), text('status.interrupted', { name, step: person.stepText(step) })]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) person.line(`${name.padEnd(width)}  ${value}`);
}

const enrolment = (host: HostOfSite | undefined, { text }: Person): string =>
  host === undefined ? text('status.not-enrolled') : `${host.hostId}, ${host.siteId}, ${host.domain}`;

function lastTest(record: SelfTestRecord | undefined, { text }: Person): string {
  if (record === undefined) return text('status.never');
  const date = record.at.slice(0, 16).replace('T', ' ');
  return record.passed
    ? text('status.passed', { date })
    : text('status.failed', { date, points: failedPoints(record) });
}
