import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import {
  answerMemory,
  createHandler,
  type HandlerOptions,
  replayMemory,
} from '#sdk/js/src/callback/index.ts';
import { nodeListener } from '#sdk/js/src/node.ts';
import { callOf, deliveryOf, senderTo, tenantKey } from './sender.ts';

const first = tenantKey();
const second = tenantKey();

const optionsOf = (on: HandlerOptions['on']): HandlerOptions => ({
  keys: [first.key],
  audience: 'https://app.example',
  domain: 'care.example',
  on,
});

function application(on: HandlerOptions['on'], more: Partial<HandlerOptions> = {}) {
  const failures: string[] = [];
  const onFailure: HandlerOptions['onFailure'] = ({ status, reason }) => failures.push(`${status} ${reason}`);
  const handler = createHandler({ ...optionsOf(on), onFailure, ...more });
  return { handler, failures, ...senderTo(handler, [first.entry]) };
}

const alarm = callOf('/newAlarmbridgeEvent', { sessionId: 's-1', alarm: 'å' });

describe('a handler', () => {
  it('gives the body, the claims and the headers to the function of the callback, and its answer back', async () => {
    const seen: unknown[] = [];
    const { send } = application({
      newAlarmbridgeEvent: (body, context) => {
        seen.push(body, context);
        return { action: 'callEmergencyCenter' };
      },
    });
    expect(await send(alarm, deliveryOf('row-1', { attempt: 3 }))).toMatchObject({
      kind: 'answered',
      status: 200,
      body: '{"action":"callEmergencyCenter"}',
    });
    expect(seen).toMatchObject([
      { sessionId: 's-1', alarm: 'å' },
      {
        claims: { iss: 'care.example', aud: 'https://app.example' },
        idempotencyKey: 'row-1',
        traceId: 'trace-1',
        eventSeq: 1,
        attempt: 3,
        path: '/hooks/newAlarmbridgeEvent',
        isLate: false,
      },
    ]);
  });

  it('runs the function once for a repeat, even while it is at work, and gives the first answer again', async () => {
    let runs = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { send } = application({
      newAlarmbridgeEvent: async () => {
        runs++;
        await promise;
        return { action: 'drop' };
      },
    });
    const both = [send(alarm, deliveryOf('row-1')), send(alarm, deliveryOf('row-1', { attempt: 2 }))];
    resolve();
    const third = send(alarm, deliveryOf('row-1', { attempt: 3, late: true }));
    for (const answer of await Promise.all([...both, third]))
      expect(answer).toMatchObject({ status: 200, body: '{"action":"drop"}' });
    expect(runs).toBe(1);
    await send(alarm, deliveryOf('row-2'));
    expect(runs).toBe(2);
  });

  it('does not remember a failure: the next attempt runs the function again', async () => {
    let runs = 0;
    const { send, failures } = application({
      alarmSent: () => {
        runs++;
        if (runs === 1) throw new TypeError('the database is away');
      },
    });
    const sent = callOf('/alarmSent', {});
    expect(await send(sent, deliveryOf('row-1'))).toMatchObject({ status: 500 });
    expect(await send(sent, deliveryOf('row-1', { attempt: 2 }))).toMatchObject({ status: 200, body: '{}' });
    expect(failures).toEqual(['500 The function of the callback failed; its log has the cause.']);
  });

  it('refuses a request that was sent twice as it is, and one whose body was changed', async () => {
    const { send, requests, handler } = application({ newAlarmbridgeEvent: () => ({ action: 'drop' }) });
    await send(alarm, deliveryOf('row-1'));
    const [sent] = requests as [Request];
    const again = new Request(sent.clone(), {
      headers: new Headers([...sent.headers, ['idempotency-key', 'x']]),
    });
    const refused = await handler(again);
    expect([refused.status, ((await refused.json()) as { reason: string }).reason]).toEqual([
      401,
      expect.stringContaining('was used before'),
    ]);
    const changed = await handler(
      new Request(sent.url, { method: 'POST', headers: sent.headers, body: '{"sessionId":"s-2"}' }),
    );
    expect(await changed.json()).toEqual({
      reason:
        'The body is not the one that was signed. Pass the raw bytes of the body: once parsed and written again it has another hash.',
    });
  });

  it('prints a refusal as one line with its advice, and the stack of a failure inside the application', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const fails = (): never => {
        throw new Error('the database is away');
      };
      const options = optionsOf({ newAlarmbridgeEvent: fails });
      const { send } = senderTo(createHandler(options), [second.entry]);
      await send(alarm, deliveryOf('row-1'));
      expect(printed.mock.calls).toEqual([
        [expect.stringMatching(/^\/hooks\/newAlarmbridgeEvent 401: No ES256 key .* Compare the key /)],
      ]);
      await senderTo(createHandler(options), [first.entry]).send(alarm, deliveryOf('row-2'));
      expect(printed.mock.calls[1]?.[1]).toMatchObject({ cause: expect.any(Error) });
    } finally {
      printed.mockRestore();
    }
  });

  it('says 501 to a live callback without a function, so that the fallback acts, and takes a record', async () => {
    const { send, failures } = application({});
    expect(await send(alarm, deliveryOf('row-1'))).toMatchObject({ status: 501 });
    expect(failures[0]).toContain('no function for /hooks/newAlarmbridgeEvent');
    expect(await send(callOf('/own', {}), deliveryOf('row-2'))).toMatchObject({ status: 200, body: '{}' });
    expect(await send(callOf('/callNotify', {}), deliveryOf('row-3'))).toMatchObject({ status: 200 });
    expect(await send(alarm, deliveryOf('row-4', { late: true }))).toMatchObject({ status: 200 });
  });

  it('gives paths of an event map to other, and those of recording services to their own functions', async () => {
    const { send } = application(
      {
        newCall: () => ({ action: 'ivr' }),
        'callrecording/newCall': () => ({ startFileRecording: {} }),
      },
      { other: (path, body) => ({ path, body }) },
    );
    expect(await send(callOf('/fall', { a: 1 }), deliveryOf('1'))).toMatchObject({
      body: '{"path":"/hooks/fall","body":{"a":1}}',
    });
    expect(await send(callOf('/newCall', {}), deliveryOf('2'))).toMatchObject({ body: '{"action":"ivr"}' });
    expect(await send(callOf('/callrecording/newCall', {}), deliveryOf('3'))).toMatchObject({
      body: '{"startFileRecording":{}}',
    });
  });

  it('is found by the next credential when its keys are renewed', async () => {
    const { handler } = application({ alarmSent: () => undefined }, { keys: [second.key] });
    const { send, requests } = senderTo(handler, [first.entry, second.entry]);
    expect(await send(callOf('/alarmSent', {}), deliveryOf('1'))).toMatchObject({
      status: 200,
      credential: 1,
    });
    expect(requests).toHaveLength(2);
  });

  it('answers 500 with the cause when a key cannot be used, since no credential would help', async () => {
    const { send } = application({}, { keys: [{ algorithm: 'HS256', secret: first.key.publicKey }] });
    expect(await send(alarm, deliveryOf('1'))).toMatchObject({
      status: 500,
      body: expect.stringContaining('is a public key'),
    });
  });
});

