import { join } from 'node:path';
import { type Site, until } from '#test/support/site.ts';
import { judge, type Verdict } from '#test/support/site-history.ts';
import { allArrived, deliveries, readJournal } from '#test/support/site-journal.ts';
import type { TimedAlarm } from './timed-devices.ts';
import { timedDevices } from './timed-run.ts';

const QUIET_WITHIN_MS = 60_000;

/** Runs known devices beside `fault`, which has as long as they send; resolves to all of their alarms. */
export async function beside(
  site: Site,
  load: Parameters<typeof timedDevices>[1],
  fault: () => Promise<void>,
): Promise<readonly TimedAlarm[]> {
  const [alarms] = await Promise.all([timedDevices(site, load), fault()]);
  return alarms;
}

/** Waits until all is quiet, and compares devices, journal and application. */
export async function judgedAtRest(site: Site, alarms: readonly TimedAlarm[]): Promise<Verdict> {
  const acknowledged = alarms
    .filter(({ acknowledgedMs }) => acknowledgedMs !== undefined)
    .map(({ reference }) => reference);
  const journal = join(site.applianceFolder, 'journal.db');
  await until(() => allArrived(site.received, acknowledged), QUIET_WITHIN_MS);
  await until(() => readJournal(journal).waiting.length === 0, QUIET_WITHIN_MS);
  return judge(
    {
      devices: { sent: alarms.length, acknowledged },
      journal: readJournal(journal),
      application: deliveries(site.received),
    },
    'same id',
  );
}

export const now = (): number => performance.timeOrigin + performance.now();
