import { afterEach, describe, expect, it } from 'vitest';
import { openReplica } from '#appliance/io/config/index.ts';
import { openHistory } from '#appliance/io/history/index.ts';
import { historyOperations } from '#appliance/site/remote/index.ts';
import { ALARM_MARK_SIGNS, type HistoryTrialData } from '#shared/contract/history/index.ts';

import { answered, testAppliance } from '#test/support/appliance.ts';

const DAY_MS = 86_400_000;
const HOST = { domain: 'care.example', ivrServer: '192.0.2.10' };
const opened: Awaited<ReturnType<typeof testAppliance>>[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const DAY = { id: 'day', protocol: 'scaip', name: 'Day centre', destinationMatch: '^scaip' };
const NIGHT = {
  id: 'night',
  protocol: 'scaip',
  name: 'Night centre',
  destinationMatch: '^scaip',
  order: 2_000,
};

/** A host that has taken an alarm on each of `days` days, to three numbers in turn, and has the configuration that it took them with. */
async function afterDays(days: number) {
  const site = await testAppliance();
  opened.push(site);
  const bridges = [DAY, NIGHT].map((each) =>
    site.bridge({ ...each, callbackBaseUrl: 'https://app.example/cb' }),
  );
  site.device({ deviceId: 'scaip-0001' });
  site.answerBy(() => answered({ action: 'drop' }));
  for (let day = 0; day < days; day++) {
    const to = `sip:scaip-${day % 3}@care.example`;
    const body = `<mrq><ref>A${day}</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>`;
    site.request('MESSAGE', 'scaip-0001', { uri: to, body });
    await site.quiet();
    for (const message of site.take()) if (message.kind === 'request') site.confirm(message);
    await site.after(60_000);
    site.setWallBy(DAY_MS - 60_000);
  }
  await site.quiet();
  const replica = openReplica(site.folder);
  replica.beginStage('tenant', true);
  replica.stage(
    bridges.map(({ id, ...body }) => ({
      ...{ op: 'put' as const, entity: 'alarmbridge', id, body, rowHash: '0'.repeat(64) },
    })),
  );
  replica.commit({ rev: 17, h: 'h' });
  replica.close();
  return site;
}

const draft = { ...DAY, destinationMatch: '^scaip-[01]$', callbackBaseUrl: 'https://app.example/cb' };

describe('the alarms that a host has stored', () => {
  it('are tried with a draft: those of the last month, the newest as examples', {
    timeout: 60_000,
  }, async () => {
    const site = await afterDays(36);
    const now = site.clock.wallMs();
    const history = openHistory(site.folder);
    const ask = historyOperations({ tryDraft: (args) => history.tryDraft(args, HOST) })['history.try'];
    const answer = await ask({
      args: { receivers: [draft], from: now - 30 * DAY_MS, to: now, ids: true },
      by: 'user:ann',
    });
    if (!answer.ok) throw new Error(answer.reason);
    const data = answer.value as unknown as HistoryTrialData;
    expect(data).toMatchObject({ revision: 17, tried: 30, untried: 0, cut: false, others: 0 });
    expect(data.differences).toMatchObject([
      {
        ...{
          effect: 'receiver',
          before: { id: 'day', name: 'Day centre' },
          after: { id: 'night', name: 'Night centre' },
        },
        ...{ fields: [], alarms: 10 },
      },
    ]);
    const [difference] = data.differences;
    const times = (difference?.examples ?? []).map(({ at }) => at);
    expect(times).toHaveLength(10);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const posted = site.posted.map(({ call, body }) => [call.traceId, body.calledParty]);
    for (const { traceId } of difference?.examples ?? []) expect(posted).toContainEqual([traceId, 'scaip-2']);
    expect(data.alarms).toHaveLength(30);
    expect(new Set(data.alarms.map((each) => each.slice(0, ALARM_MARK_SIGNS))).size).toBe(30);
    expect(data.alarms.filter((each) => each.length > ALARM_MARK_SIGNS)).toHaveLength(10);
  });

  it('are tried up to a limit of number and time, and the answer says that it was cut', {
    timeout: 60_000,
  }, async () => {
    const site = await afterDays(6);
    const now = site.clock.wallMs();
    const args = { receivers: [draft], from: now - 30 * DAY_MS, to: now, ids: false };
    const few = await openHistory(site.folder, { alarms: 2, ms: 30_000 }).tryDraft(args, HOST);
    expect(few).toMatchObject({ ok: true, value: { tried: 2, cut: true, alarms: [] } });
    expect(few.ok && few.value.from).toBeGreaterThan(now - 3 * DAY_MS);
    const none = await openHistory(site.folder, { alarms: 100, ms: -1 }).tryDraft(args, HOST);
    expect(none).toMatchObject({ ok: true, value: { tried: 0, cut: true } });
  });

  it('are tried for one person at a time, and an alarm is taken meanwhile', { timeout: 60_000 }, async () => {
    const site = await afterDays(3);
    const now = site.clock.wallMs();
    const args = { receivers: [draft], from: now - 30 * DAY_MS, to: now, ids: false };
    const history = openHistory(site.folder);
    const first = history.tryDraft(args, HOST);
    expect(await history.tryDraft(args, HOST)).toMatchObject({ ok: false, error: { code: 'busy' } });
    site.posted.length = 0;
    site.request('MESSAGE', 'scaip-0001', {
      body: '<mrq><ref>B</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>',
    });
    await site.quiet();
    expect(site.posted).toHaveLength(1);
    expect(await first).toMatchObject({ ok: true, value: { differences: [{ alarms: 1 }] } });
    expect(await history.tryDraft(args, HOST)).toMatchObject({ ok: true });
  });

  it('that cannot be read are an answer in words', async () => {
    const history = openHistory('/nowhere');
    expect(await history.tryDraft({ receivers: [], from: 0, to: 1, ids: false }, HOST)).toMatchObject({
      ok: false,
      error: { code: 'unreadable', reason: expect.stringContaining('could not be read') },
    });
    const { 'history.try': ask } = historyOperations({ tryDraft: (args) => history.tryDraft(args, HOST) });
    expect(await ask({ args: { receivers: 'x' }, by: 'x' })).toMatchObject({ ok: false, code: 'invalid' });
  });
});
