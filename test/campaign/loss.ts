import { join } from 'node:path';
import { openSite, until } from '#test/support/site.ts';
import { judge } from '#test/support/site-history.ts';
import { allArrived, deliveries, readJournal } from '#test/support/site-journal.ts';
import type { Campaign, CampaignSetting, Run } from './campaign.ts';
import { startDevices } from './device-run.ts';
import type { Wear } from './impairment.ts';
import { impairedNetwork, type Network } from './network.ts';

const RATE = 100;
const SHORT_COUNT = 1_500;
/** Little more than ten percent of the load need, so that they wait: some 600 bytes, 2.5 times for each alarm. */
const SLOW_LANE_KBIT = RATE * 1.7;
/** A side of which less was lost, doubled or delayed has had no bad link. */
const LEAST_SHARE = 0.05;
const QUIET_WITHIN_MS = 30_000;

/** The devices behind a link that loses, doubles and reorders ten percent of everything, both ways. */
export const loss: Campaign = {
  summary: 'loss, duplication and disorder, 10 % each, both ways: nothing lost, nothing delivered twice',
  changes: 'network',
  run: async (setting) => {
    const network = await impairedNetwork(SLOW_LANE_KBIT);
    try {
      return [await overBadLink(network, setting)];
    } finally {
      await network.close();
    }
  },
};

async function overBadLink(network: Network, { minutes, say }: CampaignSetting): Promise<Run> {
  const site = await openSite({ sipAddress: network.siteAddress });
  try {
    const count = minutes === undefined ? SHORT_COUNT : Math.round(minutes * 60 * RATE);
    say(`${count} alarms, ${RATE}/s, over a bad link`);
    const devices = startDevices(site, { count, rate: RATE }, network.atDevices);
    const { sent, failures } = await devices.ended;
    await until(() => allArrived(site.received, devices.acknowledged), QUIET_WITHIN_MS);
    const wear = network.wear();
    await site.stopAppliance();
    const verdict = judge(
      {
        devices: { sent, acknowledged: devices.acknowledged },
        journal: readJournal(join(site.applianceFolder, 'journal.db')),
        application: deliveries(site.received),
      },
      'never',
    );
    return {
      name: 'bad link',
      figures: { ...verdict.figures, 'given up by devices': failures.length, ...both(wear) },
      violations: [
        ...verdict.violations,
        ...failures.slice(0, 3).map((failure) => `a device gave up: ${failure}`),
        ...tooGood('site', wear.site),
        ...tooGood('devices', wear.devices),
      ],
    };
  } finally {
    await site.close();
  }
}

const both = ({
  site,
  devices,
}: {
  readonly site: Wear;
  readonly devices: Wear;
}): Record<string, number> => ({
  ...named('to the site', 'from the site', site),
  ...named('to the devices', 'from the devices', devices),
});

const named = (to: string, from: string, wear: Wear): Record<string, number> => ({
  [`datagrams ${to}`]: wear.arrived,
  [`lost ${to}`]: wear.lost,
  [`doubled ${from}`]: wear.doubled,
  [`delayed ${from}`]: wear.delayed,
});

/** One sentence when the link of a side did not do what this campaign is about. */
export function tooGood(side: string, { arrived, lost, doubled, delayed }: Wear): string[] {
  const least = arrived * LEAST_SHARE;
  return lost >= least && doubled >= least && delayed >= least && arrived > 0
    ? []
    : [
        `the link of the ${side} was not bad: ${lost} lost, ${doubled} doubled, ${delayed} delayed of ${arrived}`,
      ];
}
