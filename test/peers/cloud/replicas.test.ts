import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SwarmSetting, SwarmState } from '#test/bench/process/swarm.ts';
import { type Child, startChild } from '#test/bench/support/child-process.ts';
import { Place } from '#test/bench/support/place.ts';
import { OWNER_TOKEN, type Replica, type Replicas, startReplicas } from './replicas.ts';

const DOMAIN = 'replicas.example';
const COUNT = 3;
const HOSTS = 24;
const SHARDS = 64;
const MOST = Math.ceil(SHARDS / COUNT);
const ALL_HELD_MS = 60_000;

const place = new Place();
let replicas: Replicas;
let swarm: Child<null, null, SwarmState | undefined>;

/** Looks until it is so; gives what was seen last. */
async function until<Seen>(look: () => Promise<Seen>, fits: (seen: Seen) => boolean, withinMs: number) {
  const untilMs = performance.now() + withinMs;
  let seen = await look();
  while (!fits(seen) && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    seen = await look();
  }
  return seen;
}

/** The replica, and how many shards the rows give it. */
const shares = async (): Promise<Record<string, number>> => {
  const rows = await replicas.rows<{ taker: string; n: string }>(
    `SELECT taker, count(*) AS n FROM shard_lease JOIN shard_taker USING (sh)
      WHERE until > extract(epoch from clock_timestamp()) * 1000 GROUP BY taker`,
  );
  return Object.fromEntries(rows.map(({ taker, n }) => [taker, Number(n)]));
};
const isShared =
  (among: number) =>
  (seen: Record<string, number>): boolean =>
    Object.keys(seen).length === among &&
    Object.values(seen).reduce((a, b) => a + b, 0) === SHARDS &&
    Math.max(...Object.values(seen)) <= Math.ceil(SHARDS / among);
const shared = (among: number) => until(shares, isShared(among), ALL_HELD_MS);

const state = async () => await swarm.ask(null);
const replica = (n: number): Replica => {
  const found = replicas.all[n];
  if (found === undefined) throw new Error(`there is no replica ${n}`);
  return found;
};

/** Hosts that are there, as any replica says. */
async function online(at: Replica): Promise<number> {
  const { data } = (await replicas.ask(at, 'GET', `/site/${DOMAIN}`)) as unknown as {
    data: Record<string, { status: string }[]>;
  };
  return Object.values(data)
    .flat()
    .filter(({ status }) => status === 'online').length;
}

/** Alarms of silence, of every status: no host was silent. */
const falseAlarms = () =>
  replicas.rows("SELECT uid, service, status FROM site_alarm WHERE error = 'noHeartbeatReply'");

/** A device made at a replica; resolves when every host has applied its revision. Gives the time that took, ms. */
async function change(at: Replica, deviceId: string): Promise<number> {
  const beganMs = performance.now();
  const answer = await replicas.ask(at, 'PUT', `/provisioning/device/${DOMAIN}`, {
    deviceId,
    authType: 'deviceid',
    srtp: 'never',
  });
  expect(answer).toMatchObject({ status: 200 });
  const [head] = await replicas.rows<{ rev: string }>(
    `SELECT rev FROM scope_revision JOIN tenant ON tenant.id = owner AND domain = '${DOMAIN}' WHERE scope = 'tenant'`,
  );
  const rev = Number(head?.rev);
  const applied = () =>
    new Set(
      replicas.broker.ear
        .all('up/cfg')
        .filter(({ text }) => {
          // The trial of the broker speaks there, too, and not in JSON.
          if (!text.startsWith('{')) return false;
          const report = JSON.parse(text) as { scope: string; res: string; rev: number };
          return report.scope === 'tenant' && report.res === 'applied' && report.rev >= rev;
        })
        .map(({ topic }) => topic),
    ).size;
  expect(
    await until(
      async () => applied(),
      (n) => n === HOSTS,
      60_000,
    ),
  ).toBe(HOSTS);
  return performance.now() - beganMs;
}

