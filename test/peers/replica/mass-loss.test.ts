import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { massLoss } from '#cloud/monitoring/presence/mass-loss.ts';
import type { SilenceTally, SilenceVerdict } from '#cloud/store/index.ts';
import type { SwarmSetting, SwarmState } from '#test/bench/process/swarm.ts';
import { type Child, startChild } from '#test/bench/support/child-process.ts';
import { Place } from '#test/bench/support/place.ts';
import type { ArrivedDelivery } from '#test/campaign/replica/control-plane-history.ts';
import { DOMAIN, replicaOf, until } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT, type Stage, startEndpoint, startStage } from '#test/campaign/replica/control-plane-stage.ts';
import { pause } from '#test/support/site.ts';
import { OWNER_TOKEN } from '../cloud/replicas.ts';

/*
 * Two halves of a fleet, each in a process of its own, and all shards mixed among three owners:
 *
 *     half a ─┐                          ┌─ owner ─┐
 *             ├─ wires ─▶ two brokers ──▶┼─ owner ─┼─▶ tallies of shards ─▶ the owner of shard 00 judges ─▶ one alarm
 *     half b ─┘                          └─ owner ─┘
 */

type Half = Child<null, null, SwarmState | undefined>;

const HALF = 24;
const ALL = 2 * HALF;
/** A host is suspect after three heartbeats of 10 s and 5 s, a program that has just started waits for a minute and a half. */
const TOLD_MS = 240_000;
/** The judgement looks at rows once a second; so late may it be at most. */
const JUDGED_MS = 5_000;
/** So long behind the last word of all hosts a verdict by two pings of 5 s each would have come, also where the judgement was waited for. */
const LASTING_MS = 45_000;

/** Each tally of a shard and each judgement, as they were written, and by whom. */
const SILENCE_WATCH = `
  CREATE TABLE seen_silence (n BIGSERIAL, at_ms DOUBLE PRECISION, writer TEXT, sh TEXT, body TEXT);
  CREATE FUNCTION note_silence() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen_silence (at_ms, writer, sh, body) VALUES (extract(epoch from clock_timestamp()) * 1000,
      current_setting('application_name'), CASE WHEN TG_TABLE_NAME = 'silence' THEN to_jsonb(NEW)->>'sh' END, NEW.body);
    RETURN NEW; END $$;
  CREATE TRIGGER noted AFTER INSERT OR UPDATE ON silence FOR EACH ROW EXECUTE FUNCTION note_silence();
  CREATE TRIGGER noted AFTER INSERT OR UPDATE ON silence_verdict FOR EACH ROW EXECUTE FUNCTION note_silence();
`;

interface Noted {
  readonly n: string;
  readonly at_ms: number;
  readonly writer: string;
  /** Null: a judgement. */
  readonly sh: string | null;
  readonly body: string;
}

const place = new Place();
const folders = new Map<string, string>();
const arrived: ArrivedDelivery[] = [];
let stage: Stage;
let first: Half;

async function startHalf(prefix: string): Promise<Half> {
  const folder = folders.get(prefix) ?? place.folder();
  folders.set(prefix, folder);
  const setting: SwarmSetting = {
    ...{ cloud: replicaOf(stage.replicas, 0).api, token: OWNER_TOKEN, domain: DOMAIN, profile: 'high' },
    ...{ prefix, hosts: HALF, sites: HALF / 2, folder, alarms: 0, faults: 0 },
  };
  const swarm: Half = await place.keep(
    startChild(new URL('../../bench/process/swarm.ts', import.meta.url), setting, { startMs: TOLD_MS }),
  );
  expect(await until(async () => (await swarm.ask(null))?.configured === HALF, TOLD_MS)).toBe(true);
  return swarm;
}

/** Hosts as their rows say. */
async function hostsThat(connectivity: string): Promise<number> {
  const [row] = await stage.replicas.rows<{ n: string }>(
    `SELECT count(*) AS n FROM host_status WHERE connectivity = '${connectivity}'`,
  );
  return Number(row?.n);
}

/** Alarms of silence until now: of which service, and whether they stand. */
const silences = () =>
  stage.replicas.rows<{ service: string; status: string }>(
    "SELECT service, status FROM site_alarm WHERE error = 'noHeartbeatReply' ORDER BY id",
  );
const isTold = async (): Promise<boolean> =>
  (await silences()).some(({ service, status }) => service === 'platform' && status === 'active');
const told = (): Promise<boolean> => until(isTold, TOLD_MS);

const notedSince = (n: string): Promise<Noted[]> =>
  stage.replicas.rows<Noted>(`SELECT * FROM seen_silence WHERE n > ${n} ORDER BY n`);
async function newestNote(): Promise<string> {
  const [row] = await stage.replicas.rows<{ n: string }>('SELECT coalesce(max(n), 0) AS n FROM seen_silence');
  return row?.n ?? '0';
}
const tenantsOf = ({ body }: Noted): readonly string[] => (JSON.parse(body) as SilenceVerdict).tenants;

