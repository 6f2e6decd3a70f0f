import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditAfter } from '#cloud/store/index.ts';
import { fail, ok } from '#shared/result.ts';
import { ask } from '../api.ts';
import { type HostStage, openHostStage } from '../host-stage.ts';

const LISTENING = '/listening/a.test';
let stage: HostStage;

beforeEach(async () => {
  stage = await openHostStage();
  await stage.serving('box-1');
  await allow(true);
});
afterEach(async () => {
  expect(stage.api.defects).toEqual([]);
  await stage.close();
});

const allow = async (callbackCopies: boolean): Promise<void> => {
  const body = { callbackCopies };
  const { status } = await ask(stage.api, 'PUT', '/provisioning/notificationsettings/a.test', { body });
  expect(status).toBe(200);
};
const copy = (seq: number, path = '/newCall') => ({
  ...{ seq, path, at: 5, traceId: 't1', key: 'copy-1', eventSeq: 1, attempt: 1, late: false, body: '{}' },
});
const hostSends = (data: Record<string, unknown>): void => {
  stage.answer = ok({ v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data, part: 1, last: true });
};
const by = (path: string, method = 'GET', body?: object) =>
  ask(stage.api, method, path, { token: stage.token, ...(body !== undefined && { body }) });
async function open(changes: object = {}): Promise<{ listenId: string; callbackBaseUrl: string }> {
  const opened = await by(LISTENING, 'POST', changes);
  expect(opened.status).toBe(200);
  return opened.body.listening as { listenId: string; callbackBaseUrl: string };
}

