import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import { PersonalData } from '#appliance/site/privacy/index.ts';
import { pair } from '#test/support/pair.ts';
import {
  allQuiet,
  answerCall,
  callbacksOf,
  keptPairs,
  type Pair,
  phoneAt,
  send,
} from '#test/support/sending.ts';
import {
  CONTROLLER,
  callsController,
  idle as nothingWaits,
  OF_SCHEME,
  ringing,
  takeBack,
  turnAway,
} from '#test/support/sending-called.ts';
import type { Telephone } from '#test/support/sip-telephone.ts';

/*
 * A centre of NOW-IP that calls or asks the controller of a scheme we speak for, while no attempt of ours is under way
 * (protocols 7 and 14); and any centre after a restart of the appliance.
 */

const opened = keptPairs();

/** Where the telephone of the centre is. */
const TARGET = { destAddr: 'sip:centre@192.0.2.31' } as const;
const NOTHING = '000000000000';

/** A message of the centre, whatever it asks for; type and data. */
let messages = 0;
function says(centre: Telephone, type: string, data: string, flow = centre.flow): void {
  const before = centre.flow;
  centre.flow = flow;
  const me = `<sip:centre@care.example>;tag=m${++messages}`;
  centre.send({
    method: 'MESSAGE',
    uri: 'sip:5005@care.example',
    headers: [
      ['From', me],
      ['To', '<sip:5005@care.example>'],
      ['Call-ID', `message-${messages}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(encodeAtm({ version: '1', type, data, time: '12:00', mac: 'c1' }, '.')),
  });
  centre.flow = before;
}

/** Types and data of what the controller has said since, each answered 200. */
async function hears(made: Pair, centre: Telephone, ms = 200): Promise<string[]> {
  await made.after(ms);
  const received: string[] = [];
  while (centre.has('MESSAGE')) {
    const request = centre.request('MESSAGE');
    centre.respond(request, 200);
    const atm = decodeAtm(request.body);
    if (atm.ok) received.push(`${atm.value.type} ${atm.value.data}`.trim());
  }
  return received;
}

async function asks(made: Pair, centre: Telephone, type: string, data: string): Promise<string[]> {
  says(centre, type, data);
  return await hears(made, centre);
}

async function waiting() {
  const all = await ringing(opened, { protocol: 'nowip', ...TARGET });
  await all.made.until(() => all.centre.has('MESSAGE'));
  await turnAway(all.made, all.centre);
  return all;
}

/** The event of the scheme is taken back: nothing waits. */
async function idle() {
  const all = await waiting();
  await takeBack(all.made, all.taken.sessionId);
  return all;
}

async function leftBy(made: Pair, centre: Telephone, mostMs: number): Promise<void> {
  await made.until(() => centre.has('BYE'), mostMs);
  centre.respond(centre.request('BYE'), 200);
  await made.after(1_000);
  expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
  expect(callbacksOf(made.sender, 'alarmQueued')).toEqual([]);
  allQuiet(made);
}

const CENTRE_STRING = '41009999999900000570000'.padEnd(24, '0');

describe('a NOW-IP centre and a controller for which nothing waits', () => {
  it('in a call: learns so, no unit can be selected or commanded, and it closes', async () => {
    const { made, centre } = await idle();
    await callsController(made, centre);
    expect(await asks(made, centre, '1', CENTRE_STRING)).toEqual(['A']);
    expect(await asks(made, centre, '2', '10000')).toEqual([`7 ${NOTHING}`]);
    expect(await asks(made, centre, '2', '00042')).toEqual([`7 ${NOTHING}`]);
    expect(await asks(made, centre, '2', '7')).toEqual(['7 99999']);
    expect(await asks(made, centre, '2', '20001')).toEqual(['5 20001']);
    expect(await asks(made, centre, '8', '500001')).toEqual(['5 500001']);
    expect(await asks(made, centre, '2', '9')).toEqual(['7 000000']);
    expect(await asks(made, centre, '2', 'D')).toEqual(['A']);
    await leftBy(made, centre, 2_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
  });

  it('that says nothing is left after 130 s', async () => {
    const { made, centre } = await idle();
    await callsController(made, centre);
    await made.after(125_000);
    expect(centre.has('BYE')).toBe(false);
    await leftBy(made, centre, 10_000);
  });

  it('without a call: each message is answered, and nothing is left of it', async () => {
    const { made, centre } = await idle();
    expect(await asks(made, centre, '2', '10000')).toEqual([`7 ${NOTHING}`]);
    expect(await asks(made, centre, '2', '9')).toEqual(['7 000000']);
    expect(await asks(made, centre, '2', 'D')).toEqual(['A']);
    await made.after(140_000);
    allQuiet(made);
  });

  it('from an address that no event of it was sent to is unknown', async () => {
    const { made, centre } = await idle();
    says(centre, '2', '10000', { ...centre.flow, remoteAddress: '203.0.113.66' });
    expect(await hears(made, centre)).toEqual([]);
  });

  it('has said an alarm when its string is that of a unit, which is nothing that we take for a question', async () => {
    const { made, centre } = await idle();
    expect(await asks(made, centre, '1', CENTRE_STRING.replace(/^4/, '0'))).toEqual([]);
  });
});

describe('a NOW-IP centre and a controller whose unit waits between two attempts', () => {
  it('asks: learns the unit, and its event goes out at once', async () => {
    const { made, centre } = await waiting();
    const received = await asks(made, centre, '2', '10000');
    expect(received[0]).toMatch(/^7 0042\d{8}$/);
    expect(received[1]).toMatch(/^1 1\d{23}$/);
    says(centre, 'A', '');
    await answerCall(made, centre);
    await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 1, 5_000);
    expect((await asks(made, centre, '2', '00042'))[0]).toMatch(/^7 0042/);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 5_000);
  });

  it('calls: the event is said in its call, and no other is made', async () => {
    const { made, centre } = await waiting();
    const talk = await callsController(made, centre);
    expect(await hears(made, centre)).toEqual([expect.stringMatching(/^1 1/)]);
    says(centre, 'A', '');
    await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 1, 5_000);
    expect((await asks(made, centre, '2', '00042'))[0]).toMatch(/^7 0042/);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 5_000);
    centre.inDialog(talk, 'BYE');
    await made.after(20_000);
    expect(centre.has('INVITE')).toBe(false);
    allQuiet(made);
  });
});

/** The sender's appliance ends, and begins again with what is on its disk, at the same time of day. */
async function restarted(made: Pair, protocol: string): Promise<Pair> {
  const { sender } = made;
  const wallMs = sender.ports.clock.wallMs();
  opened.splice(opened.indexOf(made), 1);
  await made.centre.close();
  await sender.close(true);
  const again = await pair({ sender: { folder: sender.folder } });
  opened.push(again);
  again.sender.setWallBy(wallMs - again.sender.ports.clock.wallMs());
  again.sender.mapper({ protocol, ...TARGET });
  again.sender.runtime.restore();
  await again.pump();
  return again;
}

describe('a centre that calls the controller after a restart of the appliance', () => {
  it('nowip: by call and by message is answered, though nothing was sent since', async () => {
    const { made: before, centre: old } = await idle();
    expect(await asks(before, old, '2', '10000')).toEqual([`7 ${NOTHING}`]);
    const made = await restarted(before, 'nowip');
    const centre = await phoneAt(made, 'sender', 'centre');
    expect(await asks(made, centre, '2', '10000')).toEqual([`7 ${NOTHING}`]);
    await callsController(made, centre);
    expect(await asks(made, centre, '2', '9')).toEqual(['7 000000']);
    expect(await asks(made, centre, '2', 'D')).toEqual(['A']);
    await leftBy(made, centre, 2_000);
  });

  it.each(['ttnew', 'bs8521'])('%s: is answered, though nothing was sent since', async (protocol) => {
    const { made: before } = await nothingWaits(opened, { protocol, ...TARGET });
    const made = await restarted(before, protocol);
    const centre = await phoneAt(made, 'sender', 'centre');
    const talk = await callsController(made, centre);
    if (protocol === 'ttnew') centre.audio.press('DA');
    await made.after(3_000);
    const received = centre.audio.digits.map(({ digit }) => digit).join('');
    expect(received).toMatch(protocol === 'ttnew' ? /^DB/ : /^B/);
    centre.inDialog(talk, 'BYE');
    await made.after(1_000);
    allQuiet(made);
  });

  it('gets 404 where the event sender of it is removed', async () => {
    const { made: before } = await idle();
    const made = await restarted(before, 'nowip');
    const centre = await phoneAt(made, 'sender', 'centre');
    made.sender.tenant.remove('alarmeventmapper', 'mapper-1');
    await centre.invite(CONTROLLER, made.pump);
    await made.until(() => centre.has(404), 5_000);
  });

  it('is unknown once the data of a device of it is erased, without a restart', async () => {
    const { made, centre } = await idle();
    const { sender } = made;
    const personalData = new PersonalData({
      journal: sender.journal,
      recordingStore: openRecordingStore(join(sender.folder, 'recording')),
      forget: (subject) => sender.runtime.sending.forget(subject),
      nowMs: sender.clock.wallMs,
      log: () => undefined,
    });
    const erase = (deviceId: string) =>
      personalData.operations['privacy.erase']({ args: { subject: { deviceId } }, by: 'user:test' });
    expect(await erase('0043')).toMatchObject({ ok: true });
    expect(await asks(made, centre, '2', '10000')).toEqual([`7 ${NOTHING}`]);
    expect(await erase('0042')).toMatchObject({ ok: true });
    expect(await asks(made, centre, '2', '10000')).toEqual([]);
    await centre.invite(CONTROLLER, made.pump);
    await made.until(() => centre.has(404), 5_000);
    sender.runtime.restore();
    expect(await asks(made, centre, '2', '10000')).toEqual([]);
  });

  it('keeps one row for each number, however many events went out', async () => {
    const { made, centre } = await idle();
    for (let i = 0; i < 3; i++) {
      const { sessionId } = await send(made, { sipFrom: CONTROLLER, alarmEvent: OF_SCHEME });
      await made.until(() => centre.has('INVITE') && centre.has('MESSAGE'));
      await turnAway(made, centre);
      await takeBack(made, sessionId);
    }
    const rows = made.sender.journal
      .dedupeAnswers(made.sender.ports.clock.wallMs())
      .filter(({ id }) => id.startsWith('sending controller'));
    expect(rows.map(({ id }) => id)).toEqual(['sending controller 5005']);
  });
});
