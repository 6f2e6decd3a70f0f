import { join } from 'node:path';
import { openSite, type Site, until } from '#test/support/site.ts';
import { judge, judgeUplink } from '#test/support/site-history.ts';
import { allArrived, deliveries, readJournal } from '#test/support/site-journal.ts';
import { readUplink } from '#test/support/site-uplink.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run } from './campaign.ts';
import { type DeviceRun, startDevices } from './device-run.ts';
import { skipping } from './skipping.ts';

const RATE = 50;
const SHORT_S = 6;
/** Each makes the appliance tell the cloud of an unknown device: more than fit into one message of the uplink. */
const STRANGERS = 120;
const QUIET_WITHIN_MS = 30_000;
/** The appliance tries the cloud again at most every 15 s in the first three minutes of an outage. */
const BACK_WITHIN_MS = 60_000;

/** Cloud and broker stopped, the host started again: alarms go on, and what the cloud missed comes in order. */
export const wan: Campaign = {
  summary:
    'no cloud, no broker, host restarted: alarms flow; when they return the uplink catches up in order',
  run: async (setting) => {
    const whole = await story(setting, []);
    // An uplink that passes rows over.
    const mutant = await story({ ...setting, minutes: undefined }, skipping);
    return [
      ...whole,
      ...mutant
        .slice(1)
        .map((run) => mustBreak({ ...run, name: 'rows passed over' }, 'missing in the cloud')),
    ];
  },
};

async function story(setting: CampaignSetting, applianceNode: readonly string[]): Promise<readonly Run[]> {
  const site = await openSite({ applianceNode });
  try {
    return [await alone(site, setting), await reunited(site, setting, applianceNode.length > 0)];
  } finally {
    await site.close();
  }
}

async function alone(site: Site, { minutes, say }: CampaignSetting): Promise<Run> {
  await site.killCloud();
  await site.killAppliance();
  // Each unknown device is to be an event of its own: the budget would sum those beyond the hundredth.
  await site.startAppliance({ CARILLON_RATE_LIMITS: 'off' });
  const seconds = minutes === undefined ? SHORT_S : minutes * 60;
  say(`cloud and broker are dead, the appliance was started again; ${RATE} alarms/s for ${seconds} s`);
  const runs = [
    startDevices(site, { count: RATE * seconds, rate: RATE }),
    startDevices(site, { count: STRANGERS, rate: RATE, devices: strangers() }),
  ];
  const { sent, failures, acknowledged } = await outcome(runs);
  await until(
    () =>
      allArrived(site.received, acknowledged) &&
      reportsOfStrangers(site) >= STRANGERS &&
      // The last answers are on the disk a moment after they came.
      readJournal(join(site.applianceFolder, 'journal.db')).waiting.length === 0,
    QUIET_WITHIN_MS,
  );
  const verdict = judge(
    {
      devices: { sent, acknowledged },
      journal: readJournal(join(site.applianceFolder, 'journal.db')),
      application: deliveries(site.received),
    },
    'never',
  );
  const reported = reportsOfStrangers(site);
  return {
    name: 'without cloud',
    figures: { ...verdict.figures, 'given up by devices': failures.length, 'unknown devices told': reported },
    violations: [
      ...verdict.violations,
      ...failures.slice(0, 3).map((failure) => `a device gave up: ${failure}`),
      ...(reported === STRANGERS
        ? []
        : [`${reported} of ${STRANGERS} unknown devices were told to the application`]),
    ],
  };
}

/** `mutant`: not everything is going to come. */
async function reunited(site: Site, { say }: CampaignSetting, mutant: boolean): Promise<Run> {
  say('the cloud is started again');
  await site.startCloud();
  await until(() => {
    const { host, cloud, unacknowledged } = readUplink(site);
    if (mutant) return cloud.length >= host.length / 3;
    return cloud.length >= host.length && unacknowledged.length === 0;
  }, BACK_WITHIN_MS);
  const verdict = judgeUplink(readUplink(site));
  const held = verdict.figures['events for the cloud'] ?? 0;
  return {
    name: 'cloud back',
    figures: verdict.figures,
    violations: [
      ...verdict.violations,
      ...(held >= STRANGERS ? [] : [`only ${held} events waited for the cloud: nothing was proven`]),
    ],
  };
}

async function outcome(runs: readonly DeviceRun[]) {
  const ends = await Promise.all(runs.map((run) => run.ended));
  return {
    sent: ends.reduce((sum, end) => sum + end.sent, 0),
    failures: ends.flatMap((end) => end.failures),
    acknowledged: runs.flatMap((run) => run.acknowledged),
  };
}

const strangers = (): string[] =>
  Array.from({ length: STRANGERS }, (_, index) => `stranger-${String(index + 1).padStart(4, '0')}`);

const reportsOfStrangers = ({ received }: Site): number =>
  new Set(received.filter(({ type }) => type === 'unknownDevice').map(({ deviceId }) => deviceId)).size;
