import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import { journalDamage, openDamageReports } from '#appliance/site/supervision/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { damagePages, rowsByPage } from '#test/support/damaged-page.ts';
import { openSite, until } from '#test/support/site.ts';

/* The disk has damaged the journal: what can be read of it is delivered, and a platform alarm names the rest. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function appliance(folder?: string): Promise<Site> {
  const site = await testAppliance(folder === undefined ? {} : { folder });
  opened.push(site);
  site.bridge();
  site.notify('https://app.example/alarms');
  site.device({ deviceId: 'scaip-0001' });
  return site;
}

const events = (site: Site) => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

describe('thirty acknowledged events wait for the application, and pages of the journal are damaged', () => {
  it.each([
    ['a few of them', 8],
    ['many of them', 3],
  ])('%s: the rows on the others are delivered late, and the rest is reported', async (_, every) => {
    const before = await appliance();
    for (let n = 1; n <= 30; n++) {
      before.request('MESSAGE', 'scaip-0001', {
        body: `<mrq><ref>R${n}</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>`,
      });
      await before.quiet();
    }
    const reported = events(before).map(({ delivery }) => delivery.id);
    expect(reported).toHaveLength(30);
    opened.splice(opened.indexOf(before), 1);
    await before.close(true);

    const file = join(before.folder, 'journal.db');
    const rows = rowsByPage(file);
    const damaged = new Set(rows.map(({ page }) => page).filter((page) => page > 1 && page % every === 2));
    const readable = rows
      .filter(
        ({ values, pages }) =>
          reported.includes(String(values[1])) && !pages.some((page) => damaged.has(page)),
      )
      .map(({ values }) => String(values[1]));
    damagePages(file, damaged);

    const after = await appliance(before.folder);
    after.answerBy(() => answered({ action: 'drop' }));
    const { salvage } = after.journal;
    if (salvage === undefined) throw new Error('no damage was found');
    const table = openDamageReports(after.ports.log, () => 'box-1');
    table.found(journalDamage(salvage, () => after.journal.salvageReported()));
    after.runtime.restore();
    await table.tellBy(after.runtime.alarms);
    await after.after(60_000);
    const delivered = events(after);
    const ids = delivered.map(({ delivery }) => delivery.id);
    expect(readable.length).toBeGreaterThan(5);
    expect(readable.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !reported.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(delivered.filter(({ delivery }) => !delivery.late)).toEqual([]);
    const alarms = after.posted.filter(({ body }) => body.error === 'storageDamaged');
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.body).toMatchObject({
      type: 'serviceAlarm',
      errorDetails: {
        severity: 'critical',
        store: 'journal',
        file: salvage.file,
        hostId: 'box-1',
        recovered: salvage.recovered,
        lost: salvage.lost,
        waiting: salvage.waiting,
      },
    });
    expect(salvage.waiting).toBeGreaterThanOrEqual(readable.length);
    // The next start raises no alarm again.
    const folder = after.folder;
    opened.splice(opened.indexOf(after), 1);
    await after.close(true);
    expect((await appliance(folder)).journal.salvage).toBeUndefined();
  });
});

describe('a whole appliance', () => {
  it('informs the application that its journal was damaged', { timeout: 120_000 }, async () => {
    const site = await openSite();
    opened.push(site);
    await site.stopAppliance();
    const file = join(site.applianceFolder, 'journal.db');
    const db = openSqlite({ file });
    db.pragma('wal_checkpoint(TRUNCATE)');
    const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'event'").pluck().get());
    db.close();
    damagePages(file, [root]);
    await site.startAppliance();
    const hasCome = () => site.received.some(({ error }) => error === 'storageDamaged');
    expect(await until(hasCome, 30_000)).toBe(true);
  });
});
