import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { noCopies } from '#appliance/site/host/peer/site-journal.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];

async function appliance(folder?: string, options: Parameters<typeof testAppliance>[0] = {}) {
  const made = await testAppliance({ ...options, ...(folder !== undefined && { folder }) });
  opened.push(made);
  return made;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, rest = '<dty>0003</dty><stc>0010</stc>') =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid>${rest}</mrq>`;

function answerOf(message: SipMessage | undefined) {
  if (message?.kind !== 'request') throw new Error('no answer was sent');
  const response = decodeResponse(message.body);
  if (!response.ok) throw new Error(response.error.reason);
  return response.value;
}

describe('a SCAIP alarm', () => {
  it('is stored, reported to the application, and answered in a MESSAGE of its own', async () => {
    const site = await appliance();
    site.bridge({ defaultEmergencyDestination: 'sip:operator@arc.example' });
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('A1') });
    const [ok] = site.take();
    expect(ok).toMatchObject({ kind: 'response', status: 200 });
    await site.quiet();

    expect(site.posted).toHaveLength(1);
    expect(site.posted[0]?.call.path).toBe('/newAlarmbridgeEvent');
    expect(site.posted[0]?.body).toMatchObject({
      domain: 'care.example',
      sipFrom: 'scaip-0001',
      calledParty: 'scaip',
      sourceAlarmProtocol: 'scaip',
      alarmEvent: { controllerId: 'scaip-0001', deviceType: 'personalTrigger', statusCode: 'alarmManual' },
    });
    const [answer] = site.take();
    expect(answerOf(answer)).toMatchObject({
      ref: 'A1',
      snu: 0,
      mre: 1,
      cre: 62,
      tnu: ['sip:operator@arc.example'],
    });
    expect(site.logged).toEqual([]);
    if (answer !== undefined) site.confirm(answer);
    await site.after(300);
    const trace = site.trace(String(site.posted[0]?.body.traceId));
    const callIds = trace.flatMap(({ detail }) => detail.callId ?? []);
    expect(callIds).toEqual([ok?.callId, answer?.callId]);
    const kinds = trace.map((entry) => entry.kind);
    expect(kinds).toEqual([
      'sipReceived',
      'deviceIdentified',
      'receiverMatched',
      'sipAnswered',
      'eventUnderstood',
      'stored',
      'callbackSent',
      'callbackAnswered',
      'decided',
      'deviceAnswered',
      'deviceConfirmed',
    ]);
    expect(site.journal.pendingOutbox()).toEqual([]);
    // The device may still call: the start of the session is there.
    await site.after(2_000);
    expect((await site.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "configRevision": 7,
          "controllerId": "scaip-0001",
          "deliveries": {
            "count": 1,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "scaip-0001",
          "event": {
            "audio": "duplex",
            "controllerId": "scaip-0001",
            "deviceType": "personalTrigger",
            "priority": 0,
            "statusCode": "alarmManual",
            "systemConfig": "localUnitAndController",
          },
          "eventType": "personalTrigger",
          "from": "scaip-0001",
          "kind": "alarm",
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "protocol": "scaip",
          "receiver": "bridge-1",
          "receiverName": "SCAIP",
          "requestUri": "sip:scaip@care.example",
          "result": "running",
          "rule": "destinationMatch ^scaip$",
          "source": "192.0.2.50",
          "statusCode": "alarmManual",
          "times": {
            "arrived": 0,
            "callbackAnswered": 0,
            "deviceAnswered": 0,
            "stored": 0,
          },
          "to": "scaip",
          "v": 1,
        },
      ]
    `);
  });

  it('sent twice is one event and the same answer', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    for (let i = 0; i < 3; i++) {
      site.request('MESSAGE', 'scaip-0001', { body: alarm('A2') });
      await site.quiet();
    }
    expect(site.posted).toHaveLength(1);
    const answers = site.take().filter((message) => message.kind === 'request');
    expect(answers.map((message) => answerOf(message).snu)).toEqual([0, 0, 0]);
  });

  it('gets no answer of any kind while it is not on the disk', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.breakDisk(true);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('A3') });
    await site.quiet();
    expect(site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent')).toEqual([]);
    expect(site.take().filter((message) => message.kind === 'request')).toEqual([]);
    expect(site.logged.join()).toContain('alarm_event.store_failed');
    // The device repeats, and this time the disk is there.
    site.breakDisk(false);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('A3') });
    await site.quiet();
    expect(site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent')).toHaveLength(1);
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({ snu: 0 });
  });

  it.each(['before', 'after'] as const)(
    'is one alarm when it was delivered from memory, and its device says it again %s what was held is written',
    async (when) => {
      const site = await appliance(undefined, { copies: noCopies });
      site.bridge();
      site.device({ deviceId: 'scaip-0001' });
      site.notify('https://app.example/alarm');
      site.answerBy(() => answered({ action: 'drop' }));
      const reported = () => site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent');
      site.breakDisk(true);
      for (let telling = 0; telling < 2; telling++) {
        site.request('MESSAGE', 'scaip-0001', { body: alarm('A3') });
        await site.after(5_000);
      }
      expect(reported().length).toBeGreaterThan(0);
      site.breakDisk(false);
      if (when === 'after') {
        site.request('MESSAGE', 'scaip-0001', { body: alarm('A4') });
        await site.after(5_000);
      }
      site.request('MESSAGE', 'scaip-0001', { body: alarm('A3') });
      await site.after(5_000);
      const ofA3 = reported().filter(({ call }) => call.body.includes('"A3"'));
      expect(new Set(ofA3.map(({ delivery }) => delivery.id)).size).toBe(1);
      expect(new Set(ofA3.map(({ body }) => body.sessionId)).size).toBe(1);
      expect(site.take().some((message) => message.kind === 'request' && answerOf(message).snu === 0)).toBe(
        true,
      );
      expect(site.journal.undelivered(0, 100).filter(({ dest }) => dest !== 'cloud')).toEqual([]);
      // A person hears of the disk once for the device.
      expect(site.posted.filter(({ body }) => body.error === 'storeFailed')).toHaveLength(1);
      const [session] = ofA3.map(({ body }) => String(body.sessionId));
      expect(site.journal.session(session ?? '')?.closed).toBe(true);
    },
  );

  it('falls back to the emergency destination when the application fails, and is delivered late', async () => {
    const site = await appliance();
    site.bridge({ defaultEmergencyDestination: 'sip:operator@arc.example' });
    site.device({ deviceId: 'scaip-0001' });
    site.notify('https://app.example/alarm');
    site.request('MESSAGE', 'scaip-0001', { body: alarm('A4') });
    await site.quiet();
    expect(site.posted).toHaveLength(1);
    site.answerBy(() => answered({ success: true }));
    site.posted[0]?.answer(answered('oops', 500));
    await site.quiet();
    await site.after(3_000);
    const answer = site.take().find((message) => message.kind === 'request');
    expect(answerOf(answer)).toMatchObject({ snu: 0, cre: 62, tnu: ['sip:operator@arc.example'] });
    const late = site.posted.filter((each) => each.delivery.late);
    expect(late).toHaveLength(1);
    expect(late[0]?.delivery.id).toBe(site.posted[0]?.delivery.id);
    const raised = site.posted.filter((each) => each.target.url === 'https://app.example/alarm');
    expect(raised.map((each) => each.body.type)).toContain('callbackFailed');
    expect(site.journal.pendingOutbox()).toEqual([]);
  });

  it('is not taken over (snu 5) without a decision and without a person to call', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => ({ kind: 'failed', code: 'unreachable', reason: 'no connection' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('A5') });
    await site.quiet();
    const answer = site.take().find((message) => message.kind === 'request');
    expect(answerOf(answer)).toMatchObject({ snu: 5 });
  });

  it('survives the end of the program between storing and answering', async () => {
    const before = await appliance();
    before.bridge();
    before.device({ deviceId: 'scaip-0001' });
    before.request('MESSAGE', 'scaip-0001', { body: alarm('A6') });
    await before.quiet();
    expect(before.posted).toHaveLength(1);
    opened.splice(0);
    await before.close(true);

    const after = await appliance(before.folder);
    after.bridge();
    after.device({ deviceId: 'scaip-0001' });
    after.answerBy(() => answered({ action: 'drop' }));
    after.runtime.restore();
    await after.quiet();
    await after.after(2_000);
    const events = after.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent');
    expect(events.map((each) => each.delivery.id)).toEqual([before.posted[0]?.delivery.id]);
    expect(events[0]?.delivery.late).toBe(true);
    // The device asks again: no second event, and an answer at last.
    after.take();
    after.request('MESSAGE', 'scaip-0001', { body: alarm('A6') });
    await after.quiet();
    expect(after.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent')).toHaveLength(1);
    expect(after.take().filter((message) => message.kind === 'request')).toHaveLength(1);
  });

  it('is handled and reported once for an unknown unit', async () => {
    const site = await appliance();
    site.bridge();
    site.notify('https://app.example/alarm');
    site.answerBy(() => answered({ action: 'drop' }));
    for (const ref of ['U1', 'U2']) {
      site.request('MESSAGE', 'stranger', { body: alarm(ref).replace('scaip-0001', '4711') });
      await site.quiet();
    }
    expect(site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent')).toHaveLength(2);
    const raised = site.posted.filter((each) => each.body.type === 'unknownDevice');
    expect(raised.map((each) => each.body.deviceId)).toEqual(['4711']);
  });

  it('that is no SCAIP is refused with the right snu and reported to the tenant', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.notify('https://app.example/alarm');
    site.answerBy(() => answered({}));
    site.request('MESSAGE', 'scaip-0001', { body: '<mrq><ref>B1</ref><cid>1</cid>' });
    await site.quiet();
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({
      ref: 'B1',
      snu: 2,
    });
    expect(site.posted[0]?.body).toMatchObject({ type: 'serviceAlarm', error: 'scaipRejected' });
    expect(JSON.stringify(site.posted[0]?.body)).toContain('<mrq><ref>B1</ref>');
  });

  it('may come deflated', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'scaip-0001', {
      body: deflateSync(alarm('D1')),
      headers: [['Content-Encoding', 'deflate']],
    });
    await site.quiet();
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({
      ref: 'D1',
      snu: 0,
    });
    site.request('MESSAGE', 'scaip-0001', {
      body: 'x'.repeat(50),
      headers: [['Content-Encoding', 'deflate']],
    });
    await site.quiet();
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({
      ref: '0',
      snu: 2,
    });
  });

  it('is asked to wait while the application thinks, and gets its answer when it asks again', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.request('MESSAGE', 'scaip-0001', { body: alarm('H1') });
    await site.quiet();
    await site.after(3_100);
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({ snu: 4 });
    site.posted[0]?.answer(answered({ action: 'drop' }));
    await site.quiet();
    expect(
      site
        .take()
        .filter(
          (message) => message.kind === 'request' && message.contentLength > 0 && answerOf(message).snu === 0,
        ),
    ).toEqual([]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('H1') });
    await site.quiet();
    const answers = site.take().filter((message) => message.kind === 'request');
    expect(answerOf(answers.at(-1))).toMatchObject({ ref: 'H1', snu: 0 });
    expect(site.posted).toHaveLength(1);
  });

  it('goes through the event map: another path and body, or nothing at all', async () => {
    const site = await appliance();
    site.bridge({
      customEventMap: {
        rules: [
          { when: { 'alarmEvent.statusCode': 'lowBattery' }, drop: true },
          {
            when: { 'alarmEvent.deviceType': 'fallDetector' },
            path: '/fall',
            body: { unit: '{{alarmEvent.controllerId}}' },
          },
        ],
        otherwise: 'default',
      },
    });
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('M1', '<dty>0003</dty><stc>0016</stc>') });
    await site.quiet();
    expect(site.posted).toEqual([]);
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({
      snu: 0,
      mre: 0,
    });
    site.request('MESSAGE', 'scaip-0001', { body: alarm('M2', '<dty>0005</dty>') });
    await site.quiet();
    expect(site.posted[0]?.call.path).toBe('/fall');
    expect(site.posted[0]?.body).toEqual({ unit: 'scaip-0001' });
  });

  it('in parts is one alarm, and is raised as it is when a part never comes', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('P1', '<dty>0003</dty><ame>1</ame>') });
    await site.quiet();
    expect(site.posted).toEqual([]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('P1', '<dty>0003</dty><lco>021</lco><ame>0</ame>') });
    await site.quiet();
    expect(site.posted.map((each) => each.body.alarmEvent)).toMatchObject([{ location: 'kitchen' }]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('P2', '<dty>0005</dty><ame>1</ame>') });
    await site.quiet();
    await site.after(11_000);
    expect(site.posted).toHaveLength(2);
    expect(site.posted[1]?.body).toMatchObject({
      sipFrom: 'scaip-0001',
      alarmEvent: { deviceType: 'fallDetector' },
    });
  });

  it('in parts outlives the program that received the first one', async () => {
    const before = await appliance();
    before.bridge();
    before.device({ deviceId: 'scaip-0001' });
    before.request('MESSAGE', 'scaip-0001', { body: alarm('P3', '<dty>0005</dty><ame>1</ame>') });
    await before.quiet();
    opened.splice(0);
    await before.close(true);
    const after = await appliance(before.folder);
    after.bridge();
    after.device({ deviceId: 'scaip-0001' });
    after.answerBy(() => answered({ action: 'drop' }));
    after.runtime.restore();
    await after.after(11_000);
    expect(after.posted.map((each) => each.body.alarmEvent)).toMatchObject([{ deviceType: 'fallDetector' }]);
  });

  it('that meets a defect of ours is silent once and accepted when it is repeated', async () => {
    const site = await appliance();
    site.bridge();
    site.device({ deviceId: 'scaip-0001' });
    site.answerBy(() => answered({ action: 'drop' }));
    const { tenant } = site;
    const byId = tenant.byId.bind(tenant);
    let looks = 0;
    // Authentication looks first; the look of the intake breaks.
    tenant.byId = (id) => {
      looks++;
      if (looks === 3) throw new Error('planted');
      return byId(id);
    };
    site.request('MESSAGE', 'scaip-0001', { body: alarm('X1') });
    await site.quiet();
    expect(site.logged.join()).toContain('planted');
    expect(site.take().filter((message) => message.kind === 'request')).toEqual([]);
    site.request('MESSAGE', 'scaip-0001', { body: alarm('X1') });
    await site.quiet();
    expect(site.posted).toHaveLength(1);
    expect(answerOf(site.take().find((message) => message.kind === 'request'))).toMatchObject({ snu: 0 });
  });
});
