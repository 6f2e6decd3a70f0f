import { afterEach, describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];

async function site(folder?: string) {
  const made = await testAppliance(folder === undefined ? {} : { folder });
  opened.push(made);
  made.bridge({ protocol: 'nowip', name: 'NOW-IP', destinationMatch: '^nowip$' });
  made.answerBy(() => answered({ action: 'drop' }));
  return made;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** C 0, D 1 (duplex), T 00, controller 12345678, unit 0001, event 010 (help button), location, priority, status. */
const DIGITS = '010012345678000101000000';
const ALARM = encodeAtm({
  version: '1',
  type: '1',
  data: DIGITS,
  time: '2026-05-01T12:00:00Z',
  mac: '00:11',
});
const HEARTBEAT = encodeAtm({ version: '1', type: '0', data: '123456780001', time: '.', mac: '.' });

function send(made: Awaited<ReturnType<typeof site>>, body: string) {
  made.request('MESSAGE', 'controller-7', { body, uri: 'sip:nowip@care.example' });
}

/** Types of the messages that went to the device; each is confirmed. */
function said(made: Awaited<ReturnType<typeof site>>): string[] {
  const requests = made.take().filter((message: SipMessage) => message.kind === 'request');
  return requests.map((message) => {
    made.confirm(message);
    const atm = decodeAtm(message.body);
    return atm.ok ? `${atm.value.type} ${atm.value.mac}` : 'unreadable';
  });
}

describe('a NOW-IP alarm', () => {
  it('is stored, acknowledged by type A with the MAC of the request, and reported to the application', async () => {
    const made = await site();
    made.device({ deviceId: '12345678:0001' });
    send(made, ALARM);
    expect(made.take()).toMatchObject([{ kind: 'response', status: 200 }]);
    await made.quiet();
    expect(said(made)).toEqual(['A 00:11']);
    expect(made.posted).toHaveLength(1);
    expect(made.posted[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'nowip',
      sipFrom: 'controller-7',
      calledParty: 'nowip',
      alarmEvent: { controllerId: '12345678', deviceId: '0001' },
    });
  });

  it('is acknowledged again when it is repeated, also after a restart, and is no second event', async () => {
    const before = await site();
    send(before, ALARM);
    await before.quiet();
    said(before);
    send(before, ALARM);
    await before.quiet();
    expect(said(before)).toEqual(['A 00:11']);
    expect(before.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent')).toHaveLength(1);
    opened.splice(opened.indexOf(before), 1);
    await before.close(true);
    const after = await site(before.folder);
    after.runtime.restore();
    send(after, ALARM);
    await after.quiet();
    expect(said(after)).toEqual(['A 00:11']);
    expect(after.posted).toEqual([]);
  });

  it('gets no answer while the disk is full, so that the device repeats or goes to its next number', async () => {
    const made = await site();
    made.breakDisk(true);
    send(made, ALARM);
    await made.quiet();
    expect(said(made)).toEqual([]);
    made.breakDisk(false);
    send(made, ALARM);
    await made.quiet();
    expect(said(made)).toEqual(['A 00:11']);
  });

  it('answers heartbeats and supervises by them', async () => {
    const made = await site();
    made.notify('https://app.example/alarms');
    made.device({
      deviceId: '12345678:0001',
      serviceData: { alarmBridge: { heartbeatInterval: 300_000 } },
    });
    send(made, HEARTBEAT);
    await made.quiet();
    expect(said(made)).toHaveLength(1);
    expect(made.posted).toEqual([]);
    expect(made.runtime.load.supervised).toBe(1);
    await made.after(1_000_000);
    expect(made.posted.map(({ body }) => body.status ?? body.alarmEvent)).toContainEqual('offline');
  });

  it('that wants speech raises voiceCallMissing when no call follows', async () => {
    const made = await site();
    made.notify('https://app.example/alarms');
    made.bridge({
      protocol: 'nowip',
      name: 'NOW-IP',
      destinationMatch: '^nowip$',
      defaultEmergencyDestination: 'sip:arc@arc.example',
    });
    made.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    send(made, ALARM);
    await made.quiet();
    said(made);
    await made.after(61_000);
    const errors = made.posted.map(({ body }) => body.error);
    expect(errors.includes('voiceCallMissing')).toBe(true);
  });
});