/** How often the owner of each shard has said that it lives: on each connection, before it leaves the twins of the shard. */
function greetings(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { topic, text } of replicas.broker.ear.all('cp/state')) {
    const sh = shardIn(topic);
    if (text.includes('"on"')) counts.set(sh, (counts.get(sh) ?? 0) + 1);
  }
  return counts;
}

const shardIn = (topic: string): string => topic.split('/')[2] ?? '';

/** The numbers of the twins that went to each host, in their order. */
function twinNumbers(): Map<string, number[]> {
  const byHost = new Map<string, number[]>();
  for (const { topic, text } of replicas.broker.ear.all('dn/twin')) {
    const body = text.split('.')[1];
    if (body === undefined) continue;
    const { twinRev } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { twinRev: number };
    byHost.set(topic, [...(byHost.get(topic) ?? []), twinRev]);
  }
  return byHost;
}

/** Observations that a replica wrote of a host whose shard another one had taken. */
const trespasses = () => replicas.rows<Record<string, string>>('SELECT * FROM trespass');

/** The name of the connection says which replica writes; the last taker of a shard is the only one that may. */
const WATCH = `
  CREATE TABLE shard_taker (sh TEXT PRIMARY KEY, taker TEXT);
  INSERT INTO shard_taker SELECT sh, 'replica-0' FROM shard_lease;
  CREATE TABLE trespass (uid TEXT, writer TEXT, taker TEXT, what TEXT);
  CREATE TABLE observed (n BIGSERIAL, uid TEXT, writer TEXT);
  CREATE FUNCTION note_taker() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO shard_taker VALUES (NEW.sh, current_setting('application_name'))
      ON CONFLICT (sh) DO UPDATE SET taker = EXCLUDED.taker;
    RETURN NEW; END $$;
  CREATE TRIGGER taker AFTER UPDATE ON shard_lease FOR EACH ROW
    WHEN (OLD.epoch <> NEW.epoch) EXECUTE FUNCTION note_taker();
  CREATE FUNCTION note_writer() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE t TEXT; BEGIN
    SELECT taker INTO t FROM shard_taker JOIN host USING (sh) WHERE host.uid = NEW.uid;
    INSERT INTO observed (uid, writer) VALUES (NEW.uid, current_setting('application_name'));
    IF t <> current_setting('application_name') THEN
      INSERT INTO trespass VALUES (NEW.uid, current_setting('application_name'), t, TG_TABLE_NAME); END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER writer AFTER UPDATE ON host_status FOR EACH ROW
    WHEN (OLD.sid IS DISTINCT FROM NEW.sid OR OLD.last_seen IS DISTINCT FROM NEW.last_seen
      OR OLD.connectivity <> NEW.connectivity) EXECUTE FUNCTION note_writer();
  CREATE TRIGGER writer AFTER INSERT ON site_event FOR EACH ROW EXECUTE FUNCTION note_writer();
  CREATE TRIGGER writer AFTER INSERT OR UPDATE ON lane_cursor FOR EACH ROW EXECUTE FUNCTION note_writer();
`;

beforeAll(async () => {
  replicas = await startReplicas(place, COUNT);
  await replicas.rows(WATCH);
  // Those that took shards before the watch began are asked to take them once more.
  await replicas.rows("UPDATE shard_lease SET owner = '', until = 0");
  expect(await replicas.ask(replica(0), 'POST', '/platform/tenant', { domain: DOMAIN })).toMatchObject({
    status: 200,
  });
  const setting: SwarmSetting = {
    cloud: replica(0).api,
    token: OWNER_TOKEN,
    domain: DOMAIN,
    hosts: HOSTS,
    sites: HOSTS / 3,
    profile: 'high',
    folder: place.folder(),
    // An alarm a minute of each host.
    alarms: 60,
    faults: 0,
  };
  swarm = await place.keep(startChild(new URL('../../bench/process/swarm.ts', import.meta.url), setting));
  await until(state, (seen) => seen?.configured === HOSTS, 180_000);
  expect(await state()).toMatchObject({ connected: HOSTS, configured: HOSTS });
}, 400_000);
afterAll(() => place.close());

