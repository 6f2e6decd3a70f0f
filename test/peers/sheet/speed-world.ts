import { join } from 'node:path';
import Database from 'better-sqlite3';
import { encodeRequest } from '#appliance/alarm/protocol/scaip/index.ts';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { openTelephone } from '#appliance/simulator/index.ts';

/** How much of each there is beside what the demo has. */
export interface Amounts {
  readonly hosts: number;
  readonly records: number;
}

const MONTH_MS = 30 * 86_400_000;

/**
 * Writes a large tenant into the state of a demo that stands still: its host and its first record, many times. The hosts have not been
 * heard of for an hour, so that none of them is waited for; half as many sites as hosts.
 */
export function fillTenant(data: string, { hosts, records }: Amounts): void {
  const db = new Database(join(data, 'cloud', 'cloud.db'));
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -400000');
  const now = Date.now();
  const site = "printf('house-%04d', n.i / 2)";
  const uid = "printf('speed%05d', n.i)";
  const at = `(${now} - 3600000 - (${records} - n.i) * ${Math.floor((MONTH_MS - 7_200_000) / records)})`;
  const id = "printf('01k%023d', n.i)";
  db.transaction(() => {
    repeat(db, 'site', hosts / 2, {
      ...{ site_id: "printf('house-%04d', n.i)", name: "'House ' || n.i" },
    });
    repeat(db, 'host', hosts, {
      ...{ uid, site_id: site, host_id: "'gw-' || (n.i % 2)", serial: 'NULL', operation: 'NULL' },
      ...{ cert_serial: 'NULL', cert_next: 'NULL' },
    });
    repeat(db, 'host_status', hosts, {
      uid,
      connectivity: "'offline'",
      since: at0(now),
      last_seen: at0(now),
    });
    repeat(db, 'session_record', records, {
      ...{ id, at, received_at: at, seq: '-n.i', site_id: site, uid },
      month: `CAST(strftime('%Y%m', ${at} / 1000, 'unixepoch') AS INTEGER)`,
      host_id: "'gw-' || (n.i % 2)",
      trace_id: "'trace-' || n.i",
      device_id: "printf('unit-%05d', n.i * 7919 % 20000)",
      result: "CASE WHEN n.i % 50 = 0 THEN 'unanswered' ELSE 'done' END",
      kind: "CASE WHEN n.i % 3 = 0 THEN 'call' ELSE 'alarm' END",
    });
    db.exec(`INSERT INTO record_hour (tenant, hour, site_id, kind, result, amount)
      SELECT tenant, at - at % 3600000, site_id, kind, result, count(*) FROM session_record WHERE seq <= 0
      GROUP BY 1, 2, 3, 4, 5`);
  })();
  db.close();
}

const at0 = (now: number): string => String(now - 3_600_000);

/** Rows like the first one of a table; `own`: columns that differ, as SQL over the number `n.i`. */
function repeat(
  db: Database.Database,
  table: string,
  rows: number,
  own: Readonly<Record<string, string>>,
): void {
  const columns = (db.pragma(`table_info(${table})`) as { readonly name: string }[]).map(({ name }) => name);
  const values = columns.map((name) => own[name] ?? `one.${name}`);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})
    INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()} FROM n, (SELECT * FROM ${table} LIMIT 1) one`);
}

/** The alarm of a device that says it over and over: each time two messages, all of one record. Gives the device. */
export async function sayLong(sip: string, domain: string, messages: number): Promise<string> {
  const device = 'scaip-0006';
  const run = { to: sip, transport: 'udp', domain, user: device, password: undefined } as const;
  const { telephone, close } = await openTelephone({ ...run, policy: ORDINARY_POLICY });
  telephone.takeMessagesBy(() => undefined);
  const body = encodeRequest({ ref: '4711', cid: device, dty: '0003', stc: '0010' });
  try {
    for (let n = 0; n < messages / 2; n++) {
      const said = await telephone.say('scaip', { type: 'application/scaip+xml', body });
      if (!said.ok) throw new Error(said.error.reason);
    }
  } finally {
    await close();
  }
  return device;
}
