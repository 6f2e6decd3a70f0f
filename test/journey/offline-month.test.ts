import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { laneLimits } from '#appliance/delivery/outbox/index.ts';
import { cloudRow } from '#appliance/delivery/site-report.ts';
import type { SitePorts } from '#appliance/site/host/site-port.ts';
import { SiteLanes } from '#appliance/site/host/uplink/site-lane.ts';
import { batchClock, noteBoot } from '#appliance/site/system/index.ts';
import { siteEvents } from '#cloud/store/index.ts';
import { recordMs } from '#shared/clock.ts';
import {
  type BootNote,
  type EventBatch,
  eventAckSchema,
  LANES,
  type Lane,
} from '#shared/contract/feed/index.ts';
import { type MonitoringStage, openMonitoringStage, type Puppet } from '#test/cloud/monitoring/stage.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/*
 * Thirty days without cloud: alarms are taken and delivered every day, the machine is switched off and on in the middle and wakes in 1970,
 * the lanes fill beyond their quota. Then the cloud is there again. Its part is the real one, on a database.
 */

type Appliance = Awaited<ReturnType<typeof testAppliance>>;

const DAY = 86_400_000;
const DAYS = 30;
/** The machine is switched off after these, and its clock stands in 1970 for this many more. */
const DARK_DAY = 15;
const WITHOUT_TIME = 2;
/** Room for what waits, as on a small disk: 30 % are of lane svc, 10 % of usage. */
const BUDGET = 20_000;
/** Alarms, reports and usage of one day. */
const A_DAY = { svc: 4, usage: 24 } as const;

