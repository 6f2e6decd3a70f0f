import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite, pause, type Site } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run } from '../campaign.ts';
import { loopImage } from '../loop-image.ts';
import { beside, judgedAtRest, now } from './known-load.ts';
import { lying } from './lying.ts';
import { type FaultSpan, judgeRecovery, together } from './recovery-history.ts';

const RATE = 30;
const IMAGE_MB = 96;
const TIMES = 3;
/** The disk is full for so long, and has room for so long behind it. ms */
const SHORT = { fullMs: 3_000, roomMs: 4_000 };
const MUTANT_TIMES = 1;
/** Devices that were refused come again after seconds of their own. ms */
const GRACE_MS = 2_000;
const WITHIN_MS = 8_000;
const CHUNK = Buffer.alloc(1 << 20);

/** The appliance's disk becomes full and has room again, under load. */
export const diskFull: Campaign = {
  summary: 'the disk of the appliance is full and has room again, three times: nothing acknowledged is lost',
  changes: 'mounts',
  run: async (setting) => {
    const { minutes } = setting;
    const times =
      minutes === undefined ? SHORT : { fullMs: (minutes * 60_000) / 6, roomMs: (minutes * 60_000) / 6 };
    const [whole, mutant] = await Promise.all([
      filled('full disk', TIMES, times, [], setting),
      filled('lying commits', MUTANT_TIMES, SHORT, lying, setting),
    ]);
    return [whole, mustBreak(mutant, 'lost on disk')];
  },
};

async function filled(
  name: string,
  times: number,
  { fullMs, roomMs }: typeof SHORT,
  applianceNode: readonly string[],
  { say }: CampaignSetting,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-disk-full-'));
  const opened: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const disk = loopImage(folder, 'disk', IMAGE_MB);
    opened.push(disk.unmount);
    const site = await openSite({ applianceFolder: disk.folder, applianceNode });
    opened.push(site.close);
    say(`${name}: ${RATE} alarms/s, full ${times} times for ${(fullMs / 1000).toFixed(0)} s`);
    const faults: FaultSpan[] = [];
    const seconds = 1 + (times * (fullMs + roomMs)) / 1000 + 6;
    const alarms = await beside(
      site,
      { rate: RATE, seconds, name: `${applianceNode.length}disk` },
      async () => {
        await pause(1_000);
        for (let time = 0; time < times; time++) {
          const fromMs = now();
          const room = fill(join(disk.folder, 'filling'));
          await pause(fullMs);
          room();
          faults.push({ fromMs, untilMs: now() });
          await pause(roomMs);
        }
      },
    );
    const { figures, violations } = together(
      await judgedAtRest(site, alarms),
      judgeRecovery({ alarms, faults, graceMs: GRACE_MS, withinMs: WITHIN_MS }),
    );
    const reported = reportsOfDisk(site);
    const silent = reported === 0 ? ['no person was told that the disk was full'] : [];
    return {
      name,
      figures: { ...figures, 'full times': faults.length, told: reported },
      violations: [...violations, ...silent],
    };
  } finally {
    for (const end of opened.reverse()) await end();
  }
}

/** Fills the disk to the last block; makes room again when what it answers is called. */
function fill(file: string): () => void {
  const handle = openSync(file, 'w');
  for (let size = CHUNK.length; size >= 512; ) {
    try {
      writeSync(handle, CHUNK, 0, size);
    } catch {
      size /= 2;
    }
  }
  return () => {
    closeSync(handle);
    rmSync(file);
  };
}

const reportsOfDisk = ({ received }: Site): number =>
  received.filter(({ type, error }) => type === 'diskPressure' || error === 'storeFailed').length;
