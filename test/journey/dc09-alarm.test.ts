import { afterEach, describe, expect, it } from 'vitest';
import { encodeTimestamp } from '#appliance/alarm/protocol/dc09/index.ts';
import { decodeFrame, FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { seededBytes } from '#test/effect/effect-log.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { framed, panelAt, sealedFrame, siaFrame } from '#test/support/panel.ts';

/** Keys that are the same in each run. */
const keyBytes = seededBytes('keys');

const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];

/** An appliance with a DC-09 receiver, and a panel on a connection to it. */
async function panelSite(folder?: string, bridge: Record<string, unknown> = {}) {
  const site = await testAppliance(folder === undefined ? {} : { folder });
  opened.push(site);
  site.bridge({ protocol: 'dc09', name: 'Panels', destinationMatch: '#1234$', ...bridge });
  site.answerBy(() => answered({ action: 'drop' }));
  return { site, ...panelAt(site) };
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (sequence = '0001', data = 'NBA12') => siaFrame(sequence, data);

describe('a DC-09 alarm', () => {
  it('is on the disk before its ACK, reported to the application, and its repeat is only acknowledged', async () => {
    const { site, said, send } = await panelSite();
    site.device({ deviceId: '1234' });
    send(alarm());
    expect(said).toEqual([]);
    await site.quiet();
    expect(said).toEqual(['"ACK"0001L0#1234[]']);
    expect(site.posted).toHaveLength(1);
    expect(site.posted[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'dc09',
      calledParty: 'RL0#1234',
      alarmEvent: { controllerId: '1234', deviceId: '12', audio: 'none' },
    });
    send(alarm());
    await site.quiet();
    expect(said).toHaveLength(2);
    expect(site.posted).toHaveLength(1);
    expect(site.runtime.load.alarms).toBe(0);
    expect((await site.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "configRevision": 7,
          "controllerId": "1234",
          "deliveries": {
            "count": 1,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "1234",
          "durationMs": 0,
          "event": {
            "audio": "none",
            "controllerId": "1234",
            "deviceId": "12",
            "deviceType": "intruderDetector",
            "priority": 0,
            "statusCode": "alarm",
          },
          "eventType": "intruderDetector",
          "from": "1234",
          "kind": "alarm",
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "protocol": "dc09",
          "reason": "The application took the alarm",
          "receiver": "bridge-1",
          "receiverName": "Panels",
          "result": "done",
          "rule": "destinationMatch #1234$",
          "source": "192.0.2.60",
          "statusCode": "alarm",
          "times": {
            "arrived": 0,
            "callbackAnswered": 0,
            "deviceAnswered": 0,
            "ended": 0,
            "stored": 0,
          },
          "to": "RL0#1234",
          "v": 1,
        },
      ]
    `);
  });

  it('that a panel says in the same frame after ten minutes is a new one: its number began again', async () => {
    const { site, said, send } = await panelSite();
    const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').length;
    send(alarm());
    await site.quiet();
    await site.after(9 * 60_000);
    send(alarm());
    await site.quiet();
    expect(reported()).toBe(1);
    await site.after(2 * 60_000);
    send(alarm());
    await site.quiet();
    expect(reported()).toBe(2);
    expect(said).toHaveLength(3);
  });

  it('without a sequence number is a repeat within the retry time alone, also after a restart', async () => {
    const before = await panelSite();
    before.send(alarm('0000'));
    await before.site.quiet();
    await before.site.after(50_000);
    panelAt(before.site, 'tcp 2').send(alarm('0000'));
    await before.site.quiet();
    expect(before.site.posted).toHaveLength(1);
    await before.site.after(15_000);
    const again = panelAt(before.site, 'tcp 3');
    again.send(alarm('0000'));
    await before.site.quiet();
    expect(again.said).toEqual(['"ACK"0000L0#1234[]']);
    expect(before.site.posted).toHaveLength(2);
    const ids = before.site.posted.map(({ delivery }) => delivery.id);
    expect(new Set(ids).size).toBe(2);
    opened.splice(opened.indexOf(before.site), 1);
    await before.site.close(true);
    const after = await panelSite(before.site.folder);
    after.site.runtime.restore();
    after.send(alarm('0000'));
    await after.site.quiet();
    expect(after.site.posted.filter(({ delivery }) => delivery.attempt === 1)).toHaveLength(0);
    await after.site.after(65_000);
    after.send(alarm('0000'));
    await after.site.quiet();
    expect(after.said).toHaveLength(2);
    expect(after.site.posted.filter(({ delivery }) => delivery.attempt === 1)).toHaveLength(1);
  });

  it('reaches the application before the restore in the same segment: forty pairs in their order', async () => {
    const { site, said, send } = await panelSite();
    site.device({ deviceId: '1234' });
    const open: (() => void)[] = [];
    site.answerBy(({ answer }) => void open.push(() => answer(answered({ action: 'drop' }))));
    const codes = Array.from({ length: 80 }, (_, place) => `${place % 2 === 0 ? 'NBA' : 'NBR'}${place}`);
    send(Buffer.concat(codes.map((code, place) => alarm(String(place + 1).padStart(4, '0'), code))));
    await site.quiet();
    expect(said).toHaveLength(80);
    const reported = () =>
      site.posted.map(({ body }) => (body as { alarmEvent: { deviceId: string } }).alarmEvent.deviceId);
    expect(reported()).toEqual(['0']);
    open.shift()?.();
    await site.quiet();
    expect(reported()).toEqual(['0', '1']);
    // No alarm waits longer behind the answer to another one.
    await site.after(250);
    expect(reported()).toEqual(codes.map((_, place) => `${place}`));
  });

  it('makes a session of each event of a frame and acknowledges all of them at once', async () => {
    const { site, said, send } = await panelSite();
    send(alarm('0007', 'NBA12/BR12'));
    await site.quiet();
    expect(said).toEqual(['"ACK"0007L0#1234[]']);
    const sessions = site.posted
      .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
      .map(({ body }) => body.sessionId);
    expect(new Set(sessions).size).toBe(2);
  });

  it('gets no answer of any kind while the disk is full, and is new when the panel repeats', async () => {
    const { site, said, send } = await panelSite();
    site.breakDisk(true);
    send(alarm());
    await site.quiet();
    expect(said).toEqual([]);
    site.breakDisk(false);
    send(alarm());
    await site.quiet();
    expect(said).toEqual(['"ACK"0001L0#1234[]']);
    expect(site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent')).toHaveLength(1);
  });

  it('is no second event when the panel repeats after a restart that swallowed the ACK', async () => {
    const before = await panelSite();
    before.send(alarm());
    await before.site.quiet();
    opened.splice(opened.indexOf(before.site), 1);
    await before.site.close(true);
    const after = await panelSite(before.site.folder);
    after.site.runtime.restore();
    after.send(alarm());
    await after.site.quiet();
    expect(after.said).toEqual(['"ACK"0001L0#1234[]']);
    expect(after.site.posted.filter(({ delivery }) => delivery.attempt === 1)).toHaveLength(0);
  });

  it('ends after a restart also when its panel has nothing more to say', async () => {
    const before = await panelSite();
    before.site.answerBy(() => undefined);
    before.send(alarm());
    await before.site.quiet();
    expect(before.said).toEqual(['"ACK"0001L0#1234[]']);
    opened.splice(opened.indexOf(before.site), 1);
    await before.site.close(true);
    const { site } = await panelSite(before.site.folder);
    site.runtime.restore();
    await site.after(60_000);
    expect(site.posted.map(({ delivery }) => delivery.id)).toEqual(
      before.site.posted.map(({ delivery }) => delivery.id),
    );
    expect([site.runtime.load.alarms, site.journal.openSessions()]).toEqual([0, []]);
  });

  it('is opened with the key of the account; a wrong key gets DUH and raises authError once', async () => {
    const { site, said, send } = await panelSite();
    site.notify('https://app.example/alarms');
    const key = keyBytes(32);
    site.device({
      deviceId: '1234',
      serviceData: { alarmBridge: { dc09: { key: key.toString('hex') } } },
    });
    const sealed = (by: Buffer, sequence: string) => sealedFrame(by, sequence, 'NFA01', site.clock.wallMs());
    send(sealed(key, '0002'));
    await site.quiet();
    expect(said[0]).toMatch(/^"\*ACK"0002L0#1234\[[0-9A-F]{32,}$/);
    expect(site.posted[0]?.body).toMatchObject({ alarmEvent: { deviceType: 'fireAlarm' } });
    send(sealed(keyBytes(32), '0003'));
    send(sealed(keyBytes(32), '0004'));
    await site.quiet();
    expect(said.slice(1)).toEqual(['"DUH"0003L0#1234[]', '"DUH"0004L0#1234[]']);
    expect(site.posted.filter(({ body }) => body.type === 'authError')).toHaveLength(1);
  });

  it('goes to the next receiver of the panel, and a person is notified, when no bridge takes its account', async () => {
    const { site, said, send } = await panelSite(undefined, { destinationMatch: '#9999$' });
    site.notify('https://app.example/alarms');
    send(alarm());
    send(alarm('0002'));
    await site.quiet();
    expect(said).toEqual([]);
    const reported = site.posted.filter(({ body }) => body.error === 'noReceiver');
    expect(reported).toHaveLength(1);
    expect(JSON.stringify(reported[0]?.body)).toContain('no alarm bridge of protocol dc09 matches RL0#1234');
  });

  it('supervises a link by the interval agreed with its account', async () => {
    const { site, said, send } = await panelSite();
    site.notify('https://app.example/alarms');
    site.device({
      deviceId: '1234',
      serviceData: { alarmBridge: { dc09: { supervisionInterval: 60_000 } } },
    });
    const nothing = (sequence: string) => framed(`"NULL"${sequence}L0#1234[]`);
    send(nothing('0001'));
    await site.after(80_000);
    expect(said).toEqual(['"ACK"0001L0#1234[]']);
    const heartbeats = () =>
      site.posted.filter(({ body }) => body.type === 'deviceHeartbeat').map(({ body }) => body.status);
    expect(heartbeats()).toEqual([]);
    await site.after(40_000);
    expect(heartbeats()).toEqual(['offline']);
    send(nothing('0002'));
    await site.quiet();
    expect(heartbeats()).toEqual(['offline', 'online']);
  });

  it('says the time to a panel whose clock is wrong', async () => {
    const { site, said, send } = await panelSite();
    const key = keyBytes(16);
    site.device({ deviceId: '1234', serviceData: { alarmBridge: { dc09: { key: key.toString('hex') } } } });
    send(sealedFrame(key, '0001', 'NBA1', site.clock.wallMs() - 3_600_000));
    await site.quiet();
    expect(said).toEqual([`"NAK"0000R0L0A0[]${encodeTimestamp(site.clock.wallMs())}`]);
    expect(site.posted).toEqual([]);
  });
});

it('reads back what it writes, so that these tests say something', () => {
  expect(decodeFrame(alarm().subarray(1, -1)).ok).toBe(true);
});

describe('DC-07', () => {
  const profile = (site: Awaited<ReturnType<typeof panelSite>>['site']) =>
    site.tenant.put('protocolprofile', 'software', {
      name: 'software',
      kind: 'ip',
      extends: 'dc07',
      content: { enabled: true, lengthPolicy: 'ignore' },
    });

  it('is the same frame over TCP, without a key', async () => {
    const { site, said, send } = await panelSite(undefined, { protocolProfile: 'software' });
    profile(site);
    site.device({
      deviceId: '1234',
      serviceData: { alarmBridge: { dc09: { key: '00'.repeat(16), encryptionRequired: true } } },
    });
    send(alarm());
    await site.quiet();
    expect(said).toEqual(['"ACK"0001L0#1234[]']);
    expect(site.posted.map(({ call }) => call.path)).toEqual(['/newAlarmbridgeEvent']);
  });

  it('by UDP gets no answer', async () => {
    const { site } = await panelSite(undefined, { protocolProfile: 'software' });
    profile(site);
    const said: unknown[] = [];
    const [found] = new FrameReader().push(alarm());
    if (found?.kind !== 'frame') throw new Error('no frame');
    site.runtime.dc09.frame(found.frame, {
      id: 'udp 1',
      transport: 'udp',
      sourceIp: '192.0.2.60',
      sourcePort: 40_000,
      send: (bytes) => said.push(bytes),
    });
    await site.quiet();
    expect([said, site.posted]).toEqual([[], []]);
  });
});
