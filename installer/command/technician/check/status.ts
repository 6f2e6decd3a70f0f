import { readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Command } from 'commander';
import type { SelfTestRecord } from '#shared/self-test/index.ts';
import type { Listen } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { JournalFile } from '../../../io/file/journal-file.ts';
import { type LiveState, liveState, serviceState, textOf } from '../../../io/host/appliance-unit.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { timeSource } from '../../../io/network/time-info.ts';
import { bold } from '../../../io/terminal/terminal.ts';
import { layout } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import type { HostOfSite } from '../../../technician-program.ts';
import { type CommonFlags, type Person, personOf, withCommonFlags } from '../terminal/person.ts';
import { type ApplianceSettings, configured, judged } from '../terminal/settings.ts';
import { isReadable } from './access.ts';
import { failedPoints, keptSelfTest } from './selftest.ts';

/** The status of a host without a question to anybody outside. */
export interface HostStatus {
  readonly release: string | undefined;
  readonly packaged: boolean;
  /** Releases by name: the one that runs, and the one `carillon rollback` goes to. */
  readonly slots: { readonly current: string | undefined; readonly previous: string | undefined };
  readonly service: string;
  /** False for a person who may not look into the folder of all state: most of the rest is unknown then. */
  readonly readable: boolean;
  readonly host: HostOfSite | undefined;
  readonly cloud: string | undefined;
  /** The source of this host's time, as its time service says; undefined: it does not say. */
  readonly time: Awaited<ReturnType<typeof timeSource>>;
  /** The report of the service about itself; undefined when it does not answer. */
  readonly live: LiveState | undefined;
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
  const { port } = on(settings.applianceHttp);
  return {
    release: installed?.version,
    packaged: installed?.packaged === true,
    slots: { current: slotName(layout.current), previous: slotName(layout.previous) },
    readable: isReadable(folder),
    service: (await serviceState()).active,
    host: await programs.hostOfSite(folder).catch(() => undefined),
    cloud: settings.cloud,
    time: await timeSource(),
    live: await liveState(folder, on(settings.applianceHttp)),
    pending: textOf(layout.pending)?.trim(),
    interrupted: journal?.kind === 'cut' ? { name: journal.plan, step: journal.step ?? '' } : undefined,
    selfTest: keptSelfTest(folder),
    page: `https://${addressOf(settings)}:${port}/technician`,
    code: textOf(`${folder}/technician-code`)?.trim(),
  };
}

const on = (listen: ApplianceSettings['applianceHttp']): Listen =>
  listen ?? { host: '127.0.0.1', port: 8443 };

function slotName(link: string): string | undefined {
  try {
    return readlinkSync(link).split('/').at(-1);
  } catch {
    return undefined;
  }
}

function addressOf(settings: ApplianceSettings): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const first = all.find(({ internal, family }) => !internal && family === 'IPv4');
  return settings.address ?? first?.address ?? '127.0.0.1';
}

function printStatus(status: HostStatus, person: Person): void {
  const rows = statusRows(status, person);
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) person.line(`${name.padEnd(width)}  ${value}`);
  if (!status.readable) person.line(person.text('status.root'));
}

/** Names and values as a person reads them, in their order. */
export function statusRows(status: HostStatus, person: Person): readonly Row[] {
  const { text } = person;
  const counted = (count: number | undefined): string => String(count ?? text('status.unknown'));
  const rows: Row[] = [
    [
      text('status.release'),
      `${status.release ?? text('status.unknown')}${status.packaged ? ' (.deb)' : ''}`,
    ],
    ...(status.slots.previous === undefined ? [] : [[text('status.previous'), status.slots.previous] as Row]),
    [text('status.service'), status.service],
    ...(status.live?.faults ?? []).map((fault): Row => [text('status.fault'), fault]),
    [text('status.enrolment'), status.readable ? enrolment(status.host, person) : text('status.unknown')],
    [text('status.cloud'), cloudLine(status, person)],
    [text('status.time'), timeLine(status, person)],
    [text('status.calls'), counted(status.live?.figures.calls)],
    [text('status.alarms'), counted(status.live?.figures.alarm_sessions)],
    [text('status.waiting'), waitingLine(status.live, person)],
    [text('status.self-test'), status.readable ? lastTest(status.selfTest, person) : text('status.unknown')],
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
  return rows;
}

type Row = [name: string, value: string];

function cloudLine({ cloud, live, host }: HostStatus, { text }: Person): string {
  const address = cloud ?? host?.edgeUrl;
  if (address === undefined) return '-';
  if (live?.connected === undefined || host === undefined) return address;
  return `${address}, ${text(live.connected ? 'status.connected' : 'status.away')}`;
}

/** The hosts of a site that keep one time without a line are no source: the reader must know that no outside source was asked. */
function timeLine({ time }: HostStatus, { text }: Person): string {
  if (time === undefined) return text('status.unknown');
  return time.outside ? (time.server ?? 'chrony') : text('status.time-site');
}

/** The rows that are stored here and have not reached their receiver yet. */
function waitingLine(live: LiveState | undefined, { text }: Person): string {
  if (live?.waiting === undefined) return text('status.unknown');
  const { alarm, svc, audit } = live.waiting;
  return text('status.waiting-rows', { alarm, other: svc + audit });
}

const enrolment = (host: HostOfSite | undefined, { text }: Person): string =>
  host === undefined ? text('status.not-enrolled') : `${host.hostId}, ${host.siteId}, ${host.domain}`;

function lastTest(record: SelfTestRecord | undefined, person: Person): string {
  const { text } = person;
  if (record === undefined) return text('status.never');
  const date = record.at.slice(0, 16).replace('T', ' ');
  return record.passed
    ? text('status.passed', { date })
    : text('status.failed', { date, points: failedPoints(record, person) });
}
