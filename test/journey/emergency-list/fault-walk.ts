import { expect } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { copiesOf } from '#appliance/site/peer/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { panelAt, siaFrame } from '#test/support/panel.ts';
import { takeOver } from '#test/support/take-over.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { MESSAGE, voiceBridge } from '#test/support/voice-alarm.ts';
import type { FaultHistory } from './fault-history.ts';
import { listOf, presses, raisesAlarm, rings, takes } from './people.ts';

/*
 * One alarm that meets each fault at each step of its list, one after the other, over several lives and hosts. Behind each fault a
 * person rings, accepts, speaks with the device where it can be called back, and hangs up; the last one clears.
 */

type Site = Awaited<ReturnType<typeof testAppliance>>;

const LOST = '01jc7z5t3k9q8w6m4n2p0r1s5a';
const FIELDS = {
  emergencyCallList: { ...listOf('anna', 'bo'), pause: 10_000, rounds: 10 },
  defaultEmergencyDestination: 'sip:arc@care.example',
  arcDisconnectClearsCall: false,
};
/** A panel has no call, and neither hears nor says a word. */
const FRAMES = { protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$' };
/** A host is away for so long, ms. */
const AWAY_MS = 5_000;

const opened = new Set<Site>();

/** Behind each test: nothing is left open, and no site has met a defect. */
export async function closeSites(): Promise<void> {
  for (const site of opened) {
    opened.delete(site);
    expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
    await site.close();
  }
}

interface World {
  readonly site: Site;
  readonly net: ReturnType<typeof telephones>;
  readonly anna: Telephone;
  readonly bo: Telephone;
}

async function begins(more: Parameters<typeof testAppliance>[0] = {}): Promise<World> {
  const site = await testAppliance(more);
  opened.add(site);
  const net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const anna = await net.device('anna', '192.0.2.41');
  const bo = await net.device('bo', '192.0.2.42');
  return { site, net, anna, bo };
}

/** The alarm on its way, from life to life. */
interface Alarm {
  readonly protocol: string;
  world: World;
  /** Its device; a panel has none. */
  unit: Telephone | undefined;
  /** The call of the device that is up. */
  talk: Talk | undefined;
  /** Ends the connection of a panel. */
  hangUpPanel: () => void;
  /** Everything that the disk of its host has taken. */
  written: (readonly JournalWrite[])[];
  /** Session ids that the application has heard of, over all lives. */
  readonly sessions: unknown[];
  traceId: string;
}

async function raised(protocol: string): Promise<Alarm> {
  const world = await begins();
  const alarm: Alarm = {
    ...{ protocol, world, unit: undefined, talk: undefined, hangUpPanel: () => undefined },
    ...{ written: [], sessions: [], traceId: '' },
  };
  records(alarm);
  if (protocol === 'dc09') {
    provisioned(alarm);
    const panel = panelAt(world.site);
    panel.send(siaFrame('0001', 'NBA12'));
    await world.net.pump();
    alarm.hangUpPanel = () => panel.hangUp();
  } else Object.assign(alarm, await raisesAlarm(world.site, world.net, protocol, FIELDS));
  await rings(world.net, world.anna);
  alarm.traceId = String(reported(world)[0]?.body.traceId);
  if (alarm.unit !== undefined) await registers(alarm, alarm.unit);
  return alarm;
}

const reported = ({ site }: World) => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

/** Keeps what the disk of the host takes from here on. */
function records(alarm: Alarm): void {
  alarm.world.site.refuseCommits((writes) => {
    alarm.written.push(writes);
    return false;
  });
}

function provisioned({ protocol, world }: Alarm): void {
  if (protocol === 'dc09') world.site.bridge({ ...FRAMES, ...FIELDS });
  else voiceBridge(world.site, protocol, { ...FIELDS, name: 'Units', destinationMatch: '^here$' });
}

/** How far the list is; gives the person whose call it is, and whether that person is on the line with the device. */
interface Reached {
  readonly who?: Telephone;
  /** The call of that person, once it is answered. */
  readonly talk?: Talk;
  readonly isTalking?: true;
}

/** From a list whose first person begins to ring. */
const STEPS: Readonly<Record<string, (world: World) => Promise<Reached>>> = {
  'the first one rings': async ({ anna }) => ({ who: anna }),
  'the first one has answered': async ({ net, anna }) => {
    const invite = await takes(net, anna);
    return { who: anna, talk: anna.answeredTalk(invite) };
  },
  'the second one rings': async ({ net, anna, bo }) => {
    anna.respond(anna.request('INVITE'), 486);
    await rings(net, bo);
    return { who: bo };
  },
  'the list pauses': async ({ net, anna, bo }) => {
    for (const phone of [anna, bo]) {
      await rings(net, phone);
      phone.respond(phone.request('INVITE'), 486);
    }
    await net.after(1_000);
    return {};
  },
  'a person speaks with the device': async ({ net, anna }) => {
    const invite = await takes(net, anna, '1');
    return { who: anna, talk: anna.answeredTalk(invite), isTalking: true };
  },
  'the person who had accepted has hung up': async ({ net, anna }) => {
    const invite = await takes(net, anna, '1');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.after(500);
    return {};
  },
};

/** Gives whether the person is still on the line with the device. */
type Fault = (alarm: Alarm, reached: Reached) => Promise<boolean>;

/** The next life of the alarm: on the same disk, or at the host that takes it over. */
async function goesOnAt(alarm: Alarm, opens: () => Promise<World>, carries: () => Promise<void>) {
  const wallMs = alarm.world.site.clock.wallMs();
  const { host } = alarm.unit ?? {};
  alarm.world = await opens();
  const { site, net } = alarm.world;
  site.setWallBy(wallMs + AWAY_MS - site.clock.wallMs());
  records(alarm);
  provisioned(alarm);
  alarm.talk = undefined;
  alarm.hangUpPanel = () => undefined;
  const proof = isKnownById(alarm) ? { authType: 'deviceid', digest: undefined } : {};
  if (host !== undefined) alarm.unit = await net.device('unit', host, proof, false);
  if (alarm.unit !== undefined) await registers(alarm, alarm.unit);
  await carries();
  await net.pump();
}

const isKnownById = ({ protocol }: Alarm): boolean => Object.hasOwn(MESSAGE, protocol);

/** A device that is registered can be called back. One that is known by its id alone is not challenged. */
async function registers(alarm: Alarm, unit: Telephone): Promise<void> {
  const { net } = alarm.world;
  if (!isKnownById(alarm)) {
    await unit.register(net.pump);
    return;
  }
  const me = `<sip:${unit.user}@care.example>`;
  unit.send({
    method: 'REGISTER',
    uri: 'sip:care.example',
    headers: [
      ['From', `${me};tag=reg`],
      ['To', me],
      ['Call-ID', `reg-${unit.user}`],
      ['CSeq', '1 REGISTER'],
      ['Contact', unit.contact],
      ['Expires', '3600'],
    ],
  });
  await net.pump();
  unit.response(200, 'REGISTER');
}

async function begunAgain(alarm: Alarm, isForgetful = false): Promise<boolean> {
  const { site: before } = alarm.world;
  await goesOnAt(
    alarm,
    async () => {
      opened.delete(before);
      await before.close(true);
      return begins({ folder: before.folder, records: before.records });
    },
    async () => {
      const { site } = alarm.world;
      site.recorder.recall();
      if (!isForgetful) site.runtime.restore();
    },
  );
  return false;
}

const FAULTS = {
  'the device hangs up': async (alarm, { isTalking }) => {
    const { unit, talk, world } = alarm;
    if (talk !== undefined) unit?.inDialog(talk, 'BYE');
    alarm.talk = undefined;
    alarm.hangUpPanel();
    await world.net.after(500);
    return isTalking === true;
  },
  'the person hangs up': async ({ world }, { who, talk }) => {
    if (talk !== undefined) who?.inDialog(talk, 'BYE');
    else if (who !== undefined) who.respond(who.request('INVITE'), 603);
    await world.net.after(500);
    return false;
  },
  'the program is killed': (alarm) => begunAgain(alarm),
  'the other host takes over': async (alarm) => {
    const copies = alarm.written.splice(0).flatMap((writes) => heldWrites(LOST, copiesOf(writes), 0));
    const { site: before } = alarm.world;
    await goesOnAt(
      alarm,
      async () => {
        opened.delete(before);
        await before.close();
        return begins();
      },
      async () => {
        await alarm.world.site.journal.commit(copies);
        expect(await takeOver(alarm.world.site, LOST, 'all')).toBe(true);
      },
    );
    return false;
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** A fault at a step of the list. */
export interface Cell {
  readonly step: string;
  readonly reach: (world: World) => Promise<Reached>;
  readonly name: string;
  readonly fault: Fault;
}

const WITHOUT_PERSON = ['the list pauses', 'the person who had accepted has hung up'];

/** Every fault at every step, but the hang-up of a person where none is on the line or rings. */
export const CELLS: readonly Cell[] = Object.entries<Fault>(FAULTS).flatMap(([name, fault]) =>
  Object.entries(STEPS)
    .filter(([step]) => name !== 'the person hangs up' || !WITHOUT_PERSON.includes(step))
    .map(([step, reach]) => ({ step, reach, name, fault })),
);

/** For the checker: the program is killed while the first person rings, and begins without the sessions of its disk. */
export const FORGETFUL: Cell = {
  step: 'the first one rings',
  reach: async ({ anna }) => ({ who: anna }),
  name: 'a program that forgets',
  fault: (alarm) => begunAgain(alarm, true),
};

export interface Walked {
  readonly cell: Cell;
  /** The device was in its call when the fault came. */
  readonly hadDevice: boolean;
  readonly history: FaultHistory;
}

/** One alarm through all of these cells. The first one that leaves it without a person ends the walk. */
export async function walksThrough(protocol: string, cells: readonly Cell[]): Promise<readonly Walked[]> {
  const alarm = await raised(protocol);
  const walked: (Omit<Walked, 'history'> & { readonly history: Omit<FaultHistory, 'outcome'> })[] = [];
  let hasPerson = alarm.world.anna.has('INVITE');
  for (const [index, cell] of cells.entries()) {
    if (!hasPerson) break;
    const reached = await cell.reach(alarm.world);
    const hadDevice = alarm.talk !== undefined;
    received(alarm);
    const isTalking = await cell.fault(alarm, reached);
    const { who, afterMs } = isTalking ? { who: reached.who, afterMs: 0 } : await called(alarm);
    received(alarm);
    walked.push({
      ...{ cell, hadDevice },
      history: {
        calledAfterMs: afterMs,
        isClearedByFault: isCleared(alarm),
        sessions: [...alarm.sessions],
      },
    });
    if (who === undefined) break;
    hasPerson = await speaks(alarm, who, isTalking ? reached.talk : undefined, index === cells.length - 1);
  }
  const outcome = outcomeOf(alarm);
  return walked.map(({ history, ...rest }) => ({ ...rest, history: { ...history, outcome } }));
}

function received({ world, sessions }: Alarm): void {
  for (const { body } of reported(world))
    if (!sessions.includes(body.sessionId)) sessions.push(body.sessionId);
}

/** No person has cleared the alarm yet. */
function isCleared(alarm: Alarm): boolean {
  const { site } = alarm.world;
  const commands = traceOf(alarm).filter(({ detail }) => detail.command === 'clearDown');
  return commands.length > 0 || !alarm.sessions.some((id) => site.runtime.sessionIds.has(String(id)));
}

const traceOf = ({ world, traceId }: Alarm) => world.site.trace(traceId);
const outcomeOf = (alarm: Alarm): unknown =>
  traceOf(alarm).find(({ kind }) => kind === 'sessionEnded')?.detail.outcome;

/** The next person who rings, and how long that took. */
async function called(
  alarm: Alarm,
): Promise<{ readonly who?: Telephone; readonly afterMs: number | undefined }> {
  const { net, anna, bo } = alarm.world;
  for (let waited = 0; waited < 90_000; waited += 500) {
    settles(alarm);
    const who = [anna, bo].find((phone) => phone.has('INVITE'));
    if (who !== undefined) return { who, afterMs: waited };
    await net.after(500);
  }
  return { afterMs: undefined };
}

/** Every telephone answers what a telephone answers by itself; a call that was cancelled rings no more. */
function settles({ world, unit }: Alarm): void {
  for (const phone of [world.anna, world.bo, unit]) {
    if (phone === undefined) continue;
    for (const method of ['BYE', 'MESSAGE', 'CANCEL'])
      while (phone.has(method)) {
        const request = phone.request(method);
        phone.respond(request, 200);
        if (method === 'CANCEL') isLetGo(phone, request);
      }
  }
}

function isLetGo(phone: Telephone, { callId }: SipRequest): void {
  const invite = phone.received.find(
    (each): each is SipRequest =>
      each.kind === 'request' && each.method === 'INVITE' && each.callId === callId,
  );
  if (invite !== undefined) phone.respond(invite, 487);
  const at = phone.inbox.findIndex(
    (each) => each.kind === 'request' && each.method === 'INVITE' && each.callId === callId,
  );
  if (at >= 0) phone.inbox.splice(at, 1);
}

/**
 * The person accepts (`talk`: has accepted), and the device is called back where it has left. Then the person clears, or hangs up, and
 * the first one of the list rings again; gives whether it does.
 */
async function speaks(
  alarm: Alarm,
  who: Telephone,
  talk: Talk | undefined,
  isLast: boolean,
): Promise<boolean> {
  const { net, anna } = alarm.world;
  const own = talk ?? who.answeredTalk(await takes(net, who, '1'));
  settles(alarm);
  const { unit } = alarm;
  if (unit !== undefined && alarm.talk === undefined && (await rings(net, unit, 10_000)))
    alarm.talk = unit.answeredTalk(await takes(net, unit));
  if (isLast) {
    await presses(net, who, '00');
    for (let waited = 0; waited < 20_000 && outcomeOf(alarm) === undefined; waited += 500) {
      settles(alarm);
      await net.after(500);
    }
    return false;
  }
  who.inDialog(own, 'BYE');
  for (let waited = 0; waited < 45_000 && !anna.has('INVITE'); waited += 500) {
    await net.after(500);
    settles(alarm);
  }
  return anna.has('INVITE');
}
