import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import { DeviceReply } from '#appliance/alarm/receiving/adapter/device-reply.ts';
import { MessageAttempt } from '#appliance/call/message/index.ts';
import { Redelivery } from '#appliance/delivery/redelivery.ts';
import { DeviceLine } from '#appliance/registration/device-line.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* Records, dead letters, supervision and clocks that jump. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: Site[] = [];

async function appliance(folder?: string) {
  const site = await testAppliance(folder === undefined ? {} : { folder });
  opened.push(site);
  site.bridge();
  site.device({ deviceId: 'scaip-0001' });
  return site;
}

async function end(site: Site) {
  opened.splice(opened.indexOf(site), 1);
  await site.close(true);
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, rest = '<dty>0003</dty>') =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid>${rest}</mrq>`;
const send = (site: Site, body: string) => site.request('MESSAGE', 'scaip-0001', { body });

function scaip(site: Site) {
  return site.take().flatMap((message: SipMessage) => {
    if (message.kind !== 'request') return [];
    site.confirm(message);
    const response = decodeResponse(message.body);
    return response.ok ? [response.value] : [];
  });
}

const events = (site: Site) => site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent');
const raised = (site: Site) => site.posted.filter((each) => each.call.path === '');

describe('a dead letter', () => {
  it('is reported once, and a dead alarm about it raises none', async () => {
    const site = await appliance();
    site.notify('https://app.example/alarm');
    site.answerBy((posted) => answered('', posted.call.path === '' ? 410 : 400));
    send(site, alarm('D1'));
    await site.quiet();
    scaip(site);
    await site.after(600_000);
    expect(site.journal.pendingOutbox()).toEqual([]);
    const dead = site.journal.deadLetters(0, 100).map(({ type }) => type);
    expect(dead.sort()).toEqual(['callbackFailed', 'callbackFailed', 'newAlarmbridgeEvent']);
    expect(raised(site)).toHaveLength(2 * 3);
  });

  it('is sent again when a person says so: once, under its own key, late', async () => {
    const site = await appliance();
    site.answerBy(() => answered('', 400));
    send(site, alarm('D4'));
    await site.quiet();
    scaip(site);
    await site.after(600_000);
    const redelivery = new Redelivery(site.journal, site.runtime.delivery);
    const [letter] = redelivery.list(0, 10);
    const id = letter?.id ?? '';
    expect(letter).toMatchObject({ type: 'newAlarmbridgeEvent', lastError: expect.stringContaining('400') });
    expect(Object.keys(letter ?? {})).not.toContain('body');
    expect(redelivery.replay(['01jc7z5t3k9q8w6m4n2p0r1s5v'])).toBe(0);
    const before = events(site).length;
    site.answerBy(() => answered({}));
    expect(redelivery.replay([id, id])).toBe(1);
    // Asked for again before its new state is on the disk.
    expect(redelivery.replay(undefined)).toBe(0);
    await site.after(5_000);
    const again = events(site).slice(before);
    expect(again).toHaveLength(1);
    expect(again[0]?.delivery).toMatchObject({ id: events(site)[0]?.delivery.id, late: true });
    expect(redelivery.list(0, 10)).toEqual([]);
    expect(site.journal.outboxRow(id)).toMatchObject({ state: 'done' });
  });

  it('that is refused once more is a dead letter again, and can be sent again', async () => {
    const site = await appliance();
    site.answerBy(() => answered('', 400));
    send(site, alarm('D5'));
    await site.quiet();
    scaip(site);
    await site.after(600_000);
    const redelivery = new Redelivery(site.journal, site.runtime.delivery);
    expect(redelivery.replay(undefined)).toBe(redelivery.list(0, 100).length);
    await site.after(600_000);
    const [letter] = redelivery.list(0, 10);
    expect(letter).toMatchObject({ type: 'newAlarmbridgeEvent', attempts: 3 });
    expect(redelivery.replay([letter?.id ?? ''])).toBe(1);
  });

  it('is reported to the cloud alone when no endpoint is set', async () => {
    const site = await appliance();
    site.answerBy(() => answered('', 400));
    send(site, alarm('D2'));
    await site.quiet();
    scaip(site);
    await site.after(600_000);
    expect(raised(site)).toEqual([]);
    expect(site.logged.filter((line) => line.startsWith('defect'))).toEqual([]);
    expect(site.journal.pending('cloud', 'alarm', 0, 100).map(({ type }) => type)).toEqual([
      'callbackFailed',
      'callbackFailed',
    ]);
  });
});

describe('records of one session', () => {
  it('come in their order, one at a time, behind a live request that failed', async () => {
    const site = await appliance();
    send(site, alarm('O1'));
    await site.quiet();
    for (let n = 0; n < 3; n++) send(site, alarm('O1', `<mty>IN</mty><dty>0003</dty><ite>${n}</ite>`));
    await site.quiet();
    const [live, first] = events(site);
    expect(events(site)).toHaveLength(2);
    live?.answer(answered('', 500));
    await site.quiet();
    first?.answer(answered('', 500));
    site.answerBy(() => answered({}));
    await site.quiet();
    scaip(site);
    await site.after(30_000);
    const order = events(site).map(({ call, delivery }) => `${call.eventSeq} ${delivery.attempt}`);
    expect(order.slice(0, 2)).toEqual(['1 1', '2 1']);
    expect(order.slice(2).toSorted()).toEqual(['1 2', '2 2', '3 1', '4 1']);
    expect(order.indexOf('3 1')).toBeGreaterThan(order.indexOf('2 2'));
    expect(order.indexOf('4 1')).toBeGreaterThan(order.indexOf('3 1'));
    expect(site.journal.pendingOutbox()).toEqual([]);
  });
});

describe('a wall clock that is set', () => {
  it.each([200_000, -200_000, 3.2e11, -1.7e12])(
    'by %d ms holds up neither records nor repeats',
    async (ms) => {
      const site = await appliance();
      let there = false;
      site.answerBy(() => (there ? answered({ action: 'drop' }) : answered('', 503)));
      send(site, alarm('C1'));
      await site.quiet();
      const [said] = scaip(site);
      site.setWallBy(ms);
      there = true;
      send(site, alarm('C1'));
      await site.quiet();
      expect(scaip(site)).toEqual([said]);
      await site.after(310_000);
      expect(new Set(events(site).map((each) => each.delivery.id)).size).toBe(1);
      expect(site.journal.pendingOutbox()).toEqual([]);
    },
  );

  it.each([200_000, -200_000])('by %d ms over a restart makes no second event', async (ms) => {
    const site = await appliance();
    site.answerBy(() => answered({ action: 'drop' }));
    send(site, alarm('C2'));
    await site.quiet();
    const said = scaip(site);
    await end(site);
    const after = await appliance(site.folder);
    after.setWallBy(ms);
    after.runtime.restore();
    send(after, alarm('C2'));
    await after.quiet();
    expect(scaip(after)).toEqual(said);
    expect(after.posted).toEqual([]);
  });
});

describe('supervision', () => {
  it.each(['the device is removed', 'its interval is removed'])(
    'ends without an alarm when %s',
    async (how) => {
      const site = await appliance();
      site.notify('https://app.example/alarm');
      site.answerBy(() => answered({}));
      site.device({ deviceId: 'scaip-0001', serviceData: { alarmBridge: { heartbeatInterval: 300_000 } } });
      send(site, alarm('S1', '<mty>PI</mty><dty>0002</dty>'));
      await site.quiet();
      scaip(site);
      expect(site.journal.heartbeats()).toHaveLength(1);
      if (how === 'the device is removed') site.tenant.remove('device', 'scaip-0001');
      else site.device({ deviceId: 'scaip-0001' });
      await site.after(1_500_000);
      expect(site.posted).toEqual([]);
      expect(site.journal.heartbeats()).toEqual([]);
      expect(site.runtime.load.supervised).toBe(0);
    },
  );
});

describe('reply paths to devices', () => {
  it('are bounded: the oldest must ask again, the newest is answered', async () => {
    const site = await appliance();
    const flow = { transport: 'UDP', reliable: false, localAddress: '192.0.2.10', localPort: 5060 } as const;
    const remote = { remoteAddress: '192.0.2.50', remotePort: 5060, connection: 0 } as const;
    const clock = site.clock;
    const { timers } = site.ports;
    const ports = {
      clock,
      timers,
      random: (n: number) => new Uint8Array(n),
      place: { address: 'x' },
    } as never;
    const { endpoint, reach, pages } = site.runtime;
    const hash = () => '';
    const reply = new DeviceReply(ports, {
      line: new DeviceLine(ports, reach),
      newAttempt: () => new MessageAttempt({ endpoint, hash, ports }, undefined),
      answering: () => [],
      pages,
    });
    const route = {
      flow: { ...flow, ...remote },
      device: 'sip:d@x',
      us: 'sip:us@x',
      contentType: 'application/scaip+xml',
      ports: [],
      waiting: undefined,
    };
    const first = reply.open(route);
    let last = first;
    for (let i = 0; i < 100_000; i++) last = reply.open(route);
    const response = { ref: '1', snu: 0 } as const;
    const answer = (to: string) =>
      reply.answer(
        { type: 'answer', exchange: null, to: [to], mode: 'message', response, xml: '<mrs/>' },
        undefined,
      );
    answer(first.id);
    expect(site.take()).toEqual([]);
    answer(last.id);
    expect(site.take()).toHaveLength(1);
  });
});
