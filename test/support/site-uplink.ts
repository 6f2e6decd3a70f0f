import { join } from 'node:path';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import type { Site } from './site.ts';
import type { UplinkLog } from './site-history.ts';

interface Kept {
  readonly id: string;
  readonly state: string;
}

/** Both ends of the alarm lane to the cloud, read from the two databases as they are now. */
export function readUplink(site: Pick<Site, 'applianceFolder' | 'cloudFolder'>): UplinkLog {
  const host = rows<Kept>(
    join(site.applianceFolder, 'journal.db'),
    "SELECT id, state FROM outbox WHERE dest = 'cloud' AND lane = 'alarm' ORDER BY seq",
  );
  // The row number is the order in which the cloud took them.
  const cloud = rows<{ id: string }>(
    join(site.cloudFolder, 'cloud.db'),
    "SELECT id FROM site_event WHERE lane = 'alarm' ORDER BY rowid",
  );
  return {
    host: host.map(({ id }) => id),
    cloud: cloud.map(({ id }) => id),
    unacknowledged: host.filter(({ state }) => state !== 'done').map(({ id }) => id),
  };
}

function rows<Row>(file: string, sql: string): Row[] {
  const db = openSqlite({ file, readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}
