import { join } from 'node:path';
import { openSite, pause, type Site, until } from '#test/support/site.ts';
import { judge } from '#test/support/site-history.ts';
import { allArrived, deliveries, readJournal } from '#test/support/site-journal.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from './campaign.ts';
import { type DeviceRun, startDevices } from './device-run.ts';
import { forgetful } from './forgetful.ts';

const RATE = 200;
const SHORT_S = 20;
const MUTANT_S = 8;
/** The appliance lives between these, then it is killed; dead it stays between those. ms */
const LIFE = { least: 300, most: 2_500 };
/** While it works off what waited for its start: most alarms are then taken and not yet answered. */
const SHORT_LIFE = { least: 50, most: 400 };
const DEATH = { least: 0, most: 700 };
const QUIET_WITHIN_MS = 30_000;

/** 200 alarms a second while the appliance is killed again and again at moments the seed chooses. */
export const kill9: Campaign = {
  summary: 'kill -9 of the appliance at random moments under 200 alarms/s: nothing acknowledged is lost',
  run: async (setting) => {
    const { minutes } = setting;
    const forS = minutes === undefined ? SHORT_S : minutes * 60;
    const whole = await underFire('kill -9', forS, LIFE, [], setting);
    // A device that got no answer sends its alarm again: without the duplicate rule that is a second alarm.
    const mutant = await underFire('without duplicate rule', MUTANT_S, SHORT_LIFE, forgetful, setting);
    return [whole, mustBreak(mutant, 'twice, other id')];
  },
};

type Span = typeof LIFE;

async function underFire(
  name: string,
  seconds: number,
  life: Span,
  applianceNode: readonly string[],
  { seed, say }: CampaignSetting,
): Promise<Run> {
  const site = await openSite({ applianceNode });
  try {
    say(`${name}: ${RATE} alarms/s for ${seconds} s`);
    const devices = startDevices(site, { count: RATE * seconds, rate: RATE });
    const kills = await killAgainAndAgain(site, devices, seconds * 1000, life, seeded(seed));
    const { sent, failures } = await devices.ended;
    await until(() => allArrived(site.received, devices.acknowledged), QUIET_WITHIN_MS);
    await site.stopAppliance();
    const verdict = judge(
      {
        devices: { sent, acknowledged: devices.acknowledged },
        journal: readJournal(join(site.applianceFolder, 'journal.db')),
        application: deliveries(site.received),
      },
      'same id',
    );
    const figures = { kills, ...verdict.figures, 'given up by devices': failures.length };
    return { name, figures, violations: verdict.violations };
  } finally {
    await site.close();
  }
}

async function killAgainAndAgain(
  site: Site,
  devices: DeviceRun,
  forMs: number,
  life: Span,
  random: () => number,
): Promise<number> {
  const between = ({ least, most }: Span): number => least + random() * (most - least);
  const endsAt = performance.now() + forMs;
  let kills = 0;
  while (devices.running && performance.now() < endsAt) {
    await pause(between(life));
    await site.killAppliance();
    kills++;
    await pause(between(DEATH));
    await site.startAppliance();
  }
  return kills;
}
