import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MonitoringStage, openMonitoringStage } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const question = { op: 'api.relay', args: { a: 1 }, forMs: 15_000, by: 'user:anna' } as const;

describe('a question to a host', () => {
  it('is sent with its deadline, and answered by the host it was sent to', async () => {
    const host = await stage.addHost();
    const other = await stage.addHost();
    for (const each of [host, other]) await stage.birth(each);
    const answer = stage.monitoring.ask(host.place.uid, question);
    const sent = stage.sent.filter(({ body }) => body.op === 'api.relay');
    expect(sent).toMatchObject([
      { leaf: 'dn/req', uid: host.place.uid, body: { op: 'api.relay', by: 'user:anna', args: { a: 1 } } },
    ]);
    const id = String(sent[0]?.body.id);
    await stage.say(other, 'up/res', { v: 1, id, ok: true, data: { from: 'other' } });
    await stage.say(host, 'up/res', { v: 1, id, ok: true, data: { from: 'host' } });
    expect(await answer).toMatchObject({ ok: true, value: { ok: true, data: { from: 'host' } } });
  });

  it('without an answer is late after its time, and a later answer is dropped', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    let received: unknown;
    const answer = stage.monitoring.ask(host.place.uid, question).then((result) => {
      received = result;
    });
    await stage.beating([host], 14);
    expect(received).toBeUndefined();
    await stage.beating([host], 2);
    await answer;
    expect(received).toMatchObject({ ok: false, error: { code: 'late' } });
    const id = String(stage.sent.find(({ body }) => body.op === 'api.relay')?.body.id);
    await stage.say(host, 'up/res', { v: 1, id, ok: true });
  });

  it('to a host without a connection is not sent', async () => {
    const host = await stage.addHost();
    for (const uid of [host.place.uid, '01jnobody000000000000000n'])
      expect(await stage.monitoring.ask(uid, question)).toMatchObject({
        ok: false,
        error: { code: 'unreachable' },
      });
    expect(stage.sent.filter(({ body }) => body.op === 'api.relay')).toEqual([]);
  });

  it('can be asked as soon as the host is reported as back, also while its loss still stands', async () => {
    const back: string[] = [];
    stage.monitoring.onReturn((uid) => back.push(`${uid} ${stage.monitoring.connectivity(uid)}`));
    const host = await stage.addHost();
    const { uid } = host.place;
    await stage.birth(host);
    expect(back).toEqual([`${uid} online`]);
    // A merely late one was never away.
    for (let s = 0; s < 600 && stage.monitoring.connectivity(uid) !== 'offline'; s++) await stage.pass(1);
    expect(await stage.monitoring.ask(uid, question)).toMatchObject({ error: { code: 'unreachable' } });
    expect(back).toHaveLength(1);
    await stage.birth(host, { birthNo: 2 });
    expect(back.slice(1)).toEqual([`${uid} suspect`]);
    const before = stage.sent.length;
    void stage.monitoring.ask(uid, question);
    expect(stage.sent.slice(before)).toMatchObject([{ uid, body: { op: 'api.relay' } }]);
    await stage.beating([host], 120);
    expect(stage.monitoring.connectivity(uid)).toBe('online');
    expect(back).toHaveLength(2);
  });
});
