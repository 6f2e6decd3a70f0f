import { afterEach, expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { SitePeers } from '#appliance/site/host/peer/site-peers.ts';
import { copiesOf } from '#appliance/site/peer/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* A host is lost, and its device repeats the alarm to another one just as that one carries the alarm on. */

type Site = Awaited<ReturnType<typeof testAppliance>>;

const LOST = '01jc7z5t3k9q8w6m4n2p0r1s5a';
const SELF = '01jc7z5t3k9q8w6m4n2p0r1s5b';
const MEMBERS = [LOST, SELF].map((uid, order) => ({
  uid,
  hostId: `h${order}`,
  publicKey: '',
  order,
  address: uid,
}));
const STEP_MS = 250;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const say = (site: Site): void =>
  site.request('MESSAGE', 'unit-1', {
    body: '<mrq><ref>1</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>',
  });

async function host(): Promise<Site> {
  const site = await testAppliance();
  opened.push(() => site.close());
  site.bridge();
  return site;
}

/** The commits of a host that takes an alarm, and is lost before its application answers. */
async function commits(of?: Site): Promise<readonly (readonly JournalWrite[])[]> {
  const lost = of ?? (await host());
  const written: (readonly JournalWrite[])[] = [];
  lost.refuseCommits((writes) => {
    if (writes.some(({ kind }) => kind === 'session')) written.push(writes);
    return false;
  });
  say(lost);
  await lost.after(1_000);
  expect(lost.posted).toHaveLength(1);
  return written;
}

/** The copy at another host: session, event and row. `further`: the session has got on by so many states. */
const copied = (written: readonly (readonly JournalWrite[])[], further = 0): readonly JournalWrite[] =>
  written.flatMap((writes) => {
    const later = writes.map((write) =>
      write.kind === 'session'
        ? { ...write, row: { ...write.row, rank: (write.row.rank ?? 0) + further } }
        : write,
    );
    return heldWrites(LOST, copiesOf(later), 0);
  });

/**
 * A host that hears nothing of the other one. `meanwhile`: as it writes what it takes over to its disk; `behind`: when that is
 * there, before anybody has heard of it.
 */
async function survivor(
  held: readonly JournalWrite[],
  meanwhile: (site: Site) => void,
  behind: (site: Site) => void = () => undefined,
) {
  const site = await host();
  await site.journal.commit(held);
  const timers = new Map<() => void, number>();
  const running = new Set<Promise<unknown>>();
  const { runtime } = site;
  let adoptions = 0;
  const peers = new SitePeers({
    self: SELF,
    journal: {
      ...site.journal,
      commit: (writes) => {
        const kept = site.journal.commit(writes);
        if (!writes.some(({ kind }) => kind === 'session')) return kept;
        if (adoptions++ === 0) meanwhile(site);
        return kept.then(() => behind(site));
      },
    },
    clock: site.clock,
    log: () => undefined,
    run: (work) => {
      running.add(work);
      void work.finally(() => running.delete(work));
    },
    startTimer: (ms, fire) => {
      timers.set(fire, site.clock.monoMs() + ms);
      return () => void timers.delete(fire);
    },
    members: () => MEMBERS,
    call: async () => undefined,
    standing: () => ({ ready: true, serving: true }),
    running: () => runtime.sessionIds,
    twinOf: (id, atMs) => runtime.alarmSessions.twinOf(id, atMs),
    onEpoch: () => undefined,
    onLeft: (left) => runtime.alarmSessions.restore(left),
    onAdopted: (adoption) => runtime.takeOver(adoption),
    withdraw: (ids) => runtime.delivery.withdraw(ids),
    isInFlight: (id) => runtime.delivery.isInFlight(id),
    deadline: () => runtime.delivery.deadline(),
    onVipTwice: () => undefined,
    onHello: () => undefined,
    onSilent: () => undefined,
    onBack: () => undefined,
  });
  opened.push(async () => peers.stop());
  peers.start();
  const after = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await site.after(STEP_MS);
      for (const [fire, dueMs] of timers) {
        if (dueMs > site.clock.monoMs()) continue;
        timers.delete(fire);
        fire();
      }
      await Promise.all(running);
      await site.quiet();
    }
  };
  return { site, after, adoptions: () => adoptions, term: () => peers.epoch };
}

