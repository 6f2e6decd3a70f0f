import { expect } from 'vitest';
import { massLoss } from '#cloud/monitoring/presence/mass-loss.ts';
import { COLD_START_MS, timingOf } from '#cloud/monitoring/presence/profile.ts';
import type { SilenceTally, SilenceVerdict } from '#cloud/store/index.ts';
import type { SwarmSetting, SwarmState } from '#test/bench/process/swarm.ts';
import { type Child, startChild } from '#test/bench/support/child-process.ts';
import type { Place } from '#test/bench/support/place.ts';
import type { ArrivedDelivery } from '#test/campaign/replica/control-plane-history.ts';
import { DOMAIN, replicaOf, until } from '#test/campaign/replica/control-plane-look.ts';
import { type Stage, startEndpoint, startStage } from '#test/campaign/replica/control-plane-stage.ts';
import { OWNER_TOKEN } from '../../cloud/replicas.ts';

/*
 * Two halves of a fleet, each in a process of its own, and all shards mixed among three owners:
 *
 *     half a ─┐                          ┌─ owner ─┐
 *             ├─ wires ─▶ two brokers ──▶┼─ owner ─┼─▶ tallies of shards ─▶ the owner of shard 00 judges ─▶ one alarm
 *     half b ─┘                          └─ owner ─┘
 */

export type Half = Child<null, null, SwarmState | undefined>;

export const HALF = 24;
export const ALL = 2 * HALF;
/** A host is suspect after three heartbeats of 10 s and 5 s, a program that has just started waits for a minute and a half. */
export const REPORTED_MS = 240_000;
/** So long behind the last word of all hosts a verdict by two pings of 5 s each would have come, also where the judgement was waited for. */
export const LASTING_MS = 45_000;

/** From then on behind its start an owner judges hosts: what it counts before is doubtful, and appears in no tally. */
export const JUDGES_FROM_MS = COLD_START_MS + 3 * timingOf('high').everyMs;

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

/** The number of a note, as the database counts them. */
type NoteId = string;

/** Three owners, two halves of a fleet, and a look at what each of them has written. */
export class SilentFleet {
  readonly stage: Stage;
  readonly #place: Place;
  readonly #folders = new Map<string, string>();
  readonly #arrived: ArrivedDelivery[] = [];

  private constructor(place: Place, stage: Stage) {
    this.#place = place;
    this.stage = stage;
  }

  static async start(
    place: Place,
    flags: readonly string[] = [],
  ): Promise<{ readonly fleet: SilentFleet; readonly first: Half }> {
    const stage = await startStage(place, { flags });
    const judgesMs = performance.now() + JUDGES_FROM_MS;
    const fleet = new SilentFleet(place, stage);
    await stage.replicas.rows(SILENCE_WATCH);
    await startEndpoint(place, stage.replicas, (delivery) => fleet.#arrived.push(delivery));
    const first = await fleet.startHalf('a');
    await fleet.startHalf('b');
    expect(await until(async () => (await fleet.hostsThat('online')) === ALL, REPORTED_MS)).toBe(true);
    expect(await until(async () => performance.now() > judgesMs, REPORTED_MS)).toBe(true);
    return { fleet, first };
  }

  startHalf(prefix: string): Promise<Half> {
    return this.startHosts(prefix, HALF);
  }

  async startHosts(prefix: string, hosts: number): Promise<Half> {
    const folder = this.#folders.get(prefix) ?? this.#place.folder();
    this.#folders.set(prefix, folder);
    const { replicas } = this.stage;
    const setting: SwarmSetting = {
      ...{ cloud: replicaOf(replicas, 0).api, token: OWNER_TOKEN, domain: DOMAIN, profile: 'high' },
      ...{ prefix, hosts, sites: hosts / 2, folder, alarms: 0, faults: 0 },
    };
    const swarm: Half = await this.#place.keep(
      startChild(new URL('../../../bench/process/swarm.ts', import.meta.url), setting, {
        startMs: REPORTED_MS,
      }),
    );
    expect(await until(async () => (await swarm.ask(null))?.configured === hosts, REPORTED_MS)).toBe(true);
    return swarm;
  }

  /** Hosts as their rows say. */
  async hostsThat(connectivity: string): Promise<number> {
    const [row] = await this.stage.replicas.rows<{ n: string }>(
      `SELECT count(*) AS n FROM host_status WHERE connectivity = '${connectivity}'`,
    );
    return Number(row?.n);
  }

  /** Hosts that were called silent until now. */
  async blamed(): Promise<string[]> {
    return (await this.#silences()).flatMap(({ uid, service }) => (service === 'platform' ? [] : [uid]));
  }

  /** Alarms of silence until now: of which service, and whether they stand. */
  #silences() {
    return this.stage.replicas.rows<{ uid: string; service: string; status: string }>(
      "SELECT uid, service, status FROM site_alarm WHERE error = 'noHeartbeatReply' ORDER BY id",
    );
  }

  /** The tenant has the alarm that the platform does not hear. */
  async isReported(): Promise<boolean> {
    return (await this.#silences()).some(
      ({ service, status }) => service === 'platform' && status === 'active',
    );
  }

  reported(): Promise<boolean> {
    return until(() => this.isReported(), REPORTED_MS);
  }

  notedSince(n: NoteId): Promise<Noted[]> {
    return this.stage.replicas.rows<Noted>(`SELECT * FROM seen_silence WHERE n > ${n} ORDER BY n`);
  }

  async newestNote(): Promise<NoteId> {
    const [row] = await this.stage.replicas.rows<{ n: string }>(
      'SELECT coalesce(max(n), 0) AS n FROM seen_silence',
    );
    return row?.n ?? '0';
  }

  /** The number of the replica that judges: the owner of the first shard. */
  async judge(): Promise<number> {
    const { rows, all } = this.stage.replicas;
    const [row] = await rows<{ taker: string }>("SELECT taker FROM shard_taker WHERE sh = '00'");
    return all.findIndex(({ name }) => name === row?.taker);
  }

  /** How long the rows showed a mass loss before the first judgement that says so, and all who wrote one. */
  async judgement(since: NoteId): Promise<{ readonly lateMs: number; readonly judges: string[] }> {
    const tallies = new Map<string, SilenceTally>();
    let shownMs: number | undefined;
    let lateMs: number | undefined;
    const judges = new Set<string>();
    for (const note of await this.notedSince('0')) {
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
  async expectIncidents(count: number, stands: boolean): Promise<void> {
    const all = await this.#silences();
    expect(all.filter(({ service }) => service !== 'platform')).toEqual([]);
    expect(all.filter(({ status }) => status === 'active')).toHaveLength(stands ? 1 : 0);
    const deliveries = 2 * count - (stands ? 1 : 0);
    expect(await until(async () => this.#arrived.length >= deliveries, REPORTED_MS)).toBe(true);
    expect(this.#arrived.map(({ about }) => about.split(' ')[1])).toEqual(
      Array.from({ length: deliveries }, (_, n) => (n % 2 === 0 ? 'raised' : 'cleared')),
    );
    expect(await this.hostsThat('offline')).toBe(0);
  }

  /** Every host is there, and the alarm is over. */
  async expectWell(count: number): Promise<void> {
    const isWell = async () => !(await this.isReported()) && (await this.hostsThat('online')) === ALL;
    expect(await until(isWell, REPORTED_MS)).toBe(true);
    await this.expectIncidents(count, false);
  }
}

const tenantsOf = ({ body }: Noted): readonly string[] => (JSON.parse(body) as SilenceVerdict).tenants;
