import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unseenOf } from '#cloud/site/index.ts';
import { auditAfter } from '#cloud/store/index.ts';
import { type TailedLog, tailedLogSchema } from '#shared/contract/site/index.ts';
import { fail, ok } from '#shared/result.ts';
import { ask } from './api.ts';
import { HOST, type HostStage, openHostStage } from './host-stage.ts';

const LOG = `${HOST}/log`;
let stage: HostStage;

beforeEach(async () => {
  stage = await openHostStage();
  await stage.serving('box-1');
});
afterEach(async () => {
  expect(stage.api.defects).toEqual([]);
  await stage.close();
});

const writes = (...lines: readonly string[]): void => {
  const data = { lines: [...lines] };
  stage.answer = ok({ v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data, part: 1, last: true });
};

/** The log as a person reads it; `next` lets the pause of the control plane pass. */
async function follow(query = '') {
  const answer = await stage.api.app.request(`${LOG}${query}`, {
    headers: { authorization: `Bearer ${stage.token}` },
  });
  if (answer.status !== 200 || answer.body === null)
    return { status: answer.status, text: await answer.text(), next: undefined, leave: undefined };
  const reader = answer.body.getReader();
  const next = async (): Promise<TailedLog | undefined> => {
    const coming = reader.read();
    await Promise.resolve();
    // The pause before a question, if one is asked.
    const turns = setInterval(() => {
      const at = stage.due.findIndex(({ ms }) => ms === 2_000);
      if (at >= 0) stage.due.splice(at, 1)[0]?.run();
    }, 1);
    const { value } = await coming;
    clearInterval(turns);
    if (value === undefined) return undefined;
    const [event, data] = new TextDecoder().decode(value).trimEnd().split('\n');
    return tailedLogSchema.parse({ event: event?.slice(7), data: JSON.parse(data?.slice(6) ?? '') });
  };
  return { status: 200, text: '', next, leave: () => reader.cancel() };
}
const read = async (query = '') => {
  const { next, leave } = await follow(query);
  if (next === undefined || leave === undefined) throw new Error('it was refused');
  return { next, leave };
};

describe('a log that is followed', () => {
  test('shows each line once, and stands in the audit log once', async () => {
    writes('1', '2');
    const { next, leave } = await read('?level=warn&match=sip');
    expect(await next()).toEqual({ event: 'lines', data: { lines: ['1', '2'], gap: false } });
    writes('1', '2', '3');
    expect(await next()).toEqual({ event: 'lines', data: { lines: ['3'], gap: false } });
    expect(await next()).toEqual({ event: 'lines', data: { lines: [], gap: false } });
    writes('8', '9');
    expect(await next()).toEqual({ event: 'lines', data: { lines: ['8', '9'], gap: true } });
    expect(stage.asked[0]).toMatchObject([
      expect.any(String),
      { op: 'logs.tail', args: { lines: 100, level: 'warn', match: 'sip' } },
    ]);
    const entries = await auditAfter(stage.api.database.store, stage.tenant, 0, 1_000);
    expect(entries.filter(({ action }) => action === 'logs.tail')).toHaveLength(1);
    expect(stage.asked).toHaveLength(4);
    await leave();
  });
  test('says that the host does not answer, and goes on when it does', async () => {
    writes('1');
    const { next, leave } = await read();
    await next();
    stage.answer = fail('late', 'it has not answered in time');
    expect(await next()).toEqual({
      event: 'trouble',
      data: { reason: 'box-1: it has not answered in time' },
    });
    writes('1', '2');
    expect(await next()).toEqual({ event: 'lines', data: { lines: ['2'], gap: false } });
    await leave();
  });
  test('is refused in words where the host has no connection, and to who may not', async () => {
    stage.answer = fail(
      'unreachable',
      'The request did not reach the host: it has no management connection. Check its uplink.',
    );
    const refused = await follow();
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text)).toMatchObject({
      reason: 'box-1: The request did not reach the host: it has no management connection. Check its uplink.',
    });
    const reader = await ask(stage.api, 'POST', '/provisioning/apitoken/a.test', {
      token: stage.token,
      body: { scope: 'read' },
    });
    expect((await ask(stage.api, 'GET', LOG, { token: String(reader.body.token) })).status).toBe(403);
  });
  test('ends by itself after a quarter of an hour, and the connection with it', async () => {
    writes('1');
    const { next } = await read();
    await next();
    stage.due.find(({ ms }) => ms === 15 * 60_000)?.run();
    expect(stage.hangUps).toHaveLength(1);
    expect(await next()).toMatchObject({ event: 'over' });
    expect(await next()).toBeUndefined();
  });
  test('is followed by ten at once in a tenant; whoever leaves makes room', async () => {
    writes('1');
    const all = [];
    for (let i = 0; i < 10; i++) all.push(await read());
    expect((await follow()).status).toBe(429);
    await all[0]?.leave();
    const { leave } = await read();
    expect((await follow()).status).toBe(429);
    await leave();
    for (const each of all.slice(1)) await each.leave();
  });
});

describe('the unread part of a log', () => {
  test.each([
    [[], ['a'], { lines: ['a'], gap: false }],
    [['a'], [], { lines: [], gap: false }],
    [['a', 'b'], ['a', 'b'], { lines: [], gap: false }],
    // The oldest have left the host's memory.
    [['a', 'b', 'c'], ['c', 'd'], { lines: ['d'], gap: false }],
    [['a', 'b'], ['x', 'y'], { lines: ['x', 'y'], gap: true }],
  ])('follows %j, when %j comes', (seen, batch, expected) => {
    expect(unseenOf(seen, batch)).toEqual(expected);
  });
});
