import { expect, it } from 'vitest';
import { alarmsAsCsv } from '#cloud/console/page/alarm/alarm-csv.ts';
import { readCsv } from '#cloud/io/csv/index.ts';

it('alarms as CSV come back as they are from whoever reads CSV, without formulas', async () => {
  const text = alarmsAsCsv([
    {
      alarmId: '01jd0000000000000000000001',
      status: 'cleared',
      raisedAt: 1_770_000_000_000,
      clearedAt: 1_770_000_060_000,
      error: 'lowMemory',
      errorDetails: { message: '=cmd|"x"', severity: 'major', more: { a: 1 } },
      siteId: 'north',
      late: true,
      untold: true,
      notes: [{ at: 1_770_000_001_000, by: 'person:ada', text: 'a "fuse",\non my way' }],
    },
  ]);
  const rows: unknown[] = [];
  for await (const row of readCsv([Buffer.from(text)])) rows.push(row.ok ? row.value : row.error);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows[1])).toContain('2026-02-02T02:41:00.000Z');
  expect(text).toContain(`"'=cmd|""x"""`);
  expect(text).toContain('"late","no: maintenance"');
  expect(text).toContain('2026-02-02T02:40:01.000Z person:ada: a ""fuse"",\non my way');
});
