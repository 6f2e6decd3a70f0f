import { type Bench, type BenchContext, type BenchResult, sleep } from '../support/bench.ts';
import { type Child, startChild } from '../support/child-process.ts';
import { percentile } from '../support/figure.ts';
import { inPlace } from '../support/place.ts';
import { type Application, alarmBridge, DOMAIN, startAppliance, startApplication } from '../support/start.ts';
import {
  type CalleesAnswer,
  type CalleesAsk,
  type CalleesSetting,
  calleesProcess,
} from './callees-setting.ts';

/**
 * Row 24: ten emergency lists of ten people at once on one core, in real time. First ten lists whose people are called one after the
 * other, then ten whose people ring together, answer, and speak; in each the first person accepts, and is joined with the device.
 */
export const emergencyLists: Bench = { row: 24, name: 'emergency-lists', run };

const [LISTS, PEOPLE] = [10, 10];
const RING_MS = 5_000;
/** More than anything here may take. */
const SLACK_MS = 60_000;

type Callees = Child<null, CalleesAsk, CalleesAnswer>;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const person = (list: number, place: number): string => `person-${list}-${place}`;
const entry = (list: number, place: number) => ({
  destination: `sip:${person(list, place)}@${DOMAIN}`,
  ringTime: RING_MS,
});
const ms = (fromNs: bigint, toNs: bigint): number => Number(toNs - fromNs) / 1e6;

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const rounds = quick ? 1 : 5;
  const steps = quick ? 3 : PEOPLE;
  return await inPlace(async (place) => {
    const decide = { action: 'callEmergencyCenter' };
    const { application, trust, url } = await startApplication(
      place,
      { core: 1 },
      { newAlarmbridgeEvent: decide },
    );
    const people = numbers(LISTS).flatMap((list) => numbers(PEOPLE).map((at) => person(list, at)));
    const appliance = await place.keep(
      startAppliance(
        {
          folder: place.folder(),
          part: 'whole',
          bridges: numbers(LISTS).flatMap((list) => [
            bridge(url, `one-${list}`, {
              steps: numbers(steps).map((at) => ({ entries: [entry(list, at)] })),
            }),
            bridge(url, `all-${list}`, {
              steps: [{ entries: numbers(PEOPLE).map((at) => entry(list, at)) }],
            }),
          ]),
          devices: [...people, ...numbers(LISTS).map((list) => `unit-${list}`)].map((deviceId) => ({
            deviceId,
          })),
          trust,
        },
        { core: 0 },
      ),
    );
    const setting: CalleesSetting = { port: appliance.ready.udp, domain: DOMAIN, people };
    const callees: Callees = await place.keep(startChild(calleesProcess, setting, { core: 1 }));
    const first: number[] = [];
    const next: number[] = [];
    let late: readonly number[] = [];
    const ownLate: number[] = [];
    let streams = 0;
    for (let round = 1; round <= rounds; round++) {
      const one = await oneByOne(callees, application, steps);
      const all = await allAtOnce(callees, application, quick ? 4_000 : 10_000);
      first.push(...one.first, ...all.first);
      next.push(...one.next);
      // Too many for the arguments of a call.
      late = late.concat(all.late);
      ownLate.push(all.ownLateMs);
      streams = Math.max(streams, all.streams);
      say(
        `round ${round}: first ring ${most(one.first, all.first)} ms, next ${most(one.next)} ms, ${all.late.length} packets late by ${percentile(all.late, 0.99).toFixed(2)} ms (p99), at most ${most(all.late)} ms; telephones ${all.ownLateMs.toFixed(2)} ms`,
      );
    }
    const report = await appliance.ask('report');
    // Lists whose people do not answer end so.
    const logged = report.logged.filter((line) => !line.includes('emergencyUnanswered'));
    const figure = (what: string, ours: number, gate: number, ambition: number) => ({
      ...{ row: 24, what, unit: 'ms', ours, judged: ours, gate, ambition, wanted: 'most' as const },
    });
    const lists = `${LISTS} lists of ${PEOPLE} on one core`;
    return {
      figures: [
        figure(`${lists}: first ring after the decision (longest)`, Math.max(...first), 300, 100),
        figure(`${lists}: next person rings after a window ends (longest)`, Math.max(...next), 100, 50),
        figure(
          `${lists}: audio of ${LISTS * PEOPLE} answered calls, late (p99)`,
          percentile(late, 0.99),
          5,
          2,
        ),
      ],
      notes: [
        `${rounds} rounds; ${first.length} first rings, ${next.length} next ones, ${late.length} packets of ${streams} streams; decision: the callback is whole at the application, which answers at once`,
        `appliance with its media worker on one core, telephones and application on the other; telephones themselves late by ${Math.max(...ownLate).toFixed(2)} ms (p99); each call sends silence all the time`,
        ...(logged.length > 0 ? [`the appliance logged: ${logged.slice(0, 3).join(' | ')}`] : []),
      ],
    };
  });
}

