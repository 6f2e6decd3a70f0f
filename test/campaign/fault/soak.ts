import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSite, pause, type Site } from '#test/support/site.ts';
import type { Campaign, CampaignSetting, Run } from '../campaign.ts';
import { judgedAtRest } from './known-load.ts';
import { metered, type Reading } from './meter.ts';
import { together } from './recovery-history.ts';
import { judgeSoak, type Sample } from './soak-history.ts';
import type { StrangerKind } from './strangers.ts';
import { strangers, timedDevices } from './timed-run.ts';

const KNOWN_RATE = 10;
/** Beside the alarms, each second. */
const OTHERS: readonly (readonly [kind: StrangerKind, rate: number])[] = [
  ['register', 5],
  ['options', 5],
  ['invite', 2],
  ['dc09', 2],
  ['garbage', 2],
  ['tls', 1],
];
const SHORT_S = 40;
const LONG_MINUTES = 120;
const SAMPLES = 120;

/** Mixed load for hours. */
export const soak: Campaign = {
  summary: `mixed load for ${LONG_MINUTES} min (--minutes ${LONG_MINUTES}): memory, descriptors, timers and disk are flat`,
  run: async (setting) => [await soaked(setting)],
};

async function soaked({ minutes, say }: CampaignSetting): Promise<Run> {
  const seconds = minutes === undefined ? SHORT_S : minutes * 60;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-soak-'));
  const reading = join(folder, 'reading.json');
  const site = await openSite({ applianceNode: metered(reading) });
  try {
    say(
      `${KNOWN_RATE} alarms/s and ${OTHERS.map(([kind, rate]) => `${rate} ${kind}`).join(', ')} for ${seconds} s`,
    );
    const samples: Sample[] = [];
    const begunMs = performance.now();
    const everyMs = Math.max(1_000, (seconds * 1000) / SAMPLES);
    const watch = async (): Promise<void> => {
      for (let nextMs = everyMs; nextMs <= seconds * 1000; nextMs += everyMs) {
        await pause(Math.max(0, begunMs + nextMs - performance.now()));
        const sample = look(site, reading, performance.now() - begunMs);
        if (sample !== undefined) samples.push(sample);
      }
    };
    const [alarms] = await Promise.all([
      timedDevices(site, { rate: KNOWN_RATE, seconds, name: 'soak' }),
      watch(),
      ...OTHERS.map(([kind, rate]) => strangers(site, { kind, rate, seconds })),
    ]);
    const { figures, violations } = together(await judgedAtRest(site, alarms), judgeSoak(samples));
    return { name: 'soaked', figures, violations };
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined: it has not said anything yet. */
function look(site: Site, file: string, atMs: number): Sample | undefined {
  const id = site.processId('appliance');
  if (id === undefined || !existsSync(file)) return undefined;
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  const reading = readWhole(file);
  if (reading === undefined) return undefined;
  return {
    atMs,
    memoryBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
    descriptors: readdirSync(`/proc/${id}/fd`).length,
    timers: reading.timers,
    diskBytes: sizeOf(site.applianceFolder),
    alarms: site.received.filter(({ path }) => path === '/newAlarmbridgeEvent').length,
  };
}

/** Undefined: it is just being written. */
function readWhole(file: string): Reading | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Reading;
  } catch {
    return undefined;
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