/** The number of the replica that judges: the owner of the first shard. */
async function judge(): Promise<number> {
  const [row] = await stage.replicas.rows<{ taker: string }>("SELECT taker FROM shard_taker WHERE sh = '00'");
  return stage.replicas.all.findIndex(({ name }) => name === row?.taker);
}

/** How long the rows showed a mass loss before the first judgement that says so, and all who wrote one. */
async function judgement(since: string): Promise<{ readonly lateMs: number; readonly judges: string[] }> {
  const tallies = new Map<string, SilenceTally>();
  let shownMs: number | undefined;
  let lateMs: number | undefined;
  const judges = new Set<string>();
  for (const note of await notedSince('0')) {
    if (note.sh !== null) {
      tallies.set(note.sh, JSON.parse(note.body) as SilenceTally);
      const isShown = massLoss([...tallies].map(([sh, tally]) => ({ sh, ...tally }))).length > 0;
      if (BigInt(note.n) > BigInt(since) && isShown) shownMs ??= note.at_ms;
    } else if (BigInt(note.n) > BigInt(since) && tenantsOf(note).length > 0) {
      judges.add(note.writer);
      if (shownMs !== undefined) lateMs ??= note.at_ms - shownMs;
    }
  }
  return { lateMs: lateMs ?? Number.NaN, judges: [...judges] };
}

/** No host was called offline, and so many alarms say to the tenant that the platform does not hear. */
async function expectIncidents(count: number, stands: boolean): Promise<void> {
  const all = await silences();
  expect(all.filter(({ service }) => service !== 'platform')).toEqual([]);
  expect(all.filter(({ status }) => status === 'active')).toHaveLength(stands ? 1 : 0);
  const deliveries = 2 * count - (stands ? 1 : 0);
  expect(await until(async () => arrived.length >= deliveries, TOLD_MS)).toBe(true);
  expect(arrived.map(({ about }) => about.split(' ')[1])).toEqual(
    Array.from({ length: deliveries }, (_, n) => (n % 2 === 0 ? 'raised' : 'cleared')),
  );
  expect(await hostsThat('offline')).toBe(0);
}

/** Every host is there, and the alarm is over. */
async function expectWell(count: number): Promise<void> {
  expect(await until(async () => !(await isTold()) && (await hostsThat('online')) === ALL, TOLD_MS)).toBe(
    true,
  );
  await expectIncidents(count, false);
}

beforeAll(async () => {
  stage = await startStage(place);
  await stage.replicas.rows(SILENCE_WATCH);
  await startEndpoint(place, stage.replicas, (delivery) => arrived.push(delivery));
  first = await startHalf('a');
  await startHalf('b');
  expect(await until(async () => (await hostsThat('online')) === ALL, TOLD_MS)).toBe(true);
}, 600_000);
afterAll(() => place.close());

describe('hosts of three owners that fall silent at once', { timeout: 600_000 }, () => {
  it('half of them vanish: one owner judges once, from rows and within 5 s, and one alarm tells of it', async () => {
    const since = await newestNote();
    const at = await judge();
    process.kill(first.pid, 'SIGKILL');
    expect(await told()).toBe(true);
    expect(await until(async () => (await hostsThat('suspect')) === HALF, TOLD_MS)).toBe(true);
    await pause(LASTING_MS);
    await expectIncidents(1, true);
    const { lateMs, judges } = await judgement(since);
    expect(judges).toEqual([replicaOf(stage.replicas, at).name]);
    expect(lateMs).toBeLessThan(JUDGED_MS);
    // All owners had hosts of it.
    const writers = new Set(
      (await notedSince(since)).flatMap(({ sh, writer, body }) =>
        sh !== null && (JSON.parse(body) as SilenceTally).silent > 0 ? [writer] : [],
      ),
    );
    expect(writers.size).toBe(COUNT);

    await startHalf('a');
    await expectWell(1);
  });

  it('the brokers are parted from all of them: it is told as ours, at every replica, and no host is blamed', async () => {
    for (const wire of stage.hosts) wire.cut();
    expect(await told()).toBe(true);
    expect(await until(async () => (await hostsThat('suspect')) === ALL, TOLD_MS)).toBe(true);
    const degraded = async (n: number): Promise<boolean> => {
      const { alarms } = (await stage.replicas.ask(
        replicaOf(stage.replicas, n),
        'GET',
        '/platform/alarm',
      )) as unknown as { alarms: { error: string; status: string }[] };
      return alarms.some(({ error, status }) => error === 'controlPlaneDegraded' && status === 'active');
    };
    for (const n of [0, 1, 2]) expect(await until(() => degraded(n), TOLD_MS)).toBe(true);
    await pause(LASTING_MS);
    await expectIncidents(2, true);
    for (const wire of stage.hosts) wire.join();
    await expectWell(2);
    for (const n of [0, 1, 2]) expect(await until(async () => !(await degraded(n)), TOLD_MS)).toBe(true);
  });
});
