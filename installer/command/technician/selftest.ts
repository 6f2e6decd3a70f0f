import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { Listen } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { output } from '../../io/host-program.ts';
import { ownVersion } from '../../io/release.ts';
import { dim } from '../../io/terminal.ts';
import { layout } from '../../plan/index.ts';
import type { Programs } from '../../program.ts';
import type { SelfTestRecord } from '../../technician-program.ts';
import { type CommonFlags, mark, type Person, personOf, withCommonFlags } from './person.ts';
import { type ApplianceSettings, configured, judged, withSettingFlags, writtenFrom } from './settings.ts';

interface SelfTestFlags extends CommonFlags {
  readonly sipPeer?: string;
  readonly local?: boolean;
}

interface TestAlarmFlags extends CommonFlags {
  readonly device?: string;
  readonly receiver?: string;
  readonly password?: string;
  readonly domain?: string;
}

/** `carillon selftest` and `carillon test-alarm`. */
export function selfTestCommands(root: Command, programs: Programs): void {
  withSettingFlags(withCommonFlags(root.command('selftest').summary('try everything an alarm needs')))
    .description(
      'Tests SIP, audio, digits, codecs, speech, names, time, control plane, ports and disk of this host.',
    )
    .option('--sip-peer <host:port>', 'a SIP server outside, to find routers that rewrite SIP')
    .option('--local', 'leave out what needs the line to the outside')
    .addHelpText('after', '\nExample:\n  carillon selftest --json')
    .action(async (flags: SelfTestFlags) => {
      const person = personOf(flags);
      const more = { sipPeer: peerOf(flags.sipPeer), local: flags.local };
      const record = await runSelfTest(programs, judged(writtenFrom({ ...flags })), person, more);
      const failed = failedPoints(record);
      if (failed !== '') {
        throw new Stop(exitCode.selfTestFailed, person.text('selftest.failed', { points: failed }));
      }
      person.line(person.text('selftest.passed'));
    });
  withCommonFlags(root.command('test-alarm').summary('send a test alarm through this host to its receiver'))
    .description(
      'Sends one SCAIP alarm of a device of this site, marked as a test, and waits for its acknowledge.',
    )
    .option('--device <id>', 'device of the site')
    .option('--receiver <name>', 'destination it calls', 'scaip')
    .option('--password <password>', 'of the device, when it has one')
    .option('--domain <domain>', 'tenant (default: the one this host is enrolled in)')
    .addHelpText('after', '\nExample:\n  carillon test-alarm --device scaip-0001 --receiver scaip')
    .action((flags: TestAlarmFlags) => testAlarm(flags, programs));
}

/** Runs it, prints one screen, and keeps the record where it can be written. */
export async function runSelfTest(
  programs: Programs,
  settings: ApplianceSettings,
  person: Person,
  more: { readonly sipPeer?: Listen | undefined; readonly local?: boolean | undefined } = {},
): Promise<SelfTestRecord> {
  const hostId = settings.hostId ?? hostname();
  const release = ownVersion();
  person.line(
    person.text('selftest.title', {
      host: hostId,
      release,
      version: release,
      date: new Date().toISOString(),
    }),
  );
  const record = await programs.selfTest({
    folder: settings.data ?? layout.state,
    release,
    hostId,
    cloud: settings.cloud,
    sip: on(settings.sipUdp),
    tcpPorts: [on(settings.sipTcp)].flatMap((listen) => (listen === undefined ? [] : [listen.port])),
    rtpPorts: { from: settings.rtpPorts?.first ?? 20_000, to: settings.rtpPorts?.last ?? 23_999 },
    timeServer: await timeServer(),
    ...more,
    onPoint: ({ id, verdict, found }) => {
      person.record({ point: id, verdict, found });
      const shown = verdict === 'ok' || verdict === 'skipped' ? dim(found) : found;
      person.line(`  ${mark(person, verdict)}  ${id.padEnd(8)} ${shown}`);
    },
  });
  person.record(record);
  keep(record);
  if (more.local !== true) await send(programs, settings.data ?? layout.state, record, person);
  return record;
}

/** Only who may read the keys of the host can speak for it. */
async function send(
  programs: Programs,
  folder: string,
  record: SelfTestRecord,
  person: Person,
): Promise<void> {
  const sent = await programs.tellCloud(folder, { kind: 'selfTest', record }).catch(() => undefined);
  if (sent === undefined || (!sent.ok && sent.error.code === 'notEnrolled')) return;
  person.record({ sent: sent.ok });
  person.line(
    sent.ok ? person.text('selftest.sent') : person.text('selftest.not-sent', { reason: sent.error.reason }),
  );
}

/** Ids of the points that failed, for a sentence; empty when none did. */
export const failedPoints = (record: SelfTestRecord): string =>
  record.points
    .filter(({ verdict }) => verdict === 'failure')
    .map(({ id, found }) => `${id} (${found})`)
    .join(', ');

/** The record of the last self-test; undefined: none is kept. */
export function keptSelfTest(): SelfTestRecord | undefined {
  try {
    return JSON.parse(readFileSync(layout.acceptance, 'utf8')) as SelfTestRecord;
  } catch {
    return undefined;
  }
}

/** Root keeps it; somebody who only looks has no place for it. */
function keep(record: SelfTestRecord): void {
  try {
    mkdirSync(dirname(layout.acceptance), { recursive: true, mode: 0o700 });
    writeFileSync(layout.acceptance, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    if (process.getuid?.() === 0) throw new Stop(exitCode.disk, (cause as Error).message);
  }
}

const timeServer = (): Promise<string | undefined> =>
  output('timedatectl', 'show-timesync', '-p', 'ServerName', '--value').then((name) => name || undefined);

const on = (listen: Listen | 'off' | undefined): Listen | undefined =>
  listen === 'off' ? undefined : listen;

function peerOf(written: string | undefined): Listen | undefined {
  if (written === undefined) return undefined;
  const colon = written.lastIndexOf(':');
  const port = Number(written.slice(colon + 1));
  if (colon < 1 || !Number.isInteger(port)) {
    throw new Stop(
      exitCode.wrongUse,
      `--sip-peer ${written} is not HOST:PORT; write for example sip.example:5060.`,
    );
  }
  return { host: written.slice(0, colon), port };
}

/** SCAIP: a test over the main link, which no receiver takes for a person in need. */
const TEST_STATUS = '0102';
const DEVICE_TYPE = '0003';

async function testAlarm(flags: TestAlarmFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  const settings = judged(configured());
  const host = await programs.hostOfSite(settings.data ?? layout.state);
  const domain = flags.domain ?? host?.domain;
  const { device, receiver = 'scaip' } = flags;
  const sip = on(settings.sipUdp);
  if (device === undefined || domain === undefined || sip === undefined) {
    throw new Stop(exitCode.wrongUse, person.text('test-alarm.missing'));
  }
  const begun = performance.now();
  const outcome = await programs.simulateScaip({
    to: `127.0.0.1:${sip.port}`,
    transport: 'udp',
    domain,
    receiver,
    device,
    password: flags.password,
    count: 1,
    rate: 0,
    deviceType: DEVICE_TYPE,
    statusCode: TEST_STATUS,
    trust: undefined,
  });
  const ms = Math.round(performance.now() - begun);
  person.record({ acknowledged: outcome.acknowledged === 1, ms, answers: outcome.answers });
  if (outcome.acknowledged !== 1) {
    const reason = outcome.failures[0] ?? '?';
    throw new Stop(exitCode.selfTestFailed, person.text('test-alarm.failed', { reason }));
  }
  person.line(person.text('test-alarm.done', { ms }));
}