it('an alarm that is taken over goes on under the record that its host began', async () => {
  const lost = await host();
  const written = await commits(lost);
  await lost.after(1_500);
  const [start] = lost.records.all();
  expect(start).toMatchObject({ kind: 'alarm', result: 'running' });
  const { site, after, adoptions } = await survivor(copied(written), () => undefined);
  await after(12_000);
  expect(adoptions()).toBe(1);
  const { recordId, traceId, sessionId, event } = start ?? {};
  expect(await site.recorded()).toEqual([
    expect.objectContaining({ recordId, traceId, sessionId, event, restarts: 1 }),
  ]);
});

const undelivered = ({ journal }: Site): readonly string[] =>
  journal.pendingOutbox().map(({ type, state, attempts }) => `${type} ${state} ${attempts}`);

it.each([
  ['in the state in which it begins here', 0],
  ['further on than it is here', 9],
])(
  'an alarm that begins here while its copy is taken over, %s, stays with who began it',
  async (_, further) => {
    const written = await commits();
    const { site, after, adoptions } = await survivor(copied(written, further), say);
    await after(2_500);
    expect(adoptions()).toBe(1);
    expect(site.posted).toHaveLength(1);
    // Beyond the take-over of what was left: a live question is not repeated as a record.
    await after(3_500);
    site.posted[0]?.answer(answered({ action: 'drop' }));
    await after(1_000);
    // The device asks what became of it.
    say(site);
    await after(20_000);
    expect(undelivered(site)).toEqual([]);
    expect(site.posted).toHaveLength(1);
    expect(site.runtime.alarmSessions.size).toBe(0);
    // So that after a restart the device gets the answer that it got here.
    const [theirs] = written.flat().flatMap((write) => (write.kind === 'session' ? [write.row] : []));
    const ours = site.journal.session(theirs?.id ?? '');
    expect(ours?.closed).toBe(true);
    expect(ours?.dedupeKey).not.toBe(theirs?.dedupeKey);
  },
);

it.each([
  ['its session, as the host is doubted', 0],
  ['session and row at once, as the host is dead', 2_500],
])('a repeat that comes behind the commit of the take-over, of %s, keeps the id', async (_, copiedMs) => {
  const written = await commits();
  const [row] = written.flat().flatMap((write) => (write.kind === 'outbox' ? [write.row] : []));
  const [session] = written.flat().flatMap((write) => (write.kind === 'session' ? [write.row] : []));
  let repeats = 0;
  const repeat = (site: Site): void => {
    repeats++;
    say(site);
  };
  const { site, after } = await survivor(copiedMs === 0 ? copied(written) : [], () => undefined, repeat);
  site.answerBy(() => answered({ action: 'drop' }));
  await after(copiedMs);
  // The copy came late: nothing of it was here when the host was doubted.
  if (copiedMs > 0) await site.journal.commit(copied(written));
  await after(20_000);
  expect(repeats).toBe(1);
  expect(site.posted.length).toBeGreaterThan(0);
  expect(new Set(site.posted.map(({ delivery }) => delivery.id))).toEqual(new Set([row?.id]));
  expect(new Set(site.posted.map(({ body }) => body.sessionId))).toEqual(new Set([session?.id]));
  expect(undelivered(site)).toEqual([]);
});

it('a take-over begins another term than everything was stamped with before, also the first one', async () => {
  const { after, term } = await survivor([], () => undefined);
  expect(term()).toBe(1);
  await after(20_000);
  expect(term()).toBe(2);
});

it('an alarm that is taken over while the disk cannot be written is still delivered and answered', async () => {
  const written = await commits();
  const { site, after } = await survivor(copied(written), () => undefined);
  site.answerBy(() => answered({ action: 'drop' }));
  site.refuseCommits((writes) => writes.some(({ kind }) => kind === 'outbox' || kind === 'session'));
  await after(20_000);
  const rows = written.flat().flatMap((write) => (write.kind === 'outbox' ? [write.row.id] : []));
  expect(new Set(site.posted.map(({ delivery }) => delivery.id))).toEqual(new Set(rows));
  const reported = site.posted.length;
  say(site);
  await after(1_000);
  expect(site.posted).toHaveLength(reported);
});

it('a row of the lost host that lies here in flight, without a sender, is taken up', async () => {
  const written = await commits();
  const { site, after } = await survivor(copied(written), () => undefined);
  const rows = written.flat().filter(({ kind }) => kind === 'outbox');
  await site.journal.commit(rows);
  site.answerBy(() => answered({ action: 'drop' }));
  expect(undelivered(site)).toEqual(['newAlarmbridgeEvent inflight 0']);
  await after(10_000);
  expect(undelivered(site)).toEqual([]);
  expect(site.posted.map(({ delivery }) => delivery.id)).toEqual(
    rows.flatMap((write) => (write.kind === 'outbox' ? [write.row.id] : [])),
  );
});
