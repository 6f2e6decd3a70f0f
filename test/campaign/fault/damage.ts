import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSite, type Site, until } from '#test/support/site.ts';
import { allArrived } from '#test/support/site-journal.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from '../campaign.ts';
import { type DamageRound, judgeDamage } from './damage-history.ts';
import { timedDevices } from './timed-run.ts';

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

interface Store {
  readonly of: 'appliance' | 'cloud';
  readonly file: string;
}
const JOURNAL: Store = { of: 'appliance', file: 'journal.db' };
const CONFIGURATION: Store = { of: 'appliance', file: 'config.db' };
/** Asked for by hand: each kind of damage to each of them. */
const STORES: readonly Store[] = [
  JOURNAL,
  CONFIGURATION,
  { of: 'appliance', file: 'config-lkg.db' },
  { of: 'appliance', file: 'last-good-time' },
  { of: 'appliance', file: 'boots' },
];
const SHORT: readonly (readonly [Store, keyof typeof DAMAGES])[] = [
  [JOURNAL, 'pages'],
  [JOURNAL, 'truncation'],
  [CONFIGURATION, 'bits'],
];
const RATE = 30;
const [BEFORE_S, AFTER_S] = [2, 0.5];
const QUIET_WITHIN_MS = 15_000;
const TOLD_WITHIN_MS = 20_000;

/** Every store is damaged while acknowledged alarms wait for their application, and its program is started. */
export const damage: Campaign = {
  summary:
    'random pages, truncation and bit flips of every store: what can be read is told, the rest is named',
  run: async (setting) => {
    const random = seeded(setting.seed);
    const site = await openSite();
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
      return [
        { name: 'damaged', ...judgeDamage(rounds) },
        mustBreak({ name: 'set aside', ...judgeDamage([mutant]) } satisfies Run, 'lost in silence'),
      ];
    } finally {
      await site.close();
    }
  },
};

let named = 0;
async function round(
  site: Site,
  { of, file }: Store,
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
  const [kill, start, folder] =
    of === 'appliance'
      ? [site.killAppliance, site.startAppliance, site.applianceFolder]
      : [site.killCloud, site.startCloud, site.cloudFolder];
  await kill();
  harm(join(folder, file));
  const toldBefore = toldOfDamage(site);
  await site.startApplication();
  say(`${name}, ${acknowledged.length} acknowledged alarms wait`);
  const notStarted = await start().then(
    () => undefined,
    (cause: unknown) => String(cause).slice(0, 300),
  );
  const sent =
    notStarted === undefined
      ? await timedDevices(site, { rate: RATE, seconds: AFTER_S, name: `e${turn}x` })
      : [];
  if (!(await until(() => allArrived(site.received, acknowledged), QUIET_WITHIN_MS)))
    await until(() => toldOfDamage(site) > toldBefore, TOLD_WITHIN_MS);
  const arrived = new Set(
    site.received.flatMap(({ reference }) => (typeof reference === 'string' ? [reference] : [])),
  );
  return {
    name,
    acknowledged,
    arrived,
    told: toldOfDamage(site) - toldBefore,
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

const toldOfDamage = ({ received }: Site): number =>
  received.filter(({ error }) => error === 'storageDamaged').length;