let folder: string;
let stage: MonitoringStage;
let puppet: Puppet;
let life: Appliance;
/** Real time, whatever the clock of the machine shows: epoch ms of the beginning. */
let beganMs: number;
let dayNow: number;
let boots: readonly BootNote[];
let synchronised: boolean;
/** When each alarm really happened, by its reference. */
const happened = new Map<string, number>();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'offline-month-'));
  stage = await openMonitoringStage();
  puppet = await stage.addHost();
  boots = [];
  dayNow = 0;
  happened.clear();
  life = await boot('first');
  beganMs = life.clock.wallMs();
  setTime(true);
});
afterEach(async () => {
  expect(life.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await life.close();
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function boot(bootId: string): Promise<Appliance> {
  const made = await testAppliance({ folder, bootId });
  made.bridge();
  made.answerBy(() => answered({ action: 'drop' }));
  made.runtime.restore();
  return made;
}

/** The source of time is there or not, as the agent sees it each minute. */
function setTime(right: boolean): void {
  synchronised = right;
  const now = { boot: life.journal.boot, mono: recordMs(life.clock), ts: life.clock.wallMs() };
  boots = noteBoot(boots, now, right);
}

const trueNow = (): number => beganMs + dayNow * DAY;

/** One day: an alarm of an unknown unit, which the console must learn of; reports and usage; the work of the night. */
async function day(): Promise<void> {
  const reference = `D${dayNow}`;
  happened.set(reference, trueNow());
  life.request('MESSAGE', `unit-${dayNow}`, {
    body: `<mrq><ref>${reference}</ref><cid>c-${dayNow}</cid><dty>0003</dty><stc>0010</stc></mrq>`,
  });
  await life.quiet();
  const rows = (['svc', 'usage'] as const).flatMap((lane) =>
    Array.from({ length: A_DAY[lane] }, () =>
      cloudRow(life.ports, { lane, type: `${lane}Report`, body: JSON.stringify({ text: 'x'.repeat(100) }) }),
    ),
  );
  await life.journal.commit(rows.map((row) => ({ kind: 'outbox', row }) as const));
  await life.after(5_000);
  await life.leap(DAY - 5_000);
  dayNow++;
  await life.journal.clean(life.clock.wallMs());
  // As `appliance/compose/disk-space.ts` does each minute.
  const waiting = await life.journal.waitingBytes();
  const limits = laneLimits(waiting, BUDGET);
  for (const lane of LANES)
    if (waiting[lane] > limits[lane]) await life.journal.dropOldest(lane, waiting[lane] - limits[lane]);
}

/** The cloud is there: everything goes up, as fast as it is acknowledged. Batches in the order in which they came. */
async function online(): Promise<readonly (readonly [Lane, EventBatch['items']])[]> {
  const sent: [Lane, EventBatch['items']][] = [];
  const coming: [Lane, Pick<EventBatch, 'items' | 'clk'>][] = [];
  const ports = {
    ...life.ports,
    journal: life.journal,
    startTimer: () => () => undefined,
    records: () => batchClock(boots, life.journal.boot, synchronised),
  } as unknown as SitePorts;
  const lanes = new SiteLanes(ports, (lane, batch) => coming.push([lane, batch]));
  await stage.birth(puppet);
  lanes.opened();
  for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
    const [lane, batch] = next;
    sent.push([lane, batch.items]);
    await stage.say(puppet, `up/ev/${lane}`, { v: 1, sid: puppet.sid, ...batch });
    lanes.acknowledged(eventAckSchema.parse(stage.sent.findLast(({ leaf }) => leaf === 'dn/ack')?.body));
    await life.quiet();
  }
  lanes.lost();
  return sent;
}

it('thirty days without cloud: every alarm is reported on its day, and the console learns all of it in order', async () => {
  for (let at = 0; at < DARK_DAY; at++) await day();
  await life.close(true);
  const before = life;
  life = await boot('second');
  // The battery of the clock is empty.
  life.setWallBy(-life.clock.wallMs());
  setTime(false);
  for (let at = 0; at < WITHOUT_TIME; at++) await day();
  life.setWallBy(trueNow() - life.clock.wallMs());
  setTime(true);
  while (dayNow < DAYS) await day();

  // The application stands on the site's own network: it has noticed nothing.
  const reported = [...before.posted, ...life.posted].filter(
    ({ call }) => call.path === '/newAlarmbridgeEvent',
  );
  expect(
    reported.map(({ body }) => (body.sourceAlarmEvent as { fields: { ref: string } }).fields.ref),
  ).toEqual(Array.from({ length: DAYS }, (_, at) => `D${at}`));

  // A minute ago: this one is not late.
  life.request('MESSAGE', 'unit-30', {
    body: '<mrq><ref>D30</ref><cid>c-30</cid><dty>0003</dty><stc>0010</stc></mrq>',
  });
  await life.after(1_000);
  // The cloud has lived these days, too: what lay ahead of it would not be believed.
  stage.stall((trueNow() - beganMs) / 1_000);
  const sent = await online();

  // Alarms first, whatever else waits.
  expect(sent[0]?.[0]).toBe('alarm');
  const { uid } = puppet.place;
  const alarms = (await siteEvents(stage.store, uid, 'alarm', 0, 1_000)).filter(
    ({ type }) => type === 'unknownDevice',
  );
  const unit = ({ body }: (typeof alarms)[number]) =>
    Number(String((body as { data: { deviceId: string } }).data.deviceId).slice('c-'.length));
  expect(alarms.map(unit)).toEqual(Array.from({ length: DAYS + 1 }, (_, at) => at));
  expect(alarms.map(({ late }) => late)).toEqual([...Array.from({ length: DAYS }, () => true), false]);
  for (const alarm of alarms.slice(0, DAYS)) {
    expect(Math.abs(alarm.at - (happened.get(`D${unit(alarm)}`) ?? 0))).toBeLessThan(5_000);
    const inTheDark = unit(alarm) >= DARK_DAY && unit(alarm) < DARK_DAY + WITHOUT_TIME;
    expect((alarm.body as { estimated?: boolean }).estimated ?? false).toBe(inTheDark);
  }

  // Beyond the quota the oldest of the lesser lanes gave way; alarms never.
  const [svc, usage] = [
    await siteEvents(stage.store, uid, 'svc', 0, 1_000),
    await siteEvents(stage.store, uid, 'usage', 0, 1_000),
  ];
  expect(svc.length).toBeGreaterThan(0);
  expect(svc.length).toBeLessThan(DAYS * A_DAY.svc);
  expect(usage.length).toBeLessThanOrEqual(A_DAY.usage);
  for (const events of [alarms, svc, usage]) {
    const order = events.map(({ seq }) => seq);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  }
  for (const lane of LANES)
    expect(life.journal.pending('cloud', lane, 0, 5_000).filter(({ state }) => state !== 'done')).toEqual([]);
  // Nothing goes up twice.
  expect(await online()).toEqual([]);
}, 120_000);
