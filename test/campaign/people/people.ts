import { simulateScaip } from '#appliance/simulator/index.ts';
import { openSite, pause, type Site, until } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, mustBreak, type Run, seeded } from '../campaign.ts';
import { judgePeople, type PeopleHistory } from './people-history.ts';
import { Persons, type Reaction } from './persons.ts';
import { QueuePerson, type QueueRow } from './queue-person.ts';
import { unrecovered } from './unrecovered.ts';

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
/** The control plane dies with every second kill, and stays away for longer than the appliance. */
const AWAY = { least: 500, most: 3_000 };
/** A list that is called on rings within seconds of a start. */
const CALLED_AGAIN_MS = 20_000;
const TAKEN_WITHIN_MS = 60_000;

/** kill -9 of appliance and control plane while people of lists are called, and while alarms wait in the alarm queue. */
export const people: Campaign = {
  summary:
    'kill -9 of appliance and control plane while people are called: no list is forgotten, no person called twice at once',
  run: (setting) =>
    Promise.all([underFire(setting), ...(setting.withoutMutants ? [] : [forgetful(setting)])]),
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
    const alarms = await raise(site, [...ACCEPTED, ...QUEUED]);
    const forMs = minutes === undefined ? MOST_KILLING_MS : minutes * 60_000;
    const control = new ControlPlane(site, random);
    const kills = await killWhile(site, { persons, control, random, forMs }, () => isDone(site, alarms));
    await until(() => isDone(site, alarms), QUIET_WITHIN_MS);
    // Rows of alarms that wait, and a session of a person, outlive it too.
    await control.die();
    await control.live();
    say(`${kills} kills, ${control.absences.length} of the control plane, ${persons.calls.length} calls`);
    const reported = reportedBy(site);
    const rows = await rowsOf(duty, waitingOf(reported, alarms));
    stays.isOn = true;
    const taken = await takeAll(duty, rows, control);
    const history: PeopleHistory = {
      ...{ alarms, queued: QUEUED, calls: persons.calls, reported, taken, away: control.absences },
      waiting: rows.map(({ alarmId }) => alarmId),
    };
    const verdict = judgePeople(history);
    const figures = { kills, 'kills of the control plane': control.absences.length, ...verdict.figures };
    return { name: 'kill -9', figures, violations: verdict.violations };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** One kill of an appliance that reads its sessions and carries none on: the checker has to see it. */
async function forgetful({ say }: CampaignSetting): Promise<Run> {
  const site = await openSite({ provision, applianceNode: unrecovered });
  const accepts = { isOn: false };
  const persons = new Persons(() => (accepts.isOn ? ['1', '0', '0'] : []));
  const closing: (() => Promise<void>)[] = [() => site.close(), () => persons.close()];
  try {
    for (const user of PEOPLE) await persons.add(site, user);
    const alarms = await raise(site, ACCEPTED);
    await until(
      () => ACCEPTED.every((name) => has(reportedBy(site), alarms.get(name), 'ringing')),
      QUIET_WITHIN_MS,
    );
    await site.killAppliance();
    persons.dropCalls();
    persons.life++;
    accepts.isOn = true;
    await site.startAppliance();
    await pause(CALLED_AGAIN_MS);
    say('an appliance without its lists was killed once');
    const rest = { queued: [], waiting: [], taken: [], away: [] };
    const verdict = judgePeople({ alarms, calls: persons.calls, reported: reportedBy(site), ...rest });
    return mustBreak({ name: 'lists not carried on', ...verdict }, 'forgotten');
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The control plane of the site, which dies and comes back. */
class ControlPlane {
  readonly #site: Site;
  readonly #random: () => number;
  readonly absences: { fromMs: number; toMs: number }[] = [];

  constructor(site: Site, random: () => number) {
    this.#site = site;
    this.#random = random;
  }

  async die(): Promise<void> {
    this.absences.push({ fromMs: epochMs(), toMs: Number.POSITIVE_INFINITY });
    await this.#site.killCloud();
  }

  /** After a while without it. */
  async live(): Promise<void> {
    const absence = this.absences.at(-1);
    if (absence === undefined) return;
    await pause(AWAY.least + this.#random() * (AWAY.most - AWAY.least));
    await this.#site.startCloud();
    absence.toMs = epochMs();
  }
}

const epochMs = (): number => performance.timeOrigin + performance.now();

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
async function raise(site: Site, receivers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, string>();
  await Promise.all(
    receivers.map((receiver, index) =>
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

const reportedBy = ({ received }: Site): PeopleHistory['reported'] =>
  received
    .filter(({ path }) => path === '/emergencyProgress')
    .map(({ sessionId, step, attempt, key, atMs }) => ({
      ...{ sessionId: String(sessionId), step: String(step), attempt, key, atMs },
    }));

type Reports = PeopleHistory['reported'];

const has = (reported: Reports, session: string | undefined, wanted: string): boolean =>
  reported.some(({ sessionId, step }) => sessionId === session && step === wanted);

/** Every list has its person, or its alarm waits; without a line to the control plane it has ended unanswered. */
function isDone(site: Site, alarms: ReadonlyMap<string, string>): boolean {
  const reported = reportedBy(site);
  return (
    ACCEPTED.every((name) => has(reported, alarms.get(name), 'cleared')) &&
    QUEUED.every((name) => ['queued', 'unanswered'].some((step) => has(reported, alarms.get(name), step)))
  );
}

/** Sessions that wait in the alarm queue, by the word of the host. */
const waitingOf = (reported: Reports, alarms: ReadonlyMap<string, string>): string[] =>
  QUEUED.map((name) => String(alarms.get(name))).filter((session) => has(reported, session, 'queued'));

interface Fire {
  readonly persons: Persons;
  readonly control: ControlPlane;
  readonly random: () => number;
  readonly forMs: number;
}

async function killWhile(
  site: Site,
  { persons, control, random, forMs }: Fire,
  isOver: () => boolean,
): Promise<number> {
  const between = ({ least, most }: typeof DEATH): number => least + random() * (most - least);
  const endsAt = performance.now() + forMs;
  let kills = 0;
  while (kills < LEAST_KILLS || (!isOver() && performance.now() < endsAt)) {
    await pause(between(LIFE));
    const isWithout = kills % 2 === 1;
    if (isWithout) await control.die();
    await site.killAppliance();
    persons.dropCalls();
    kills++;
    await pause(between(DEATH));
    persons.life++;
    await site.startAppliance();
    if (isWithout) await control.live();
  }
  return kills;
}

/** The alarms that wait, once the host has reported them again. */
async function rowsOf(duty: QueuePerson, wanted: readonly string[]): Promise<readonly QueueRow[]> {
  let rows: readonly QueueRow[] = [];
  for (const endsAt = performance.now() + 30_000; performance.now() < endsAt; await pause(500)) {
    rows = await duty.rows();
    if (wanted.every((id) => rows.some(({ alarmId }) => alarmId === id))) break;
  }
  return rows;
}

/** Each alarm is taken, the host calls the person, who clears it; the sessions for which that went well. */
async function takeAll(
  duty: QueuePerson,
  rows: readonly QueueRow[],
  control: ControlPlane,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const [index, { alarmId }] of rows.entries()) {
    const turn = await talks(duty, alarmId);
    // The first person speaks while the control plane dies; the call of the host goes on.
    if (index === 0) {
      await control.die();
      await control.live();
    }
    if (turn !== undefined && (await clears(duty, alarmId, turn))) taken.push(alarmId);
  }
  return taken;
}

/** Takes the alarm until the person speaks with the device; gives the turn. A host on its way back to the control plane is asked again. */
async function talks(duty: QueuePerson, alarmId: string): Promise<number | undefined> {
  for (const endsAt = performance.now() + TAKEN_WITHIN_MS; performance.now() < endsAt; ) {
    const { isCalled, alarm } = await duty.take(alarmId, PEOPLE[1]);
    const { turn = 0 } = (alarm ?? {}) as Partial<QueueRow>;
    const triedUntil = performance.now() + (isCalled === true ? 20_000 : 1_000);
    for (; performance.now() < triedUntil; await pause(500)) {
      await duty.heartbeat(alarmId, turn);
      if ((await duty.rows()).find((each) => each.alarmId === alarmId)?.call === 'talking') return turn;
    }
  }
  return undefined;
}

/** A person whose heartbeats were missing for too long takes the alarm once more. */
async function clears(duty: QueuePerson, alarmId: string, first: number): Promise<boolean> {
  let turn = first;
  for (const endsAt = performance.now() + TAKEN_WITHIN_MS; performance.now() < endsAt; await pause(500)) {
    const cleared = await duty.clear(alarmId, turn);
    if (cleared.success === true) return true;
    const { code } = (cleared.error ?? {}) as { code?: string };
    if (code !== 'takerLost') continue;
    const { alarm } = await duty.take(alarmId, PEOPLE[1]);
    turn = ((alarm ?? {}) as Partial<QueueRow>).turn ?? turn;
  }
  return false;
}
