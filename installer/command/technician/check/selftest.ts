import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import {
  SELF_TEST_FILE,
  type SelfTestPoint,
  type SelfTestRecord,
  selfTestTexts,
} from '#shared/self-test/index.ts';
import type { Listen } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { timeSource } from '../../../io/network/time-info.ts';
import { ownVersion } from '../../../io/release.ts';
import { dim } from '../../../io/terminal/terminal.ts';
import { layout, reachedAt } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { hostPort, listenOf } from '../../option/option-word.ts';
import { type CommonFlags, mark, type Person, personOf, withCommonFlags } from '../terminal/person.ts';
import {
  type ApplianceSettings,
  configured,
  judged,
  withSettingFlags,
  writtenFrom,
} from '../terminal/settings.ts';
import { mayRead } from './access.ts';

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
      'Tests SIP, audio, digits, codecs, speech, names, time, control plane, broker, trunks, ports and disk of this host, sends a test alarm to the applications that take its alarms, and says what to do about what fails.',
    )
    .option('--sip-peer <host:port>', 'a SIP server outside, to find routers that rewrite SIP', hostPort)
    .option('--local', 'leave out what needs the line to the outside')
    .addHelpText('after', '\nExample:\n  carillon selftest --json')
    .action(async (flags: SelfTestFlags) => {
      const person = personOf(flags);
      const more = { sipPeer: listenOf(flags.sipPeer), local: flags.local };
      const record = await runSelfTest(programs, judged(writtenFrom({ ...flags })), person, more);
      const failed = failedPoints(record, person);
      if (failed !== '') {
        throw new Stop(exitCode.selfTestFailed, person.text('selftest.failed', { points: failed }));
      }
      const skipped = record.points.filter(({ verdict }) => verdict === 'skipped').length;
      person.line(
        skipped === 0
          ? person.text('selftest.passed')
          : person.text('selftest.passed-skipped', { count: skipped }),
      );
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
  const folder = settings.data ?? layout.state;
  mayRead(folder, person);
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
  const enrolled = (await programs.hostOfSite(folder).catch(() => undefined)) !== undefined;
  // TLS for devices and the command queue wait for a certificate that they can trust.
  const ofEnrolled = enrolled ? [on(settings.sipTls), on(settings.sipWss), on(settings.commandQueue)] : [];
  const record = await programs.selfTest({
    folder,
    release,
    hostId,
    cloud: settings.cloud,
    sip: on(settings.sipUdp),
    tcp: [on(settings.applianceHttp), on(settings.sipTcp), on(settings.dc09), ...ofEnrolled].filter(
      (listen) => listen !== undefined,
    ),
    timeServer: (await timeSource())?.server,
    listener: on(settings.applianceHttp) ?? { host: '127.0.0.1', port: 8443 },
    ...more,
    onPoint: (point) => {
      const { id, verdict, found, code } = point;
      const advice = code && selfTestTexts[person.language].codes[code];
      person.record({ point: id, verdict, found, ...(advice && { code, advice }) });
      printPoint(point, person);
    },
  });
  person.record(record);
  if (more.local !== true) await send(programs, folder, record, person);
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

/** Names of the points that failed, for a sentence; empty when none did. */
export const failedPoints = (record: SelfTestRecord, person: Person): string =>
  [
    ...new Set(
      record.points.filter(({ verdict }) => verdict === 'failure').map(({ id }) => pointName(person, id)),
    ),
  ].join(', ');

/** The record of the last self-test, also when a person started it on the page; undefined: none is kept. */
export function keptSelfTest(folder: string): SelfTestRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SELF_TEST_FILE), 'utf8')) as SelfTestRecord;
  } catch {
    return undefined;
  }
}

const pointName = ({ language }: Person, id: SelfTestPoint['id']): string =>
  selfTestTexts[language].points[id];

/** One point: its verdict, its name, what was found, and on the next line what to do about it. */
function printPoint({ id, verdict, found, code }: SelfTestPoint, person: Person): void {
  const { points, codes } = selfTestTexts[person.language];
  const width = Math.max(...Object.values(points).map((name) => name.length));
  const said = code === undefined ? '' : codes[code];
  const shown = verdict === 'skipped' ? dim(said) : verdict === 'ok' ? dim(found) : found;
  person.line(`  ${mark(person, verdict)}  ${points[id].padEnd(width)}  ${shown}`);
  if (verdict === 'failure' || verdict === 'warning') person.line(`      ${said}`);
}

/** With all its addresses where it has several. */
const on = <At extends Listen>(listen: At | 'off' | undefined): At | undefined =>
  listen === 'off' ? undefined : listen;

/** SCAIP: a test over the main link, which no receiver takes for a person in need. */
const TEST_STATUS = '0102';
const DEVICE_TYPE = '0003';

async function testAlarm(flags: TestAlarmFlags, programs: Programs): Promise<void> {
  const person = personOf(flags);
  const settings = judged(configured());
  const folder = settings.data ?? layout.state;
  if (flags.domain === undefined) mayRead(folder, person);
  const host = await programs.hostOfSite(folder);
  const domain = flags.domain ?? host?.domain;
  const { device, receiver = 'scaip' } = flags;
  const sip = on(settings.sipUdp);
  if (sip === undefined) throw new Stop(exitCode.missing, person.text('test-alarm.no-sip'));
  if (domain === undefined) throw new Stop(exitCode.missing, person.text('test-alarm.no-site'));
  if (device === undefined) throw new Stop(exitCode.wrongUse, person.text('test-alarm.missing'));
  const begun = performance.now();
  const outcome = await programs.simulateScaip({
    to: reachedAt(sip),
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
