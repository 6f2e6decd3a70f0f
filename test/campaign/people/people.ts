import { simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, pause, type Site, until } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, type Run, seeded } from '../campaign.ts';
import { judgePeople, type PeopleHistory } from './people-history.ts';
import { Persons, type Reaction } from './persons.ts';
import { QueuePerson, type QueueRow } from './queue-person.ts';

/** Telephones of the demo tenant. */
const PEOPLE = ['operator', 'expert'] as const;
/** Alarms whose people accept sooner or later, and those whose people never do. */
const ACCEPTED = ['list0', 'list1', 'list2', 'list3'];
const QUEUED = ['queue0', 'queue1'];
const LIFE = { least: 1_200, most: 5_000 };
const DEATH = { least: 0, most: 700 };
/** Fewer would find no list in each of its states; afterwards the appliance lives. */
const [LEAST_KILLS, MOST_KILLING_MS] = [4, 30_000];
const QUIET_WITHIN_MS = 90_000;

/** kill -9 of the appliance while it calls the people of lists, and while alarms wait in the alarm queue. */
export const people: Campaign = {
  summary:
    'kill -9 of the appliance while it calls people: no list is forgotten, no person called twice at once',
  run: async (setting) => [await underFire(setting)],
};

async function underFire({ seed, minutes, say }: CampaignSetting): Promise<Run> {
  const random = seeded(seed);
  const site = await openSite({ provision });
  // The person of the queue stays on the line.
  const stays = { isOn: false };
  const persons = new Persons((alarm) => (stays.isOn ? [] : reaction(alarm, random())));
  const closing: (() => Promise<void>)[] = [() => site.close(), () => persons.close()];
  try {
    for (const user of PEOPLE) await persons.add(site, user);
    const duty = await QueuePerson.signIn(site);
    say(`${ACCEPTED.length + QUEUED.length} alarms, ${PEOPLE.length} people`);
    const alarms = await raise(site);
    const forMs = minutes === undefined ? MOST_KILLING_MS : minutes * 60_000;
    const kills = await killWhile(site, persons, random, forMs, () => isDone(site, alarms));
    await until(() => isDone(site, alarms), QUIET_WITHIN_MS);
    say(`${kills} kills, ${persons.calls.length} calls`);
    const rows = await rowsOf(duty, alarms);
    stays.isOn = true;
    const taken = await takeAll(duty, rows);
    const history: PeopleHistory = {
      ...{ alarms, queued: QUEUED, calls: persons.calls, told: toldBy(site), taken },
      waiting: rows.map(({ alarmId }) => alarmId),
    };
    const verdict = judgePeople(history);
    return { name: 'kill -9', figures: { kills, ...verdict.figures }, violations: verdict.violations };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Accept and clear, refuse, or hang up. */
function reaction(alarm: string, draw: number): Reaction {
  if (QUEUED.includes(alarm)) return draw < 0.5 ? ['9'] : [''];
  if (draw < 0.4) return ['1', '0', '0'];
  return draw < 0.7 ? ['9'] : [''];
}

async function provision({ api, token, domain, callbacks }: Provisioned): Promise<void> {
  const steps = PEOPLE.map((user) => ({
    entries: [{ destination: `sip:${user}@${domain}`, ringTime: 5_000 }],
  }));
  for (const name of [...ACCEPTED, ...QUEUED]) {
    const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ name, protocol: 'scaip', destinationMatch: `^${name}$`, ...callbacks },
        defaultEmergencyDestination: `sip:${PEOPLE[0]}@${domain}`,
        emergencyCallList: { steps, pause: 5_000, rounds: QUEUED.includes(name) ? 1 : 10 },
      }),
    });
    if (!answer.ok) throw new Error(`the receiver ${name} was not provisioned: ${answer.status}`);
  }
}

type Provisioned = Parameters<NonNullable<NonNullable<Parameters<typeof openSite>[0]>['provision']>>[0];

/** One alarm for each receiver, each of a unit of its own; their sessions. */
async function raise(site: Site): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, string>();
  await Promise.all(
    [...ACCEPTED, ...QUEUED].map((receiver, index) =>
      simulateScaip({
        ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver, password: undefined },
        ...{ device: `scaip-${String(index + 1).padStart(4, '0')}`, count: 1, rate: 1, trust: undefined },
        ...{ deviceType: '0003', statusCode: '0010' },
        onAcknowledged: (reference) => references.set(receiver, reference),
      }),
    ),
  );
  const sessionOf = (reference: string) =>
    site.received.find((one) => one.path === '/newAlarmbridgeEvent' && one.reference === reference)
      ?.sessionId;
  return new Map([...references].map(([receiver, reference]) => [receiver, String(sessionOf(reference))]));
}

const toldBy = ({ received }: Site): PeopleHistory['told'] =>
  received
    .filter(({ path }) => path === '/emergencyProgress')
    .map(({ sessionId, step, attempt, key }) => ({
      ...{ sessionId: String(sessionId), step: String(step), attempt, key },
    }));

/** Every list has its person, or its alarm waits. */
function isDone(site: Site, alarms: ReadonlyMap<string, string>): boolean {
  const told = toldBy(site);
  const has = (name: string, wanted: string): boolean =>
    told.some(({ sessionId, step }) => sessionId === alarms.get(name) && step === wanted);
  return ACCEPTED.every((name) => has(name, 'cleared')) && QUEUED.every((name) => has(name, 'queued'));
}

async function killWhile(
  site: Site,
  persons: Persons,
  random: () => number,
  forMs: number,
  isOver: () => boolean,
): Promise<number> {
  const between = ({ least, most }: typeof DEATH): number => least + random() * (most - least);
  const endsAt = performance.now() + forMs;
  let kills = 0;
  while (kills < LEAST_KILLS || (!isOver() && performance.now() < endsAt)) {
    await pause(between(LIFE));
    await site.killAppliance();
    persons.dropCalls();
    kills++;
    await pause(between(DEATH));
    persons.life++;
    await site.startAppliance();
  }
  return kills;
}

/** The alarms that wait, once the host has reported them again. */
async function rowsOf(duty: QueuePerson, alarms: ReadonlyMap<string, string>): Promise<readonly QueueRow[]> {
  let rows: readonly QueueRow[] = [];
  const wanted = QUEUED.map((name) => alarms.get(name));
  for (const endsAt = performance.now() + 30_000; performance.now() < endsAt; await pause(500)) {
    rows = await duty.rows();
    if (wanted.every((id) => rows.some(({ alarmId }) => alarmId === id))) break;
  }
  return rows;
}

/** Each alarm is taken, the host calls the person, who clears it; the sessions for which that went well. */
async function takeAll(duty: QueuePerson, rows: readonly QueueRow[]): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const { alarmId } of rows) {
    const { isCalled, alarm } = await duty.take(alarmId, PEOPLE[1]);
    const { turn = 0 } = (alarm ?? {}) as Partial<QueueRow>;
    let isTalking = false;
    for (const endsAt = performance.now() + 20_000; performance.now() < endsAt; await pause(500)) {
      await duty.heartbeat(alarmId, turn);
      const row = (await duty.rows()).find((each) => each.alarmId === alarmId);
      isTalking = row?.call === 'talking';
      if (isTalking) break;
    }
    const cleared = await duty.clear(alarmId, turn);
    if (isCalled === true && isTalking && cleared.success === true) taken.push(alarmId);
  }
  return taken;
}
