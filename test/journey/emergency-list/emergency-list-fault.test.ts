import { afterEach, describe, expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { copiesOf } from '#appliance/site/peer/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takeOver } from '#test/support/take-over.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { bySize } from '#test/support/vitest/rounds.ts';
import { voiceBridge } from '#test/support/voice-alarm.ts';
import { type FaultHistory, judgeFault } from './fault-history.ts';
import { answersMessages, listOf, presses, type RaisedUnit, raisesAlarm, rings, takes } from './people.ts';

/*
 * Protocol × step × fault: whatever happens in the middle of a list, a person is called again, and no fault clears the device.
 * Every case goes on until a person has accepted and cleared the alarm.
 */

type Site = Awaited<ReturnType<typeof testAppliance>>;

const LOST = '01jc7z5t3k9q8w6m4n2p0r1s5a';
const FIELDS = {
  emergencyCallList: { ...listOf('anna', 'bo'), pause: 10_000 },
  defaultEmergencyDestination: 'sip:arc@care.example',
  arcDisconnectClearsCall: false,
};

const opened: Site[] = [];
afterEach(async () => {
  for (const site of opened.splice(0)) {
    expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
    await site.close();
  }
});

interface World {
  readonly site: Site;
  readonly net: ReturnType<typeof telephones>;
  readonly anna: Telephone;
  readonly bo: Telephone;
}

async function begins(more: Parameters<typeof testAppliance>[0] = {}): Promise<World> {
  const site = await testAppliance(more);
  opened.push(site);
  const net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const anna = await net.device('anna', '192.0.2.41');
  const bo = await net.device('bo', '192.0.2.42');
  return { site, net, anna, bo };
}

/** One alarm under way, and everything that its disk has taken. */
interface Alarm extends World {
  readonly protocol: string;
  readonly raised: RaisedUnit;
  readonly written: (readonly JournalWrite[])[];
}

/** How far the list is; gives the person whose call it is, and whether that person is on the line with the device. */
interface Reached {
  readonly who?: Telephone;
  /** The call of that person, once it is answered. */
  readonly talk?: Talk;
  readonly isTalking?: true;
}

const STEPS: Readonly<Record<string, (world: World) => Promise<Reached>>> = {
  'the first one rings': async ({ net, anna }) => {
    await rings(net, anna);
    return { who: anna };
  },
  'the first one has answered': async ({ net, anna }) => {
    await rings(net, anna);
    const invite = await takes(net, anna);
    return { who: anna, talk: anna.answeredTalk(invite) };
  },
  'the second one rings': async ({ net, anna, bo }) => {
    await rings(net, anna);
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
    await rings(net, anna);
    const invite = await takes(net, anna, '1');
    return { who: anna, talk: anna.answeredTalk(invite), isTalking: true };
  },
  'the person who had accepted has hung up': async ({ net, anna }) => {
    await rings(net, anna);
    const invite = await takes(net, anna, '1');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.after(500);
    return {};
  },
};

/** The world after the fault; `isTalking`: the person is still on the line. */
interface After {
  readonly world: World;
  readonly isTalking?: boolean;
}

type Fault = (alarm: Alarm, reached: Reached) => Promise<After>;

/** The receiver in the next run of the program, or at the other host, and its alarms of before. */
function provisioned({ site }: World, { protocol }: Alarm): void {
  voiceBridge(site, protocol, { ...FIELDS, name: 'Units', destinationMatch: '^here$' });
  site.setWallBy(60_000);
}

async function begunAgain(alarm: Alarm, isForgetful = false): Promise<After> {
  const { site: before } = alarm;
  opened.splice(opened.indexOf(before), 1);
  await before.close(true);
  const world = await begins({ folder: before.folder, records: before.records });
  provisioned(world, alarm);
  world.site.recorder.recall();
  if (!isForgetful) world.site.runtime.restore();
  await world.net.pump();
  return { world };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'the device hangs up': async (alarm, { isTalking }) => {
    const { unit, talk } = alarm.raised;
    if (talk !== undefined) unit.inDialog(talk, 'BYE');
    await alarm.net.after(500);
    return { world: alarm, isTalking: isTalking === true };
  },
  'the person hangs up': async (alarm, { who, talk }) => {
    if (talk !== undefined) who?.inDialog(talk, 'BYE');
    else if (who !== undefined) who.respond(who.request('INVITE'), 603);
    await alarm.net.after(500);
    return { world: alarm };
  },
  'the program is killed': (alarm) => begunAgain(alarm),
  'the other host takes over': async (alarm) => {
    const copies = alarm.written.flatMap((writes) => heldWrites(LOST, copiesOf(writes), 0));
    opened.splice(opened.indexOf(alarm.site), 1);
    await alarm.site.close();
    const world = await begins();
    provisioned(world, alarm);
    await world.site.journal.commit(copies);
    expect(await takeOver(world.site, LOST, 'all')).toBe(true);
    await world.net.pump();
    return { world };
  },
};

/** Runs one case to its end: the fault, the next call to a person, an accept, a clear by the keys. */
async function walks(protocol: string, step: string, fault: Fault): Promise<FaultHistory> {
  const first = await begins();
  const written: (readonly JournalWrite[])[] = [];
  first.site.refuseCommits((writes) => {
    written.push(writes);
    return false;
  });
  const raised = await raisesAlarm(first.site, first.net, protocol, FIELDS);
  const reached = (await STEPS[step]?.(first)) ?? {};
  const reported = () => first.site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
  const traceId = String(reported()[0]?.body.traceId);
  const sessions = reported().map(({ body }) => body.sessionId);
  const { world, isTalking } = await fault({ ...first, protocol, raised, written }, reached);
  const { site, net } = world;
  const steps = () => site.trace(traceId);
  const cleared = () =>
    steps().filter(({ kind, detail }) => kind === 'deviceCommand' && detail.command === 'clearDown').length;
  const { who, afterMs } =
    isTalking === true ? { who: reached.who, afterMs: 0 } : await called(world, raised);
  const isOver = !sessions.some((id) => site.runtime.sessionIds.has(String(id)));
  if (who !== undefined && isTalking !== true) await takes(net, who, '1');
  if (who !== undefined) await presses(net, who, '00');
  for (let waited = 0; waited < 20_000 && outcomeOf(steps()) === undefined; waited += 500)
    await net.after(500);
  const later = site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
  return {
    calledAfterMs: afterMs,
    // The person who clears the alarm sends one clear-down, where the protocol has one.
    isClearedByFault: isOver || cleared() > 1,
    outcome: outcomeOf(steps()),
    sessions: [...sessions, ...later.map(({ body }) => body.sessionId)],
  };
}

const outcomeOf = (steps: ReturnType<Site['trace']>): unknown =>
  steps.find(({ kind }) => kind === 'sessionEnded')?.detail.outcome;

/** The next person who rings, and how long that took. */
async function called(
  { net, anna, bo }: World,
  { unit }: RaisedUnit,
): Promise<{ readonly who?: Telephone; readonly afterMs: number | undefined }> {
  for (let waited = 0; waited < 90_000; waited += 500) {
    const who = [anna, bo].find((phone) => phone.has('INVITE'));
    if (who !== undefined) return { who, afterMs: waited };
    await net.after(500);
    answersMessages(unit);
  }
  return { afterMs: undefined };
}

/**
 * One of each kind: by message, by string with and without a clear-down, and a call alone. An alarm of every protocol walks through
 * every case in `emergency-list-protocol.test.ts`; an alarm for each case is made of one with every change, of all by
 * `.ci/run --long`.
 */
const PROTOCOLS = bySize(['bs8521'], ['scaip', 'bs8521', 'p100', 'call']);

describe.each(PROTOCOLS)('an alarm of %s', (protocol) => {
  describe.each(Object.keys(STEPS))('when %s', (step) => {
    it.each(Object.entries(FAULTS))('calls a person again after this fault: %s', async (_, fault) => {
      expect(judgeFault(await walks(protocol, step, fault))).toEqual([]);
    });
  });
});

describe('the checker', () => {
  const GOOD: FaultHistory = {
    calledAfterMs: 500,
    isClearedByFault: false,
    outcome: 'handled',
    sessions: ['a', 'a'],
  };

  it.each([
    ['no telephone rings', { calledAfterMs: undefined }, 'no person was called again'],
    ['the next call comes late', { calledAfterMs: 60_000 }, 'no person was called for 60000 ms'],
    ['the fault clears', { isClearedByFault: true }, 'the device was cleared'],
    ['the list ends without a person', { outcome: 'unanswered' }, 'ended unanswered'],
    ['the session goes on for ever', { outcome: undefined }, 'ended undefined'],
    ['the alarm becomes two', { sessions: ['a', 'b'] }, '2 sessions'],
  ])('is red when %s', (_, fault, sentence) => {
    expect(judgeFault(GOOD)).toEqual([]);
    expect(judgeFault({ ...GOOD, ...fault })).toEqual([expect.stringContaining(sentence)]);
  });

  it('is red for a program that begins without the sessions of its disk', async () => {
    const faults = judgeFault(
      await walks('scaip', 'the first one rings', (alarm) => begunAgain(alarm, true)),
    );
    expect(faults).toContain('no person was called again');
  });
});
