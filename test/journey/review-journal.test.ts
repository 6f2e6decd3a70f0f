import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* A journal that fails at the wrong moment, and programs that end there. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: Site[] = [];

async function appliance(folder?: string, bridge: Record<string, unknown> | null = {}) {
  const site = await testAppliance(folder === undefined ? {} : { folder });
  opened.push(site);
  if (bridge !== null) site.bridge(bridge);
  site.device({ deviceId: 'scaip-0001' });
  return site;
}

/** The program ends here; what is on the disk stays. */
async function end(site: Site) {
  opened.splice(opened.indexOf(site), 1);
  await site.close(true);
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, rest = '<dty>0003</dty><stc>0010</stc>') =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid>${rest}</mrq>`;

function scaip(site: Site) {
  return site.take().flatMap((message: SipMessage) => {
    if (message.kind !== 'request') return [];
    site.confirm(message);
    const response = decodeResponse(message.body);
    return response.ok ? [response.value] : [];
  });
}

const events = (site: Site) => site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent');
const ids = (site: Site) => events(site).map((each) => each.delivery.id);
const holds = (kind: JournalWrite['kind']) => (writes: readonly JournalWrite[]) =>
  writes.some((write) => write.kind === kind);
const send = (site: Site, body: string) => site.request('MESSAGE', 'scaip-0001', { body });

describe('the journal fails', () => {
  it('after the alarm was stored: the device is answered, a restart delivers again under the same id', async () => {
    const site = await appliance();
    send(site, alarm('J1'));
    await site.quiet();
    site.breakDisk(true);
    site.posted[0]?.answer(answered({ action: 'drop' }));
    await site.quiet();
    expect(scaip(site)).toMatchObject([{ ref: 'J1', snu: 0 }]);
    expect(site.runtime.load.alarms).toBe(0);
    site.breakDisk(false);
    await end(site);
    const after = await appliance(site.folder);
    after.answerBy(() => answered({}));
    after.runtime.restore();
    await after.after(3_000);
    expect(ids(after)).toEqual(ids(site));
    expect(events(after)[0]?.delivery.late).toBe(true);
  });

  it('with the whole of a split request: what was acknowledged before is part of the alarm', async () => {
    const site = await appliance();
    site.answerBy(() => answered({ action: 'drop' }));
    const last = alarm('J2', '<dty>0003</dty><lco>021</lco><ame>0</ame>');
    send(site, alarm('J2', '<dty>0005</dty><did>unit-7</did><ame>1</ame>'));
    await site.quiet();
    expect(scaip(site)).toHaveLength(1);
    site.refuseCommits(holds('event'));
    send(site, last);
    await site.quiet();
    expect(scaip(site)).toEqual([]);
    site.refuseCommits(undefined);
    send(site, last);
    await site.quiet();
    expect(scaip(site)).toMatchObject([{ ref: 'J2', snu: 0 }]);
    expect(events(site).map((each) => each.body.alarmEvent)).toMatchObject([
      { deviceId: 'unit-7', location: 'kitchen' },
    ]);
    await end(site);
    const after = await appliance(site.folder);
    after.setWallBy(7_200_000);
    after.runtime.restore();
    await after.after(60_000);
    expect(after.posted).toEqual([]);
  });

  it('with the alarm, again and again: the alarm is delivered once, when the disk is there', async () => {
    const site = await appliance();
    site.answerBy(() => answered({ action: 'drop' }));
    site.refuseCommits(holds('event'));
    for (let i = 0; i < 3; i++) {
      send(site, alarm('J6'));
      await site.quiet();
    }
    expect(scaip(site)).toEqual([]);
    site.refuseCommits(undefined);
    send(site, alarm('J6'));
    send(site, alarm('J6'));
    await site.quiet();
    expect(scaip(site)).toMatchObject([{ ref: 'J6', snu: 0 }]);
    expect(events(site)).toHaveLength(1);
    await end(site);
    const after = await appliance(site.folder);
    after.runtime.restore();
    await after.after(60_000);
    expect(after.posted).toEqual([]);
  });

  it('for the only part: nothing is left behind, and the part sent again is new', async () => {
    const site = await appliance();
    site.breakDisk(true);
    send(site, alarm('J3', '<dty>0003</dty><ame>1</ame>'));
    await site.quiet();
    expect(scaip(site)).toEqual([]);
    site.breakDisk(false);
    send(site, alarm('J3', '<dty>0003</dty><ame>1</ame>'));
    await site.quiet();
    expect(scaip(site)).toHaveLength(1);
    await site.after(11_000);
    expect(events(site)).toHaveLength(1);
  });

  it('when a device falls silent: its receiver is still notified', async () => {
    const site = await appliance();
    site.device({ deviceId: 'scaip-0001', serviceData: { alarmBridge: { heartbeatInterval: 300_000 } } });
    site.answerBy(() => answered({}));
    send(site, alarm('J4', '<mty>PI</mty><dty>0002</dty>'));
    await site.quiet();
    scaip(site);
    site.breakDisk(true);
    await site.after(1_500_000);
    expect(events(site).map((each) => each.body.alarmEvent)).toMatchObject([{ statusCode: 'offline' }]);
  });

  it('during a storm of registrations: each is answered and an alarm behind them is handled', async () => {
    const site = await appliance();
    site.answerBy(() => answered({ action: 'drop' }));
    site.refuseCommits(holds('binding'));
    for (let i = 0; i < 300; i++) {
      site.request('REGISTER', 'scaip-0001', {
        uri: 'sip:care.example',
        headers: [
          ['Contact', `<sip:unit@10.1.2.3:${5000 + i}>`],
          ['Expires', '600'],
        ],
      });
    }
    send(site, alarm('J5'));
    await site.quiet();
    expect(
      site.take().filter((message) => message.kind === 'response' && message.status === 200),
    ).toHaveLength(1);
    expect(events(site)).toHaveLength(1);
  });
});

describe('the program ends', () => {
  it('after the application had answered and before that was written: same id, no second event', async () => {
    const site = await appliance();
    send(site, alarm('K1'));
    await site.quiet();
    site.refuseCommits(() => true);
    site.posted[0]?.answer(answered({ action: 'drop' }));
    await site.quiet();
    site.refuseCommits(undefined);
    await end(site);
    const after = await appliance(site.folder);
    after.answerBy(() => answered({ action: 'drop' }));
    after.runtime.restore();
    await after.quiet();
    send(after, alarm('K1'));
    await after.quiet();
    expect(scaip(after)).toHaveLength(1);
    await after.after(3_000);
    expect(new Set([...ids(site), ...ids(after)]).size).toBe(1);
  });

  it('and the alarm bridge is removed at the next start: a person is notified, the record waits for its address', async () => {
    const site = await appliance();
    send(site, alarm('K2'));
    await site.quiet();
    await end(site);
    const after = await appliance(site.folder, null);
    after.notify('https://app.example/alarm');
    after.answerBy(() => answered({}));
    after.runtime.restore();
    await after.after(10_000);
    expect(after.posted.map((each) => each.body.type)).toContain('callbackFailed');
    after.bridge();
    await after.after(60_000);
    expect(ids(after)).toEqual(ids(site));
  });

  it('between two parts, for an hour: the part that was acknowledged is raised', async () => {
    const site = await appliance();
    send(site, alarm('K3', '<dty>0005</dty><ame>1</ame>'));
    await site.quiet();
    expect(scaip(site)).toHaveLength(1);
    await end(site);
    for (let life = 0; life < 2; life++) {
      const after = await appliance(site.folder);
      after.setWallBy(3_600_000 * (life + 1));
      after.answerBy(() => answered({ action: 'drop' }));
      after.runtime.restore();
      await after.after(11_000);
      expect(events(after), `life ${life}`).toHaveLength(life === 0 ? 1 : 0);
      await end(after);
    }
  });

  it('between two parts, and the alarm bridge is removed: a person learns of the part', async () => {
    const site = await appliance();
    send(site, alarm('K4', '<dty>0005</dty><ame>1</ame>'));
    await site.quiet();
    await end(site);
    const after = await appliance(site.folder, null);
    after.notify('https://app.example/alarm');
    after.answerBy(() => answered({}));
    after.runtime.restore();
    await after.after(11_000);
    expect(after.posted.map((each) => each.body.error)).toEqual(['noReceiver']);
    expect(JSON.stringify(after.posted[0]?.body)).toContain('scaip-0001');
  });

  it('with a damaged binding on the disk: the next start serves alarms', async () => {
    const site = await appliance();
    const row = {
      tenant: 'care.example',
      aor: 'x@care.example',
      contact: 'c',
      expiresMs: 9e15,
      body: '{"aor":',
    };
    await site.journal.commit([{ kind: 'binding', row }]);
    await end(site);
    const after = await appliance(site.folder);
    after.runtime.restore();
    after.answerBy(() => answered({ action: 'drop' }));
    send(after, alarm('K5'));
    await after.quiet();
    expect(scaip(after)).toMatchObject([{ ref: 'K5', snu: 0 }]);
  });
});