describe('three control planes on one database and one broker', () => {
  it('share the shards, none more than its part, and each sees the others', async () => {
    const seen = await shared(COUNT);
    expect(Object.values(seen).reduce((a, b) => a + b)).toBe(SHARDS);
    expect(Math.max(...Object.values(seen))).toBeLessThanOrEqual(MOST);
    const figures = await until(
      () => replicas.figure('carillon_shard_owned'),
      (n) => n === SHARDS,
      20_000,
    );
    expect(figures).toBe(SHARDS);
    for (const each of replicas.all) expect((await fetch(`${each.api}/readyz`)).status).toBe(200);
  });

  it('a change at any of them reaches every host, and no twin comes twice or out of order', async () => {
    await until(
      () => online(replica(1)),
      (n) => n === HOSTS,
      60_000,
    );
    const [before, greeted] = [twinNumbers(), greetings()];
    const took: number[] = [];
    for (let n = 0; n < 6; n++) took.push(await change(replica(n % COUNT), `device-${n}`));
    expect(Math.max(...took)).toBeLessThan(30_000);
    for (const [topic, numbers] of twinNumbers()) {
      const fresh = numbers.slice(before.get(topic)?.length ?? 0);
      expect(fresh).toEqual(fresh.toSorted((a, b) => a - b));
      const sh = shardIn(topic);
      // An owner that has connected again, or is another one, leaves each twin again.
      const again = (greetings().get(sh) ?? 0) - (greeted.get(sh) ?? 0);
      expect(fresh.length - new Set(fresh).size).toBeLessThanOrEqual(again);
    }
  });

  it('a question to a host is answered at the replica where it is asked, whichever replica owns the host', async () => {
    const { data } = (await replicas.ask(replica(0), 'GET', `/site/${DOMAIN}`)) as unknown as {
      data: Record<string, { hostId: string; siteId?: string }[]>;
    };
    const [siteId, hosts] = Object.entries(data)[0] ?? ['', []];
    for (const each of replicas.all) {
      const asked = await replicas.ask(each, 'GET', `/site/${DOMAIN}/${siteId}/${hosts[0]?.hostId}/log`);
      // The simulated host has no log and says so: it was asked, and it answered.
      expect(asked.reason ?? '').not.toMatch(/no management connection|did not answer/);
    }
  });

  it('one is killed: the others have its hosts within 20 s, and no host is called offline', async () => {
    const beganMs = performance.now();
    await replica(2).process.kill();
    const seen = await shared(2);
    expect(Object.values(seen).reduce((a, b) => a + b)).toBe(SHARDS);
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    await change(replica(1), 'after-the-kill');
    expect(await falseAlarms()).toEqual([]);
    await replica(2).process.start();
    await shared(COUNT);
  });

  it('one hangs longer than its lease: the others go on, and it comes back without writing a row', async () => {
    replica(1).process.freeze();
    const seen = await shared(2);
    expect(Object.keys(seen).toSorted()).toEqual(['replica-0', 'replica-2']);
    await change(replica(2), 'while-one-hangs');
    replica(1).process.thaw();
    expect(Object.keys(await shared(COUNT))).toHaveLength(COUNT);
    await change(replica(1), 'after-it-hung');
    expect(await falseAlarms()).toEqual([]);
  });

  it('one stops: its shards have an owner a second later, and hosts hear no farewell', async () => {
    const farewells = () =>
      replicas.broker.ear.all('cp/state').filter(({ text }) => text.includes('shutdown'));
    const before = farewells().length;
    await replica(0).process.stop(30_000);
    const beganMs = performance.now();
    await shared(2);
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    expect(farewells()).toHaveLength(before);
    await change(replica(1), 'after-the-stop');
  });

  it('no observation was written by a replica that did not own the shard', async () => {
    const [count] = await replicas.rows<{ n: string; writers: string }>(
      'SELECT count(*) AS n, count(DISTINCT writer) AS writers FROM observed',
    );
    expect(Number(count?.writers)).toBe(COUNT);
    expect(Number(count?.n)).toBeGreaterThan(HOSTS);
    expect(await trespasses()).toEqual([]);
    expect(await replicas.figure('carillon_false_offline_total')).toBe(0);
  });
});