/** The stream as a developer reads it; pauses of the control plane pass at once. */
async function follow(listenId: string) {
  const answer = await stage.api.app.request(`${LISTENING}/${listenId}/event`, {
    headers: { authorization: `Bearer ${stage.token}` },
  });
  expect(answer.status).toBe(200);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const next = async (): Promise<{ event: string; data: Record<string, unknown> } | undefined> => {
    const turns = setInterval(() => {
      const at = stage.due.findIndex(({ ms }) => ms === 500);
      if (at >= 0) stage.due.splice(at, 1)[0]?.run();
    }, 1);
    try {
      for (;;) {
        const found = /(?:^|\n)event: (\w+)\ndata: (.*)\n\n/.exec(text);
        if (found !== null) {
          text = text.slice(found.index + found[0].length);
          return { event: String(found[1]), data: JSON.parse(String(found[2])) };
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += new TextDecoder().decode(value);
      }
    } finally {
      clearInterval(turns);
    }
  };
  return { next, leave: () => reader.cancel() };
}

describe('copies of callbacks', () => {
  test('come while the stream is read, each once, and hosts are asked at no other time', async () => {
    const { listenId } = await open({ filter: 'newCall' });
    expect(stage.asked).toEqual([]);
    hostSends({ copies: [copy(7)], after: 7, dropped: 2 });
    const { next, leave } = await follow(listenId);
    expect(await next()).toEqual({ event: 'gap', data: { hostId: 'box-1', dropped: 2 } });
    hostSends({ copies: [], after: 7, dropped: 0 });
    expect(await next()).toMatchObject({
      event: 'copy',
      data: { hostId: 'box-1', seq: 7, path: '/newCall' },
    });
    hostSends({ copies: [copy(8)], after: 8, dropped: 0 });
    expect(await next()).toMatchObject({ event: 'copy', data: { seq: 8 } });
    const args = (stage.asked as [string, { op: string; args: object }][]).map((each) => each[1]);
    expect(args[0]).toMatchObject({ op: 'callback.copies', args: { filter: 'newCall' } });
    expect(args.at(-1)).toMatchObject({ args: { after: 7 } });
    await leave();
    const asked = stage.asked.length;
    const shown = await by(LISTENING);
    expect(shown.body.listening).toMatchObject([{ listenId, follows: false, filter: 'newCall' }]);
    expect(stage.asked).toHaveLength(asked);
  });

  test('a host that does not answer is named once, and the stream goes on', async () => {
    stage.answer = fail('unreachable', 'it has no management connection');
    const { listenId } = await open();
    const { next, leave } = await follow(listenId);
    expect(await next()).toEqual({
      event: 'trouble',
      data: { reason: 'box-1 sends no copies: it has no management connection' },
    });
    stage.api.clock.now += 11_000;
    hostSends({ copies: [copy(1)], after: 1, dropped: 0 });
    expect(await next()).toMatchObject({ event: 'copy' });
    await leave();
  });

  test('copies of a trace come again', async () => {
    const { listenId } = await open();
    hostSends({ copies: [copy(3)], after: 3, dropped: 0 });
    const again = await by(`${LISTENING}/${listenId}/copy/t1`);
    expect(again.body.copies).toMatchObject([{ hostId: 'box-1', seq: 3 }]);
    expect(stage.asked).toMatchObject([[expect.any(String), { args: { traceId: 't1' } }]]);
  });
});

describe('permission to listen', () => {
  test('a tenant that lets no copies leave: none, and hosts are not asked', async () => {
    await allow(false);
    const refused = await by(LISTENING, 'POST', {});
    expect(refused.status).toBe(409);
    expect(String(refused.body.reason)).toContain('callbackCopies');
    expect(stage.asked).toEqual([]);
  });

  test('the scope listen and the role admin; no other scope opens it', async () => {
    for (const [scope, status] of [
      ['listen', 200],
      ['read provisioning runtime site capture', 403],
    ] as const) {
      const made = await by('/provisioning/apitoken/a.test', 'POST', { scope });
      const token = String(made.body.token);
      const opened = await ask(stage.api, 'POST', LISTENING, { token, body: {} });
      expect(opened.status).toBe(status);
    }
  });

  test('at most 8 h, five at once, and another tenant sees none of it', async () => {
    expect((await by(LISTENING, 'POST', { hours: 9 })).status).toBe(400);
    const { listenId } = await open({ hours: 8 });
    stage.api.clock.now += 8 * 3_600_000 + 1;
    expect((await by(`${LISTENING}/${listenId}/event`)).status).toBe(404);
    for (let index = 0; index < 5; index++) await open({ hours: 8 });
    expect((await by(LISTENING, 'POST', {})).status).toBe(429);
  });

  test('opening, replay and closing stand in the audit log with the person', async () => {
    const { listenId } = await open({ hours: 2 });
    hostSends({ copies: [], after: 0, dropped: 0 });
    await by(`${LISTENING}/${listenId}/copy/t1`);
    expect((await by(`${LISTENING}/${listenId}`, 'DELETE')).status).toBe(200);
    const entries = await auditAfter(stage.api.database.store, stage.tenant, 0, 1_000);
    const listenings = entries.filter(({ entityId }) => entityId === listenId);
    expect(listenings.map(({ action }) => action)).toEqual([
      'listening.opened',
      'listening.replayed',
      'listening.closed',
    ]);
  });
});

describe('a receiver that names a listening', () => {
  const post = (url: string, body = '{"a":1}') =>
    stage.api.app.request(`${new URL(url).pathname}/newCall`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x', cookie: 'c=1' },
      body,
    });

  test('has its answer from the application of the developer', async () => {
    hostSends({ copies: [], after: 0, dropped: 0 });
    const { listenId, callbackBaseUrl } = await open({ answers: true });
    const { next, leave } = await follow(listenId);
    const reading = next();
    // The reader is there once the first look at the hosts was made.
    await expect.poll(() => stage.asked.length).toBeGreaterThan(0);
    const posting = post(callbackBaseUrl, '{ "a" : 1 }');
    const asked = await reading;
    expect(asked).toMatchObject({ event: 'ask', data: { path: '/newCall', body: '{ "a" : 1 }' } });
    expect(asked?.data.headers).toEqual({ 'content-type': 'application/json', authorization: 'Bearer x' });
    const requestId = String(asked?.data.requestId);
    const body = '{"action":"ivr"}';
    const answer = {
      requestId,
      status: 200,
      headers: { 'content-type': 'application/json', 'set-cookie': 'no' },
    };
    expect((await by(`${LISTENING}/${listenId}/answer`, 'POST', { ...answer, body })).status).toBe(200);
    const got = await posting;
    expect([got.status, await got.text(), got.headers.get('set-cookie')]).toEqual([200, body, null]);
    expect((await by(`${LISTENING}/${listenId}/answer`, 'POST', { ...answer, body })).status).toBe(404);
    await leave();
  });

  test.each([
    ['one that answers nothing', { answers: false }],
    ['one that is not read', { answers: true }],
  ])('is refused at once by %s, so that its fallback acts', async (_, changes) => {
    const { callbackBaseUrl } = await open(changes);
    const refused = await post(callbackBaseUrl);
    expect(refused.status).toBe(503);
    expect((await post('https://cloud.example/listen/unknown')).status).toBe(503);
  });
});
