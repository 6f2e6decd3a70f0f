import { SHARDS } from '#shared/contract/feed/index.ts';
import {
  forgetSilence,
  lockTenant,
  putSilence,
  putSilenceVerdict,
  readSilence,
  readSilenceVerdict,
  type SilenceTally,
  type SilenceVerdict,
  type Tx,
} from '../../store/index.ts';
import type { AlarmTable } from '../alarm/alarm-table.ts';
import { LEADER_SHARD, type MonitoringPort } from '../alarm/port.ts';
import { platformSubject, platformText, troubleText } from '../alarm/wording.ts';
import { massLoss, type Trouble, troubleFrom } from '../presence/mass-loss.ts';
import type { ShardTally } from '../presence/shard-tallies.ts';
import type { Watch } from '../presence/watch.ts';
import type { ReportedTurns } from './turn.ts';

interface SharedSilenceDependencies {
  readonly watch: Watch;
  readonly alarms: AlarmTable;
  readonly turns: ReportedTurns;
  /** Whether the hosts of this shard have been read. */
  readonly isLoaded: (sh: string) => boolean;
}

/** A number that was not considered after so long may have been overwritten by another owner: it is written once more. */
const AGAIN_MS = 4_000;
const TURN = 'silence';
const EMPTY: Omit<ShardTally, 'sh'> = { seen: 0, silent: 0, suspect: 0, doubtful: 0, sites: [] };

/**
 * Mass loss where several replicas watch: each owner writes what it sees of its shards, one replica judges all of it, and every owner
 * goes by that judgement.
 *
 *     owner ── tally of a shard, when it changes ──▶ silence ──▶ leader: judgement, alarm, in one transaction
 *       ▲                                                                     │
 *       └──────── silent hosts are held back until it has considered them ◀───┘ silence_verdict
 *
 * One that sees all hosts judges at once, and leaves its judgement in the row for a process that joins or follows.
 *
 * Nothing is written while no host comes or goes. A shard that has just changed its owner keeps the tally of the one before, until
 * its new owner may judge its hosts.
 */
export class SharedSilence {
  readonly #port: MonitoringPort;
  readonly #dependencies: SharedSilenceDependencies;
  /** The last tally of each shard that was written here. */
  readonly #written = new Map<string, string>();
  /** Numbers that were written, and the last moment at which nothing differed from them. */
  #sent: { readonly n: number; readonly fromMs: number; toMs: number }[] = [];
  #n = 0;
  /** The last number that the judgement has considered. */
  #considered = 0;
  #isTroubled = false;
  #isBusy = false;

  constructor(port: MonitoringPort, dependencies: SharedSilenceDependencies) {
    this.#port = port;
    this.#dependencies = dependencies;
  }

