import { afterEach, describe, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { ChainOutcome } from '#appliance/delivery/callback/index.ts';
import type { SipMessage } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* Answers of an application, and results of an event map: no alarm ends in silence by them. */

const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];

async function appliance(bridge: Record<string, unknown> = {}) {
  const site = await testAppliance();
  opened.push(site);
  site.bridge(bridge);
  site.device({ deviceId: 'scaip-0001' });
  return site;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const alarm = (ref: string, rest = '<dty>0003</dty><stc>0010</stc>') =>
  `<mrq><ref>${ref}</ref><cid>scaip-0001</cid>${rest}</mrq>`;

/** Answers of the protocol sent since the last call; the device takes each. */
function scaip(site: Awaited<ReturnType<typeof testAppliance>>) {
  return site.take().flatMap((message: SipMessage) => {
    if (message.kind !== 'request') return [];
    site.confirm(message);
    const response = decodeResponse(message.body);
    return response.ok ? [response.value] : [];
  });
}

const events = (site: Awaited<ReturnType<typeof testAppliance>>) =>
  site.posted.filter((each) => each.call.path === '/newAlarmbridgeEvent');

const deep = (levels: number) => `{"action":${'['.repeat(levels)}${']'.repeat(levels)}}`;

const nonsense: readonly (readonly [string, ChainOutcome])[] = [
  ['nothing', answered('')],
  ['white space', answered(' \r\n ')],
  ['no JSON', answered('<html>ok</html>')],
  ['null', answered('null')],
  ['an array', answered('[{"action":"drop"}]')],
  ['a number', answered('17')],
  ['an action of another word', answered({ action: 'DROP' })],
  ['an action that is an object', answered({ action: { action: 'drop' } })],
  ['an action by way of the prototype', answered('{"__proto__":{"action":"drop"}}')],
  ['an action nested a hundred thousand deep', answered(deep(100_000))],
  ['no content', answered('', 204)],
  ['a redirect', answered({ action: 'drop' }, 302)],
  ['an error with a fine body', answered({ action: 'drop' }, 500)],
  ['a status of its own', answered({ action: 'drop' }, 999)],
  ['a broken connection', { kind: 'failed', code: 'connectionLost', reason: 'gone' }],
];

describe('an application that answers', () => {
  for (const [name, outcome] of nonsense) {
    it(`${name}: the fallback acts at once and the event comes late, once, under its own id`, async () => {
      const site = await appliance({ defaultEmergencyDestination: 'sip:operator@arc.example' });
      site.answerBy((posted) => (posted.delivery.late ? answered({}) : outcome));
      site.request('MESSAGE', 'scaip-0001', { body: alarm('N1') });
      await site.quiet();
      expect(scaip(site)).toMatchObject([{ ref: 'N1', snu: 0, cre: 62 }]);
      await site.after(5_000);
      expect(events(site).map((each) => each.delivery.late)).toEqual([false, true]);
      expect(new Set(events(site).map((each) => each.delivery.id)).size).toBe(1);
      expect(site.journal.pendingOutbox()).toEqual([]);
      expect(
        site.logged.filter((line) => !/platform_alarm\.issued .*"type":"callbackFailed"/.test(line)),
      ).toEqual([]);
    });
  }

  it('after the device withdrew: nothing more is said to the device, nothing is sent twice', async () => {
    const site = await appliance({ defaultEmergencyDestination: 'sip:operator@arc.example' });
    site.request('MESSAGE', 'scaip-0001', { body: alarm('W1') });
    await site.quiet();
    site.request('MESSAGE', 'scaip-0001', { body: alarm('W1', '<mty>RE</mty><dty>0003</dty>') });
    await site.quiet();
    expect(scaip(site).map(({ ref, snu, mre }) => [ref, snu, mre])).toEqual([['W1', 0, 0]]);
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    for (const each of site.posted) each.answer(answered({ action: 'callEmergencyCenter' }));
    await site.quiet();
    await site.after(60_000);
    expect(scaip(site)).toEqual([]);
    expect(events(site).map((each) => each.call.eventSeq)).toEqual([1, 2]);
    expect(site.journal.pendingOutbox()).toEqual([]);
    expect(site.journal.openSessions()).toEqual([]);
  });

  it('with a failure after the device withdrew: the event still comes late', async () => {
    const site = await appliance();
    site.request('MESSAGE', 'scaip-0001', { body: alarm('W2') });
    await site.quiet();
    site.request('MESSAGE', 'scaip-0001', { body: alarm('W2', '<mty>RE</mty><dty>0003</dty>') });
    await site.quiet();
    site.answerBy(() => answered({}));
    for (const each of site.posted.slice()) each.answer(answered('', 503));
    await site.quiet();
    await site.after(10_000);
    const first = events(site).filter((each) => each.call.eventSeq === 1);
    expect(first.map((each) => each.delivery.late)).toEqual([false, true]);
    expect(site.journal.pendingOutbox()).toEqual([]);
  });

  it('only after its time was over: the late record has the same id and the device is not answered twice', async () => {
    const site = await appliance({ callbackTimeout: 2_000 });
    site.request('MESSAGE', 'scaip-0001', { body: alarm('T1') });
    await site.quiet();
    await site.after(2_100);
    expect(scaip(site)).toMatchObject([{ snu: 5 }]);
    site.answerBy(() => answered({}));
    site.posted[0]?.answer(answered({ action: 'drop' }));
    await site.quiet();
    await site.after(10_000);
    expect(scaip(site)).toEqual([]);
    expect(new Set(events(site).map((each) => each.delivery.id)).size).toBe(1);
    expect(site.journal.pendingOutbox()).toEqual([]);
  });
});

describe('an event map', () => {
  it('that makes a body which is no JSON sends the default shape', async () => {
    const site = await appliance();
    const bridge = site.tenant.bridge('bridge-1');
    const wide = { rules: [{ when: {}, body: { n: 1n } }], otherwise: 'default' };
    site.tenant.put('alarmbridge', 'bridge-1', { ...bridge, customEventMap: wide } as never);
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('E1') });
    await site.quiet();
    expect(events(site)).toHaveLength(1);
    expect(events(site)[0]?.body).toMatchObject({ alarmEvent: { controllerId: 'scaip-0001' } });
    expect(scaip(site)).toMatchObject([{ ref: 'E1', snu: 0 }]);
  });

  it('that is not valid sends the default shape', async () => {
    const site = await appliance();
    const bridge = site.tenant.bridge('bridge-1');
    // Nested deeper than any map may be: whatever walks it runs out of stack.
    let body: unknown = 'x';
    for (let i = 0; i < 100_000; i++) body = [body];
    const hostile = { rules: [{ when: {}, set: { 'alarmEvent.location': '{{alarmEvent}}' }, body }] };
    site.tenant.put('alarmbridge', 'bridge-1', { ...bridge, customEventMap: hostile } as never);
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'scaip-0001', { body: alarm('E2') });
    await site.quiet();
    expect(events(site)).toHaveLength(1);
    expect(scaip(site)).toMatchObject([{ ref: 'E2', snu: 0 }]);
  });
});

describe('a caller with a defect', () => {
  it('does not hold up the records behind it for ever', async () => {
    const site = await appliance();
    site.answerBy((posted) => {
      if (posted.delivery.attempt === 2) throw new Error('a defect in the caller');
      return posted.delivery.late ? answered({}) : answered('', 500);
    });
    site.request('MESSAGE', 'scaip-0001', { body: alarm('D1') });
    await site.quiet();
    await site.after(20_000);
    expect(site.journal.pendingOutbox()).toEqual([]);
  });
});
