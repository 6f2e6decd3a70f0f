import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite, pause } from '#test/support/site.ts';
import { judge } from '#test/support/site-history.ts';
import { deliveries, readJournal, recoverJournal } from '#test/support/site-journal.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from './campaign.ts';
import { startDevices } from './device-run.ts';
import { loopImage } from './loop-image.ts';
import { unsynced } from './unsynced.ts';

const RATE = 200;
/** Early enough that the kernel has not yet written older pages by itself (it begins at 5 s). ms */
const CUT = { least: 2_500, most: 3_500 };
const IMAGE_MB = 192;
const SYNCS = ['FULL', 'NORMAL', 'OFF'] as const;
type Sync = (typeof SYNCS)[number];

/**
 * The appliance's state on a disk of its own, the power cut under load. kill -9 alone proves nothing here: the kernel
 * keeps the pages. So the disk is looked at as it is at that moment, and the same appliance without its syncs must
 * be seen to lose alarms.
 */
export const powercut: Campaign = {
  summary:
    'power cut of the disk under 200 alarms/s: acknowledged alarms are on it; without syncs they are not',
  changes: 'mounts',
  run: async (setting) => {
    const random = seeded(setting.seed);
    const runs: Run[] = [];
    // Longer campaigns are more cuts, not later ones.
    const rounds = setting.minutes === undefined ? 1 : Math.max(1, Math.round(setting.minutes));
    for (let round = 1; round <= rounds; round++) {
      for (const sync of setting.withoutMutants ? SYNCS.slice(0, 1) : SYNCS) {
        const run = await cutOnce(sync, random, setting);
        runs.push(sync === 'FULL' ? run : mustBreak(run, 'lost on disk'));
      }
    }
    return runs;
  },
};

async function cutOnce(sync: Sync, random: () => number, { say }: CampaignSetting): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-powercut-'));
  const opened: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const disk = loopImage(folder, 'disk', IMAGE_MB);
    opened.push(disk.unmount);
    const site = await openSite({
      applianceFolder: disk.folder,
      applianceNode: sync === 'FULL' ? [] : unsynced(sync),
    });
    opened.push(site.close);
    const cutAfterMs = CUT.least + random() * (CUT.most - CUT.least);
    say(`synchronous=${sync}: ${RATE} alarms/s, power cut after ${(cutAfterMs / 1000).toFixed(1)} s`);
    const devices = startDevices(site, { count: RATE * 60, rate: RATE });
    opened.push(devices.kill);
    await pause(cutAfterMs);
    await site.killAppliance();
    const after = disk.cut();
    opened.push(after.unmount);
    await devices.kill();
    const journal = join(after.folder, 'journal.db');
    await recoverJournal(journal);
    const verdict = judge(
      {
        devices: { sent: undefined, acknowledged: devices.acknowledged },
        // An alarm under way at the cut is delivered after the next start.
        journal: { ...readJournal(journal), waiting: [] },
        application: deliveries(site.received),
      },
      'same id',
    );
    return { ...verdict, name: sync };
  } finally {
    for (const end of opened.reverse()) await end();
  }
}
