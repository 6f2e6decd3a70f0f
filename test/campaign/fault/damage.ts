import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSite, type Site, until } from '#test/support/site.ts';
import { allArrived } from '#test/support/site-journal.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from '../campaign.ts';
import { type DamageRound, judgeDamage } from './damage-history.ts';
import { type DatabaseHarm, databaseRound, harmIndex } from './database-damage.ts';
import { type DatabaseRound, judgeDatabase } from './database-history.ts';
import { timedDevices } from './timed-run.ts';
import { unsalvaged } from './unsalvaged.ts';

/** Damages the bytes of a file. */
type Damage = (bytes: Buffer, random: () => number) => Buffer;

const PAGE = 4096;
/** Share of the pages of a file that are overwritten, and bits that are flipped. */
const [PAGES, BITS] = [0.05, 40];

const DAMAGES: Readonly<Record<'pages' | 'truncation' | 'bits', Damage>> = {
  pages: (bytes, random) => {
    const pages = Math.ceil(bytes.length / PAGE);
    for (let times = Math.max(1, Math.round(pages * PAGES)); times > 0; times--) {
      const at = Math.floor(random() * pages) * PAGE;
      for (let byte = at; byte < Math.min(at + PAGE, bytes.length); byte++)
        bytes[byte] = Math.floor(random() * 256);
    }
    return bytes;
  },
  truncation: (bytes, random) => bytes.subarray(0, Math.floor(bytes.length * (0.3 + 0.6 * random()))),
  bits: (bytes, random) => {
    for (let times = BITS; times > 0; times--) {
      const at = Math.floor(random() * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    }
    return bytes;
  },
};

/** Files of the appliance. */
const JOURNAL = 'journal.db';
const CONFIGURATION = 'config.db';
/** Asked for by hand: each kind of damage to each of them. */
const STORES: readonly string[] = [JOURNAL, CONFIGURATION, 'config-lkg.db', 'last-good-time', 'boots'];
const SHORT: readonly (readonly [string, keyof typeof DAMAGES])[] = [
  [JOURNAL, 'pages'],
  [JOURNAL, 'truncation'],
  [CONFIGURATION, 'bits'],
];
/** The database of the control plane, and its log: the end of a log can be missing after each power cut. */
const DATABASE: readonly (readonly ['database' | 'log', keyof typeof DAMAGES])[] = [
  ['database', 'pages'],
  ['database', 'truncation'],
  ['database', 'bits'],
  ['log', 'pages'],
  ['log', 'bits'],
];
const SHORT_DATABASE = DATABASE.slice(0, 1);
const INDEX: DatabaseHarm = { name: 'an index of cloud.db', of: 'database', harm: harmIndex };
const RATE = 30;
const [BEFORE_S, AFTER_S] = [2, 0.5];
const QUIET_WITHIN_MS = 15_000;
const REPORTED_WITHIN_MS = 20_000;

/**
 * Every store of the appliance is damaged while acknowledged alarms wait for their application, and the database of the control plane
 * while devices alarm; then its program is started.
 */
export const damage: Campaign = {
  summary:
    'random pages, truncation and bit flips of every store: what can be read is told, the rest is named',
  run: async (setting) => {
    const random = seeded(setting.seed);
    const site = await openSite({ cloudFromSources: true });
    try {
      const rounds: DamageRound[] = [];
      const times = setting.minutes === undefined ? 1 : Math.max(1, Math.round(setting.minutes / 5));
      const all = STORES.flatMap((store) =>
        (Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]).map((kind) => [store, kind] as const),
      );
      for (let time = 0; time < times; time++)
        for (const [store, kind] of setting.minutes === undefined ? SHORT : all)
          rounds.push(
            await round(site, store, kind, (file) => damaged(file, DAMAGES[kind], random), setting),
          );
      const mutant = await round(site, JOURNAL, 'set aside', setAside, setting);
      const databases: DatabaseRound[] = [await databaseRound(site, INDEX)];
      for (let time = 0; time < times; time++)
        for (const [of, kind] of setting.minutes === undefined ? SHORT_DATABASE : DATABASE) {
          const name = `${kind} of ${of === 'database' ? 'cloud.db' : 'cloud.db-wal'}`;
          setting.say(name);
          databases.push(
            await databaseRound(site, { name, of, harm: (bytes) => DAMAGES[kind](bytes, random) }),
          );
        }
      const opened = await databaseRound(site, INDEX, unsalvaged);
      return [
        { name: 'damaged', ...judgeDamage(rounds) },
        mustBreak({ name: 'set aside', ...judgeDamage([mutant]) } satisfies Run, 'lost in silence'),
        { name: 'cloud.db', ...judgeDatabase(databases) },
        mustBreak(
          { name: 'opened as it is', ...judgeDatabase([opened]) } satisfies Run,
          'damaged in silence',
        ),
      ];
    } finally {
      await site.close();
    }
  },
};

let named = 0;
async function round(
  site: Site,
  file: string,
  kind: string,
  harm: (file: string) => void,
  { say }: CampaignSetting,
): Promise<DamageRound> {
  const name = `${kind} of ${file}`;
  const turn = ++named;
  await site.stopApplication();
  const before = await timedDevices(site, { rate: RATE, seconds: BEFORE_S, name: `d${turn}x` });
  const acknowledged = before.flatMap(({ reference, acknowledgedMs }) =>
    acknowledgedMs === undefined ? [] : [reference],
  );
  await site.killAppliance();
  harm(join(site.applianceFolder, file));
  const reportedBefore = reportsOfDamage(site);
  await site.startApplication();
  say(`${name}, ${acknowledged.length} acknowledged alarms wait`);
  const notStarted = await site.startAppliance().then(
    () => undefined,
    (cause: unknown) => String(cause).slice(0, 300),
  );
  const sent =
    notStarted === undefined
      ? await timedDevices(site, { rate: RATE, seconds: AFTER_S, name: `e${turn}x` })
      : [];
  if (!(await until(() => allArrived(site.received, acknowledged), QUIET_WITHIN_MS)))
    await until(() => reportsOfDamage(site) > reportedBefore, REPORTED_WITHIN_MS);
  const arrived = new Set(
    site.received.flatMap(({ reference }) => (typeof reference === 'string' ? [reference] : [])),
  );
  return {
    name,
    acknowledged,
    arrived,
    damageAlarms: reportsOfDamage(site) - reportedBefore,
    notStarted,
    after: {
      sent: sent.length,
      acknowledged: sent.filter(({ acknowledgedMs }) => acknowledgedMs !== undefined).length,
    },
  };
}

function damaged(file: string, harm: Damage, random: () => number): void {
  if (existsSync(file)) writeFileSync(file, harm(readFileSync(file), random));
}

/** As a program would that sets a damaged journal aside and begins a new one. */
function setAside(file: string): void {
  renameSync(file, `${file}.aside`);
  for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
}

const reportsOfDamage = ({ received }: Site): number =>
  received.filter(({ error }) => error === 'storageDamaged').length;
