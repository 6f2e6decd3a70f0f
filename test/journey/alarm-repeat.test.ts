import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { copiesOf } from '#appliance/site/peer/index.ts';
import { answered, type TestOptions, testAppliance } from '#test/support/appliance.ts';
import { takeOver } from '#test/support/take-over.ts';

/* A device repeats while the application is still thinking, and the host that took its alarm is lost. */

type Host = Awaited<ReturnType<typeof testAppliance>>;
const opened: Host[] = [];
const EMERGENCY = { defaultEmergencyDestination: 'sip:operator@arc.example' };

async function host(options: TestOptions = {}, bridge: Record<string, unknown> = {}) {
  const made = await testAppliance(options);
  opened.push(made);
  made.bridge(bridge);
  made.device({ deviceId: 'scaip-0001' });
  made.device({ deviceId: 'scaip-0002' });
  return made;
}

/** The program ends here; what is on the disk stays. */
async function die(of: Host) {
  opened.splice(opened.indexOf(of), 1);
  await of.close(true);
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, cid = 'scaip-0001', status = '0010') =>
  `<mrq><ref>${ref}</ref><cid>${cid}</cid><dty>0003</dty><stc>${status}</stc></mrq>`;
const send = (to: Host, ref: string, branch?: string) =>
  to.request('MESSAGE', 'scaip-0001', { body: alarm(ref), ...(branch !== undefined && { branch }) });

/** The answers to the device. */
function reported(of: Host) {
  return of.take().flatMap((message: SipMessage) => {
    if (message.kind !== 'request') return [];
    of.confirm(message);
    const response = decodeResponse(message.body);
    return response.ok ? [response.value] : [];
  });
}

const events = (of: Host) => of.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const ids = (...of: Host[]) => [
  ...new Set(of.flatMap((each) => events(each).map(({ delivery }) => delivery.id))),
];
const sessions = (of: Host) => new Set(events(of).map(({ body }) => body.sessionId));

/** Not taken over, so to the next receiver; or taken over with whom to call: the device is done with this reference. */
const FALLBACK = [
  { title: 'without an emergency destination', bridge: {}, snu: 5 },
  { title: 'with one', bridge: EMERGENCY, snu: 0 },
];

describe.each(FALLBACK)('one host, killed while the application thinks, $title', ({ bridge, snu }) => {
  it.each(['the same transaction', 'a new transaction'])(
    'answers %s and delivers under one id',
    async (how) => {
      const before = await host({}, bridge);
      send(before, 'K1', 'z9hG4bKfirst');
      await before.quiet();
      expect(ids(before)).toHaveLength(1);
      await die(before);

      const after = await host({ folder: before.folder }, bridge);
      after.answerBy(() => answered({ action: 'drop' }));
      after.runtime.restore();
      await after.quiet();
      after.take();
      send(after, 'K1', how === 'the same transaction' ? 'z9hG4bKfirst' : undefined);
      await after.quiet();
      expect(reported(after)).toMatchObject([{ ref: 'K1', snu }]);
      send(after, 'K1');
      await after.quiet();
      expect(reported(after)).toMatchObject([{ ref: 'K1', snu }]);
      await after.after(3_000);
      expect(events(after)).toHaveLength(1);
      expect(ids(before, after)).toHaveLength(1);
    },
  );
});