  /** Once a second. A look that is under way is not waited for: the next one sees more. */
  note(tallies: readonly ShardTally[], nowMs: number): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#dependencies.turns.add(TURN, () =>
      this.#look(tallies, nowMs).finally(() => {
        this.#isBusy = false;
      }),
    );
  }

  /** The judgement of one that sees all hosts: tenants for which the trouble begins or is over. */
  alone(tenants: readonly string[], on: boolean): void {
    const { store, shards } = this.#port;
    const tell = async (): Promise<void> => {
      const { tenants: before, ...verdict } = await readSilenceVerdict(store);
      const all = [...new Set([...before, ...tenants])].toSorted();
      const now = on ? all : [];
      const trouble = this.#troubleAt(verdict.trouble, before, now);
      await shards.storeOf(LEADER_SHARD).withTx(async (tx) => {
        // Those of an owner that died would count again for the one that joins next.
        await forgetSilence(tx);
        await this.#tell(tx, { ...verdict, tenants: now, trouble }, on ? tenants : [], on ? [] : all);
      });
      this.#written.clear();
      this.#isTroubled = on;
      this.#alarm(now);
    };
    this.#dependencies.turns.addLasting(TURN, LEADER_SHARD, tell);
  }

  /** Before hosts are loaded: a trouble that another process has seen is not over yet, or not for long. */
  async remember(): Promise<void> {
    const { tenants, trouble } = await readSilenceVerdict(this.#port.store);
    if (trouble === undefined && tenants.length === 0) return;
    this.#isTroubled = tenants.length > 0;
    this.#dependencies.watch.judged(tenants, Number.NEGATIVE_INFINITY, this.#monoOf(trouble));
  }

  #monoOf(trouble: Trouble | undefined): Trouble | undefined {
    if (trouble === undefined) return undefined;
    const { clock } = this.#port;
    const offMs = clock.monoMs() - clock.wallMs();
    const { beganMs, calmMs } = trouble;
    return { beganMs: beganMs + offMs, calmMs: calmMs === null ? null : calmMs + offMs };
  }

  /** The trouble as it is in rows, where these tenants had it before and those have it now. */
  #troubleAt(
    trouble: Trouble | undefined,
    before: readonly string[],
    now: readonly string[],
  ): Trouble | undefined {
    const nowMs = this.#port.clock.wallMs();
    if (before.length === 0 && now.length > 0) return troubleFrom(trouble, nowMs);
    return trouble !== undefined && before.length > 0 && now.length === 0
      ? { ...trouble, calmMs: nowMs }
      : trouble;
  }

  #alarm(tenants: readonly string[]): void {
    const { platform } = this.#port;
    const what = { error: 'controlPlaneDegraded', subject: '' } as const;
    if (tenants.length > 0) platform.raise({ ...what, message: troubleText(tenants) });
    else platform.clear(what);
  }

  async #look(tallies: readonly ShardTally[], nowMs: number): Promise<void> {
    const { shards, store } = this.#port;
    await this.#write(tallies, nowMs);
    if (shards.owns(LEADER_SHARD)) await this.#judge();
    if (!this.#isTroubled && tallies.every(({ silent }) => silent === 0)) {
      // None of its hosts waits for a judgement.
      this.#considered = this.#n;
      this.#sent = this.#sent.slice(-1);
      this.#dependencies.watch.judged([], nowMs);
      return;
    }
    const { tenants, heard, trouble } = await readSilenceVerdict(store);
    this.#isTroubled = tenants.length > 0;
    const considered = this.#sent.findLast(({ n }) => n <= (heard[shards.replica] ?? 0));
    const asOfMs = considered?.toMs ?? Number.NEGATIVE_INFINITY;
    this.#dependencies.watch.judged(tenants, asOfMs, this.#monoOf(trouble));
    if (considered === undefined) return;
    this.#considered = considered.n;
    this.#sent = this.#sent.filter(({ n }) => n >= considered.n);
  }

  async #write(tallies: readonly ShardTally[], nowMs: number): Promise<void> {
    const { shards, store } = this.#port;
    const bySh = new Map(tallies.map((tally) => [tally.sh, tally]));
    for (const sh of this.#written.keys()) if (!shards.owns(sh)) this.#written.delete(sh);
    const certain = SHARDS.filter((sh) => shards.owns(sh) && this.#dependencies.isLoaded(sh))
      .map((sh) => bySh.get(sh) ?? { sh, ...EMPTY })
      .filter(({ doubtful }) => doubtful === 0)
      .map((tally) => ({ sh: tally.sh, body: bodyOf(tally), text: JSON.stringify(bodyOf(tally)) }));
    const last = this.#sent.at(-1);
    const isUnanswered = last !== undefined && last.n > this.#considered && nowMs - last.fromMs > AGAIN_MS;
    const changed = isUnanswered ? certain : certain.filter(({ sh, text }) => this.#written.get(sh) !== text);
    if (changed.length === 0) {
      if (last !== undefined) last.toMs = nowMs;
      return;
    }
    const n = this.#n + 1;
    const bodies = new Map(changed.map(({ sh, body }) => [sh, body]));
    await store.withTx((tx) => putSilence(tx, shards.replica, n, bodies));
    this.#n = n;
    for (const { sh, text } of changed) this.#written.set(sh, text);
    this.#sent.push({ n, fromMs: nowMs, toMs: nowMs });
  }

  /** The judgement over all shards, and the alarm that tells of it. */
  async #judge(): Promise<void> {
    const { store, shards } = this.#port;
    const { rows, verdict: before } = await readSilence(store);
    const found = massLoss(rows.map(({ sh, body }) => ({ sh, ...body })));
    const tenants = found.length === 0 ? [] : [...new Set([...before.tenants, ...found])].toSorted();
    const lastOf: Record<string, number> = {};
    for (const { replica, n } of rows) lastOf[replica] = Math.max(lastOf[replica] ?? 0, n);
    const isNew = rows.some(
      ({ replica, body }) => body.silent > 0 && (lastOf[replica] ?? 0) > (before.heard[replica] ?? 0),
    );
    const began = tenants.filter((tenant) => !before.tenants.includes(tenant));
    const isOver = tenants.length === 0 && before.tenants.length > 0;
    if (began.length === 0 && !isOver && !isNew) return;
    const trouble = this.#troubleAt(before.trouble, before.tenants, tenants);
    await shards
      .storeOf(LEADER_SHARD)
      .withTx((tx) =>
        this.#tell(tx, { tenants, heard: lastOf, trouble }, began, isOver ? before.tenants : []),
      );
    this.#isTroubled = tenants.length > 0;
    this.#alarm(tenants);
  }

  async #tell(
    tx: Tx,
    verdict: SilenceVerdict,
    began: readonly string[],
    over: readonly string[],
  ): Promise<void> {
    const { alarms } = this.#dependencies;
    await putSilenceVerdict(tx, verdict);
    for (const tenant of began) {
      await lockTenant(tx, tenant);
      await alarms.raise(tx, platformSubject(tenant), platformText);
    }
    for (const tenant of over) {
      await lockTenant(tx, tenant);
      await alarms.clear(tx, platformSubject(tenant), platformText.error, platformText.service);
    }
  }
}

const bodyOf = ({ seen, silent, suspect, sites }: ShardTally): SilenceTally => ({
  seen,
  silent,
  suspect,
  sites,
});