describe('the memories', () => {
  it('are bounded: the oldest is forgotten, and so is a token after its time', async () => {
    const replay = replayMemory(2);
    expect([1, 2, 3, 3, 1].map((token) => replay.isFirst(String(token), 1_000, 500))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(replay.isFirst('3', 3_000, 1_001)).toBe(true);
    const answers = answerMemory(1);
    const answer = (body: string) => async () => ({ status: 200, body });
    await answers.once('a', answer('1'));
    expect(await answers.once('a', answer('2'))).toEqual({ status: 200, body: '1', repeated: true });
    await answers.once('b', answer('3'));
    expect(await answers.once('a', answer('4'))).toEqual({ status: 200, body: '4', repeated: false });
  });
});

describe('the listener for node:http', () => {
  it('passes the raw body and the headers on, and refuses other methods and bodies without end', async () => {
    const { handler, failures } = application({ alarmSent: () => undefined });
    const server = createServer(nodeListener(handler));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const overHttp = senderTo(
      async (request) => {
        const { pathname } = new URL(request.url);
        return fetch(base + pathname, {
          method: 'POST',
          headers: request.headers,
          body: await request.text(),
        });
      },
      [first.entry],
    );
    expect(await overHttp.send(callOf('/alarmSent', { å: 1 }), deliveryOf('1'))).toMatchObject({
      status: 200,
      body: '{}',
    });
    expect((await fetch(base)).status).toBe(405);
    expect((await fetch(base, { method: 'POST', body: 'x'.repeat(1_048_577) })).status).toBe(413);
    expect((await fetch(base, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(failures).toHaveLength(2);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