describe('two hosts', () => {
  /** Host one with everything that its holder gets of it. */
  async function copied() {
    const one = await host({}, EMERGENCY);
    const copies: JournalWrite[] = [];
    one.refuseCommits((writes) => {
      copies.push(...heldWrites('uid-one', copiesOf(writes), 0));
      return false;
    });
    return { one, copies };
  }

  const adopt = async (by: Host, what: 'sessions' | 'all') => {
    if (!(await takeOver(by, 'uid-one', what))) throw new Error('nothing was left');
  };

  it('answer there what the other has a copy of, and deliver it under its id', async () => {
    const { one, copies } = await copied();
    send(one, 'T1', 'z9hG4bKfirst');
    await one.quiet();
    const two = await host({}, EMERGENCY);
    await two.journal.commit(copies);
    two.answerBy(() => answered({ action: 'drop' }));
    await adopt(two, 'sessions');
    send(two, 'T1', 'z9hG4bKfirst');
    await two.quiet();
    send(two, 'T1');
    await two.quiet();
    expect(reported(two)).toMatchObject([
      { ref: 'T1', snu: 0 },
      { ref: 'T1', snu: 0 },
    ]);
    expect(events(two)).toHaveLength(0);
    await adopt(two, 'all');
    await two.after(3_000);
    expect(events(two)).toHaveLength(1);
    expect(ids(one, two)).toHaveLength(1);
  });

  it('receive again what only the dead one has on its disk, and it is the same alarm when that is back', async () => {
    const one = await host();
    send(one, 'U1');
    await one.quiet();
    await die(one);
    const two = await host();
    two.answerBy(() => answered({ action: 'drop' }));
    send(two, 'U1');
    await two.quiet();
    expect(reported(two)).toMatchObject([{ ref: 'U1', snu: 0 }]);
    const back = await host({ folder: one.folder });
    back.answerBy(() => answered({ action: 'drop' }));
    back.runtime.restore();
    await back.after(3_000);
    expect(events(back)).toHaveLength(1);
    expect(ids(one, two, back)).toHaveLength(1);
    expect(sessions(two)).toEqual(sessions(back));
  });

  it('go on with what the device has sent the other too, whatever the first one left of it', async () => {
    const { one, copies } = await copied();
    send(one, 'X1');
    send(one, 'X2');
    await one.quiet();
    const two = await host({}, EMERGENCY);
    two.runtime.restore();
    await two.after(1_000);
    send(two, 'X1');
    await two.quiet();
    await two.journal.commit(copies);
    await adopt(two, 'sessions');
    two.take();
    expect(two.runtime.alarmSessions.size).toBe(2);
    events(two)[0]?.answer(answered({ action: 'drop' }));
    await two.quiet();
    expect(reported(two)).toMatchObject([{ ref: 'X1', snu: 0 }]);
    expect(ids(two)).toHaveLength(1);
    expect(ids(one)).toEqual(expect.arrayContaining(ids(two)));
  });

  it('another reference, content, sender or time is another alarm', async () => {
    const [one, two] = [await host(), await host()];
    for (const each of [one, two]) each.answerBy(() => answered({ action: 'drop' }));
    send(one, 'V1');
    one.request('MESSAGE', 'scaip-0002', { body: alarm('V4') });
    two.request('MESSAGE', 'scaip-0001', { body: alarm('V1', 'scaip-0001', '0011') });
    two.request('MESSAGE', 'scaip-0002', { body: alarm('V1', 'scaip-0002') });
    send(two, 'V2');
    send(two, 'V4');
    await Promise.all([one.quiet(), two.quiet()]);
    two.setWallBy(31 * 60_000);
    send(two, 'V1');
    await two.quiet();
    expect(ids(one, two)).toHaveLength(7);
  });

  it('a reference that is used again gets an id of its own, also when the clock went back', async () => {
    const only = await host();
    only.answerBy(() => answered({ action: 'drop' }));
    send(only, 'W1');
    await only.quiet();
    await only.after(31 * 60_000);
    only.setWallBy(-31 * 60_000);
    send(only, 'W1');
    await only.quiet();
    expect(events(only)).toHaveLength(2);
    expect(ids(only)).toHaveLength(2);
    expect(sessions(only).size).toBe(2);
    await die(only);
    const after = await host({ folder: only.folder });
    after.answerBy(() => answered({ action: 'drop' }));
    send(after, 'W1');
    await after.quiet();
    expect(ids(only, after)).toHaveLength(3);
  });
});
