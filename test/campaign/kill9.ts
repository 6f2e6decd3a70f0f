import { join } from 'node:path';
import { openSite, pause, type Site, until } from '#test/support/site.ts';
import { judge } from '#test/support/site-history.ts';
import { allArrived, deliveries, readJournal } from '#test/support/site-journal.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from './campaign.ts';
import { type DeviceRun, startDevices } from './device-run.ts';
import { forgetful } from './forgetful.ts';

/** Asked for by hand, and in the size of a change, which must not be too much for a slow machine with other work. Alarms/s. */
const [RATE, SHORT_RATE] = [200, 100];
const SHORT_S = 20;
const MUTANT_S = 8;
/** The appliance lives between these, then it is killed; dead it stays between those. ms */
const LIFE = { least: 300, most: 2_500 };
/** While it works off what waited for its start: most alarms are then taken and not yet answered. */
const SHORT_LIFE = { least: 50, most: 400 };
/** Delays of an application that thinks: most alarms are stored and posted, and not yet answered, when the appliance dies. */
const THINK_MS = 600;
const THINKING_S = 8;
const DEATH = { least: 0, most: 700 };
const QUIET_WITHIN_MS = 30_000;

/** Alarms one after the other while the appliance is killed again and again at moments the seed chooses. */
export const kill9: Campaign = {
  summary:
    'kill -9 of the appliance at random moments under 100 to 200 alarms/s: nothing acknowledged is lost',
  run: async (setting) => {
    const { minutes, withoutMutants } = setting;
    const forS = minutes === undefined ? SHORT_S : minutes * 60;
    const whole = await underFire('kill -9', forS, LIFE, [], setting);
    const thinking = await underFire('slow application', THINKING_S, LIFE, [], setting, THINK_MS);
    if (withoutMutants) return [whole, thinking];
    // A device that got no answer sends its alarm again: without the duplicate rule that is a second alarm.
    const mutant = await underFire('without duplicate rule', MUTANT_S, SHORT_LIFE, forgetful, setting);
    return [whole, thinking, mustBreak(mutant, 'twice, other id')];
  },
};

type Span = typeof LIFE;

async function underFire(
  name: string,
  seconds: number,
  life: Span,
  applianceNode: readonly string[],
  { minutes, seed, say }: CampaignSetting,
  thinkMs = 0,
): Promise<Run> {
  const rate = minutes === undefined ? SHORT_RATE : RATE;
  const site = await openSite({ applianceNode, thinkMs });
  try {
    say(`${name}: ${rate} alarms/s for ${seconds} s`);
    const devices = startDevices(site, { count: rate * seconds, rate });
    // On a busy machine the devices would else begin after the first kill.
    await until(() => devices.acknowledged.length > 0, QUIET_WITHIN_MS);
    const kills = await killAgainAndAgain(site, devices, seconds * 1000, life, seeded(seed));
    const { sent, failures } = await devices.ended;
    await until(() => allArrived(site.received, devices.acknowledged), QUIET_WITHIN_MS);
    const journalFile = join(site.applianceFolder, 'journal.db');
    // The application may still think about an alarm that has arrived.
    await until(() => readJournal(journalFile).waiting.length === 0, QUIET_WITHIN_MS);
    await site.stopAppliance();
    const verdict = judge(
      {
        devices: { sent, acknowledged: devices.acknowledged },
        journal: readJournal(journalFile),
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
