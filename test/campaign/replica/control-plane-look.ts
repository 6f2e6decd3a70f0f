import { verifyAudit } from '#cloud/cli/index.ts';
import { OWNER_TOKEN, type Replica, type Replicas } from '#test/peers/cloud/replicas.ts';
import { pause } from '#test/support/site.ts';

/** The tenant of hosts and changes. */
export const DOMAIN = 'replicas.example';
const SHARDS = 64;
const LOOK_MS = 200;
/** Every fault is over by then: leases, reconnections and a start on a machine that has other work. */
export const WHOLE_WITHIN_MS = 90_000;

/** Asks until it holds; false when it does not in time. */
export async function until(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > untilMs) return false;
    await pause(LOOK_MS);
  }
  return true;
}

/** Whether so many replicas own all shards in time, none more than its part. */
export async function shared({ rows }: Replicas, among: number): Promise<boolean> {
  return await until(async () => {
    const owners = await rows<{ n: string }>(
      `SELECT count(*) AS n FROM shard_lease WHERE owner <> '' AND until > extract(epoch from clock_timestamp()) * 1000
        GROUP BY owner`,
    ).catch(() => []);
    const shares = owners.map(({ n }) => Number(n));
    const owned = shares.reduce((sum, n) => sum + n, 0);
    return owned === SHARDS && shares.length === among && Math.max(...shares) <= Math.ceil(SHARDS / among);
  }, WHOLE_WITHIN_MS);
}

/** How many of these alarms are in no row, or have not arrived. */
async function unsettled({ rows }: Replicas, ids: readonly string[]): Promise<number> {
  const settled = await rows<{ id: string }>(
    "SELECT id FROM site_event WHERE lane = 'alarm' AND id NOT IN (SELECT id FROM relay WHERE state <> 'done')",
  );
  const known = new Set(settled.map(({ id }) => id));
  return ids.filter((id) => !known.has(id)).length;
}

/**
 * The alarms that hosts have reported until now, once they are in rows and have arrived, or the time is over. Hosts go on raising alarms
 * meanwhile, and nothing is said of those. `kept`: how many events hosts keep that are not acknowledged.
 */
export async function settledAlarms(replicas: Replicas, kept: () => Promise<number>) {
  const reported = reportedAlarms(replicas);
  let left = { kept: 0, undelivered: 0 };
  await until(async () => {
    left = { kept: await kept(), undelivered: await unsettled(replicas, reported) };
    return left.kept === 0 && left.undelivered === 0;
  }, WHOLE_WITHIN_MS);
  return { reported, ...left };
}

/**
 * Alarms that a host, or a whole site, is silent, each with all that replicas said of its host, for that explains it. The summary of a mass
 * loss (service `platform`) calls none so, and that connections break (`connection`) is true.
 */
const CALLED_SILENT = `
  SELECT uid || coalesce(' (' || (SELECT string_agg(to_char(at AT TIME ZONE 'UTC', 'HH24:MI:SS') || ' ' || writer || ' ' || said, ', ' ORDER BY n)
    FROM observed WHERE observed.uid = site_alarm.uid AND said IS NOT NULL) || ')', '') AS text
  FROM site_alarm WHERE error = 'noHeartbeatReply' AND service IN ('', 'site')`;

/** Summaries of a mass loss: whether each of them stands. */
const MASS_LOSSES = `
  SELECT status AS text FROM site_alarm WHERE error = 'noHeartbeatReply' AND service = 'platform'`;

/** The content of the rows in the end. */
export async function rowsOf(replicas: Replicas) {
  const { rows, all } = replicas;
  const texts = async (query: string): Promise<string[]> =>
    (await rows<{ text: string }>(query)).map(({ text }) => text);
  const isOver = async () => (await texts(MASS_LOSSES)).every((status) => status === 'cleared');
  await until(isOver, WHOLE_WITHIN_MS);
  const written = await rows<{ writer: string; n: string }>(
    'SELECT writer, count(*) AS n FROM observed GROUP BY writer',
  );
  const by = new Map(written.map(({ writer, n }) => [writer, Number(n)]));
  return {
    stored: await texts("SELECT id AS text FROM site_event WHERE lane = 'alarm'"),
    present: await texts('SELECT id AS text FROM device'),
    audited: await texts("SELECT entity_id AS text FROM audit WHERE entity = 'device'"),
    auditFaults: await auditFaults(replicas),
    calledSilent: await texts(CALLED_SILENT),
    massLosses: await texts(MASS_LOSSES),
    trespasses: await texts(
      "SELECT writer || ' wrote ' || what || ' of ' || uid || ', which ' || taker || ' had taken' AS text FROM trespass",
    ),
    observations: Object.fromEntries(all.map(({ name }) => [name, by.get(name) ?? 0])),
  };
}

/** Sentences on the audit logs of the tenant and of the platform that are no whole chain, as `carillon audit verify` finds them. */
async function auditFaults(replicas: Replicas): Promise<string[]> {
  const access = { baseUrl: replicaOf(replicas, 0).api, token: OWNER_TOKEN, kept: undefined };
  const faults: string[] = [];
  for (const domain of [DOMAIN, undefined]) {
    const verdict = await verifyAudit({ ...access, domain });
    if (verdict.kind !== 'whole') faults.push(`${domain ?? 'platform'}: ${verdict.reason}`);
  }
  return faults;
}

/** Messages of a kind that any broker passed on. */
export const received = ({ brokers }: Pick<Replicas, 'brokers'>, leaf: string) =>
  brokers.flatMap(({ ear }) => ear.all(leaf));

/** Ids of the alarms that hosts have sent, as the brokers passed them on. */
const reportedAlarms = (replicas: Replicas): string[] => [
  ...new Set(
    received(replicas, 'up/ev/alarm').flatMap(({ text }) => {
      const { items = [] } = text.startsWith('{') ? (JSON.parse(text) as { items?: { id: string }[] }) : {};
      return items.map(({ id }) => id);
    }),
  ),
];

/** The numbers of the twins of each host, as they came to each broker. */
export const twinNumbers = ({ brokers }: Replicas): number[][] => brokers.flatMap(twinNumbersAt);

function twinNumbersAt({ ear }: Replicas['broker']): number[][] {
  const byHost = new Map<string, number[]>();
  for (const { topic, text } of ear.all('dn/twin')) {
    const body = text.split('.')[1];
    if (body === undefined) continue;
    const { twinRev } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { twinRev: number };
    byHost.set(topic, [...(byHost.get(topic) ?? []), twinRev]);
  }
  return [...byHost.values()];
}

export function replicaOf({ all }: Replicas, n: number): Replica {
  const found = all[n];
  if (found === undefined) throw new Error(`there is no replica ${n}`);
  return found;
}
