import { callListTestStateSchema } from '#shared/contract/alarm-queue/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import { emergencyTestCallSchema } from '#shared/contract/provisioning/index.ts';
import type { Log } from '#shared/log.ts';
import type { Result } from '#shared/result.ts';
import {
  type CallListTestRow,
  deleteOldCallListTests,
  type HostRow,
  hostsOf,
  listTenants,
  openCallListTests,
  putCallListTest,
  readCallListTest,
  recordAudit,
  type Store,
  type TestedEntity,
  testedLists,
} from '../store/index.ts';
import { dueMonth } from './due.ts';

export interface CallListTestPort {
  readonly store: Store;
  readonly nowMs: () => number;
  /** Asks a host over its management connection. */
  readonly ask: (
    uid: string,
    question: {
      readonly op: 'list.test';
      readonly args: Record<string, unknown>;
      readonly forMs: number;
      readonly by: string;
    },
  ) => Promise<Result<RemoteResponse>>;
  /** Lets everything else that is due go first. */
  readonly breathe: () => Promise<void>;
  readonly log: Log;
}

const PAGE = 100;
const ASK_MS = 10_000;
/** A list of a hundred takes 2.5 h, and tests of a host follow each other. Later than this people sleep. */
const LONGEST_MS = 6 * 3_600_000;
/** `Chosen:` so often a test of one month is begun. */
const MOST_TRIES = 3;
/** Rows of lists that were removed stay for so long. */
const KEPT_MS = 62 * 86_400_000;
const SYSTEM = { name: 'system', address: '', requestId: 'call-list-test' };

/**
 * The monthly test calls of emergency lists: which are due, which host calls, and the result. The host does the calls.
 *
 *   due ──▶ wanted ── a host has begun ──▶ running ── every person called ──▶ done
 *             │                              │ 6 h
 *             └────────── 6 h ───────────────┴──▶ failed ── same hour of another day ──▶ wanted
 */
export class CallListTests {
  readonly #port: CallListTestPort;

  constructor(port: CallListTestPort) {
    this.#port = port;
  }

  /** Notes the tests that are due. To be called several times an hour. */
  async begin(): Promise<void> {
    const { store, breathe, nowMs } = this.#port;
    for (let after = ''; ; ) {
      const tenants = await listTenants(store, after, PAGE);
      for (const { id, domain } of tenants) {
        for (const entity of ['alarmbridge', 'device'] as const) await this.#note(id, entity);
        after = domain;
        await breathe();
      }
      if (tenants.length < PAGE) break;
    }
    await store.withTx((tx) => deleteOldCallListTests(tx, nowMs() - KEPT_MS, PAGE));
  }

  /** Asks the hosts, every minute: a test that waits begins, and one that runs may be done. */
  async follow(): Promise<void> {
    const busy = new Set<string>();
    for (const row of await openCallListTests(this.#port.store, PAGE)) {
      if (this.#port.nowMs() - row.askedAt >= LONGEST_MS) await this.#failed(row, 'it took too long');
      else if (row.uid !== null) await this.#ask(row, row.uid, busy);
      else
        for (const host of await this.#hostsFor(row))
          if (!busy.has(host.uid) && (await this.#ask(row, host.uid, busy))) break;
      await this.#port.breathe();
    }
  }

  async #note(tenant: string, entity: TestedEntity): Promise<void> {
    const { store, nowMs } = this.#port;
    for (let after = ''; ; ) {
      const lists = await testedLists(store, tenant, entity, after, PAGE);
      for (const { id, testCall } of lists) {
        after = id;
        const said = emergencyTestCallSchema.safeParse(testCall);
        const at = nowMs();
        const month = said.success ? dueMonth(said.data, at) : undefined;
        if (month === undefined) continue;
        const before = await readCallListTest(store, tenant, entity, id);
        const tries = before?.month === month ? before.tries : 0;
        if (before?.month === month && (before.state !== 'failed' || tries >= MOST_TRIES)) continue;
        const row: CallListTestRow = {
          ...{ tenant, entity, id, month, state: 'wanted', uid: null, tries: tries + 1, askedAt: at },
          ...{ endedAt: null, called: 0, confirmed: 0 },
        };
        await store.withTx((tx) => putCallListTest(tx, row));
      }
      if (lists.length < PAGE) return;
    }
  }

  /** Whether this host has it now. */
  async #ask(row: CallListTestRow, uid: string, busy: Set<string>): Promise<boolean> {
    const { store, ask, nowMs } = this.#port;
    const { entity, id, month, tries } = row;
    const args = { entity, id, test: `${month}.${tries}` };
    const answer = await ask(uid, { op: 'list.test', args, forMs: ASK_MS, by: 'system' });
    // A host that is away goes on with its test, and is asked again: another host would call the same people.
    if (!answer.ok || !answer.value.ok) {
      busy.add(uid);
      return false;
    }
    const said = callListTestStateSchema.safeParse(answer.value.data);
    if (!said.success) return false;
    const { state, called, confirmed } = said.data;
    const next: CallListTestRow = {
      ...{ ...row, uid, state, called, confirmed },
      endedAt: state === 'done' ? nowMs() : null,
    };
    await store.withTx(async (tx) => {
      await putCallListTest(tx, next);
      if (state === 'done') await this.#audit(tx, next);
    });
    return true;
  }

  async #failed(row: CallListTestRow, reason: string): Promise<void> {
    const { tenant, entity, id } = row;
    const next: CallListTestRow = { ...row, state: 'failed', endedAt: this.#port.nowMs() };
    await this.#port.store.withTx(async (tx) => {
      await putCallListTest(tx, next);
      await this.#audit(tx, next);
    });
    this.#port.log('warn', 'call_list_test.not_done', 'A test call of an emergency list was not done', {
      ...{ tenant, entity, id, reason, tries: row.tries },
    });
  }

  #audit(
    tx: Parameters<typeof recordAudit>[0],
    { tenant, entity, id, month, state, called, confirmed }: CallListTestRow,
  ): Promise<unknown> {
    const detail = { month, state, called, confirmed };
    const actor = { ...SYSTEM, at: this.#port.nowMs() };
    return recordAudit(tx, actor, { tenant, action: 'testCall', entity, entityId: id, detail });
  }

  /** Hosts in service; another one begins each month, so that the trunks of every host are tried. */
  async #hostsFor({ tenant, month }: CallListTestRow): Promise<readonly HostRow[]> {
    const hosts = (await hostsOf(this.#port.store, tenant))
      .filter(({ host, status }) => host.lifecycle === 'active' && status.connectivity === 'online')
      .map(({ host }) => host);
    const first = hosts.length === 0 ? 0 : Number(month.slice(5)) % hosts.length;
    return [...hosts.slice(first), ...hosts.slice(0, first)];
  }
}
