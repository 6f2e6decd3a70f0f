import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import { openSite, pause } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, NotPossible, type Run } from '../campaign.ts';
import { beside, judgedAtRest, now } from './known-load.ts';
import { judgeRecovery, together } from './recovery-history.ts';

/** libfaketime of Debian (package faketime) for programs with threads. */
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);
/** Offsets in the words of libfaketime; each step is from the one before it. */
const STEPS: readonly (readonly [name: string, says: string])[] = [
  ['5 min ahead', '+300'],
  ['5 min back', '-300'],
  ['2 days ahead', '+172800'],
  ['2 days back', '-172800'],
  ['3 years ahead', '+94608000'],
  ['3 years back', '-94608000'],
  ['1970', '@1970-01-01 00:00:10'],
  ['right again', '+0'],
];
const RATE = 20;
/** Between two steps. */
const SHORT_S = 2.5;
/** The library looks at its file once a second. */
const SEEN_WITHIN_MS = 1_500;
const WITHIN_MS = 8_000;
/** From 1970 to three years ahead. */
const [LEAST_YEARS, YEAR_MS] = [55, 365 * 86_400_000];
/** Devices go on so long after the last step. s */
const BEHIND_S = 12;

/** A person sets the clock of the appliance's machine while known devices alarm. */
export const clock: Campaign = {
  summary:
    'the wall clock of the appliance steps by minutes, days and years, and to 1970: alarms flow as ever',
  run: async (setting) => {
    const library = LIBRARIES.find((file) => existsSync(file));
    if (library === undefined)
      throw new NotPossible('libfaketime is not there; install the package faketime');
    return [await stepped(library, setting)];
  },
};

async function stepped(library: string, { minutes, say }: CampaignSetting): Promise<Run> {
  const everyS = minutes === undefined ? SHORT_S : (minutes * 60) / STEPS.length;
  const folder = mkdtempSync(join(tmpdir(), 'carillon-clock-'));
  const site = await openSite();
  try {
    const set = (says: string): void => {
      writeFileSync(join(folder, 'next'), `${says}\n`);
      renameSync(join(folder, 'next'), join(folder, 'offset'));
    };
    set('+0');
    await site.stopAppliance();
    await site.startAppliance({
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    });
    const faults: { readonly fromMs: number; readonly untilMs: number }[] = [];
    const seconds = STEPS.length * everyS + BEHIND_S;
    const alarms = await beside(site, { rate: RATE, seconds, name: 'clock' }, async () => {
      for (const [name, says] of STEPS) {
        await pause(everyS * 1000);
        say(`the clock says: ${name}`);
        const fromMs = now();
        set(says);
        faults.push({ fromMs, untilMs: fromMs + SEEN_WITHIN_MS });
      }
    });
    // No step is an excuse: each alarm has its answer in time.
    const { figures, violations } = together(
      await judgedAtRest(site, alarms),
      judgeRecovery({ alarms, faults: faults.slice(-1).map(instant), graceMs: 0, withinMs: WITHIN_MS }),
    );
    const years = yearsSeen(join(site.applianceFolder, 'journal.db'));
    const unseen = years < LEAST_YEARS ? [`the appliance saw ${years} years: the clock was not set`] : [];
    const whole = { ...figures, steps: faults.length, 'years seen': years };
    return { name: 'stepped', figures: whole, violations: [...violations, ...unseen] };
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the oldest to the newest event, by the clock of the appliance. */
function yearsSeen(journal: string): number {
  const db = openSqlite({ file: journal, readonly: true });
  try {
    const ms = db.prepare('SELECT max(wall) - min(wall) FROM event').pluck().get();
    return Math.floor(Number(ms ?? 0) / YEAR_MS);
  } finally {
    db.close();
  }
}

const instant = ({ untilMs }: { readonly untilMs: number }) => ({ fromMs: untilMs, untilMs });