const most = (...lists: readonly (readonly number[])[]): string =>
  lists
    .flat()
    .reduce((one, other) => Math.max(one, other), 0)
    .toFixed(1);

function bridge(url: string, name: string, list: object): Readonly<Record<string, unknown>> {
  return {
    ...alarmBridge(url),
    ...{ id: name, name, protocol: 'scaip', destinationMatch: `^${name}$` },
    defaultEmergencyDestination: `sip:${person(0, 0)}@${DOMAIN}`,
    emergencyCallList: { ...list, rounds: 1 },
  };
}

/** Looks every half second; a run that does not come there says what is missing. */
async function until(
  callees: Callees,
  isThere: (look: CalleesAnswer) => boolean,
  mostMs: number,
): Promise<void> {
  for (const endsAt = performance.now() + mostMs; performance.now() < endsAt; await sleep(500))
    if (isThere(await callees.ask({ kind: 'look' }))) return;
  const { calls, givenUp } = await callees.ask({ kind: 'look' });
  throw new Error(`${calls} calls are up and ${givenUp} were given up after ${mostMs} ms`);
}

/** Moment of the decision about the alarm of each unit. */
async function decisions(application: Application): Promise<ReadonlyMap<string, bigint>> {
  const taken = await application.ask('take');
  return new Map(
    taken
      .filter(({ path }) => path === '/newAlarmbridgeEvent')
      .map(({ body, atNs }) => [/unit-\d+/.exec(body)?.[0] ?? '', atNs]),
  );
}

const alarms = (receiver: string) =>
  numbers(LISTS).map((list) => ({ unit: `unit-${list}`, to: `${receiver}-${list}` }));

/** The people of each list ring one after the other, and none answers. */
async function oneByOne(callees: Callees, application: Application, steps: number) {
  await Promise.all([callees.ask({ kind: 'take' }), application.ask('take')]);
  await callees.ask({ kind: 'react', answers: false });
  await callees.ask({ kind: 'alarm', units: alarms('one'), calls: false });
  await until(callees, ({ givenUp }) => givenUp === LISTS * steps, steps * RING_MS + SLACK_MS);
  const { rang } = await callees.ask({ kind: 'take' });
  const decided = await decisions(application);
  const first: number[] = [];
  const next: number[] = [];
  for (const list of numbers(LISTS)) {
    const times = numbers(steps).map((at) => rang.find((each) => each.person === person(list, at))?.atNs);
    first.push(since(decided.get(`unit-${list}`), times[0]));
    for (const at of numbers(steps - 1)) next.push(since(times[at], times[at + 1]) - RING_MS);
  }
  return { first, next };
}

/** A ring that did not come is later than any. */
const since = (fromNs: bigint | undefined, toNs: bigint | undefined): number =>
  fromNs === undefined || toNs === undefined ? Number.POSITIVE_INFINITY : ms(fromNs, toNs);

/** Everybody rings at once and answers; then the first one of each list accepts, and speaks with the device. */
async function allAtOnce(callees: Callees, application: Application, talkMs: number) {
  await callees.ask({ kind: 'react', answers: true });
  await callees.ask({ kind: 'alarm', units: alarms('all'), calls: true });
  await until(callees, ({ calls }) => calls === LISTS * (PEOPLE + 1), SLACK_MS);
  await sleep(talkMs);
  await callees.ask({ kind: 'accept', people: numbers(LISTS).map((list) => person(list, 0)) });
  await until(callees, ({ calls }) => calls === 2 * LISTS, SLACK_MS);
  await sleep(talkMs);
  const { rang, lateMs, streams, ownLateMs, calls } = await callees.ask({ kind: 'take' });
  if (rang.length !== LISTS * PEOPLE) throw new Error(`${rang.length} people rang`);
  if (calls !== 2 * LISTS)
    throw new Error(`${calls} calls are up, and not one device and one person of each list`);
  const decided = await decisions(application);
  const first = rang.map(({ person: who, atNs }) => since(decided.get(`unit-${who.split('-')[1]}`), atNs));
  await callees.ask({ kind: 'hangUp' });
  // The appliance clears the devices behind the people.
  await sleep(3_000);
  return { first, late: lateMs, streams, ownLateMs };
}
