import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import { createCaller } from '#appliance/delivery/callback/index.ts';
import { createCallbackClient, createSigner } from '#appliance/io/http/index.ts';
import { createHandler } from '#sdk/js/src/callback/index.ts';
import { nodeListener } from '#sdk/js/src/node.ts';
import { type Posted, testAppliance } from '#test/support/appliance.ts';
import { makeAuthority } from '../appliance/io/http/callback-receiver.ts';
import { tenantKey } from './sender.ts';

/** An appliance whose callbacks are signed and posted over HTTPS to an application that is written with the SDK. */
let site: Awaited<ReturnType<typeof testAppliance>>;
let close: (() => Promise<void>)[] = [];
const failures: string[] = [];

beforeEach(async () => {
  site = await testAppliance();
  site.bridge({ defaultEmergencyDestination: 'sip:operator@arc.example' });
  site.device({ deviceId: 'scaip-0001' });
});

afterEach(async () => {
  for (const each of close.splice(0)) await each();
  await site.close();
  expect(failures.splice(0)).toEqual([]);
});

/** Opens the application; `answers` are the callbacks that it has answered. */
async function application(on: Parameters<typeof createHandler>[0]['on']) {
  const { entry, key } = tenantKey();
  const authority = await makeAuthority();
  const server = createServer(authority);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on(
    'request',
    nodeListener(
      createHandler({
        keys: [key],
        audience: url,
        domain: 'care.example',
        onFailure: ({ reason }) => failures.push(reason),
        on,
      }),
    ),
  );
  const client = createCallbackClient({ allowPrivate: ['127.0.0.1'], extraCas: [authority.ca] });
  const post = createCaller({
    post: client.postJson,
    sign: createSigner(),
    sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
    random: randomBytes,
    clock: { wallMs: Date.now, monoMs: () => performance.now() },
  });
  close = [
    () => client.close(),
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  ];
  const answers: Promise<void>[] = [];
  const forward = async ({ target, call, delivery, answer }: Posted): Promise<void> => {
    const path = new URL(target.url).pathname;
    answer(await post({ ...target, url: url + path, restAuthentication: [entry] }, call, delivery));
  };
  site.answerBy((posted) => {
    answers.push(forward(posted));
    return undefined;
  });
  return async () => {
    await site.quiet();
    await Promise.all(answers);
    await site.quiet();
  };
}

const alarm = '<mrq><ref>A1</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>';

it('an alarm of a device is verified and answered by the SDK, and the device gets the answer', async () => {
  const seen: unknown[] = [];
  const settled = await application({
    newAlarmbridgeEvent: (body, { claims, idempotencyKey, traceId }) => {
      seen.push(body.alarmEvent.controllerId, claims.iss, traceId === body.traceId, idempotencyKey !== '');
      return { action: 'callEmergencyCenter' };
    },
  });
  site.request('MESSAGE', 'scaip-0001', { body: alarm });
  expect(site.take()).toMatchObject([{ status: 200 }]);
  await settled();
  expect(seen).toEqual(['scaip-0001', 'care.example', true, true]);
  const [answer] = site.take();
  if (answer?.kind !== 'request') throw new Error('no answer was sent');
  expect(decodeResponse(answer.body)).toMatchObject({
    ok: true,
    value: { ref: 'A1', tnu: ['sip:operator@arc.example'] },
  });
});

it('an application whose function fails leaves the alarm to the fallback of the platform', async () => {
  const settled = await application({
    newAlarmbridgeEvent: () => {
      throw new Error('the database is away');
    },
  });
  site.request('MESSAGE', 'scaip-0001', { body: alarm });
  site.take();
  await settled();
  const [answer] = site.take();
  if (answer?.kind !== 'request') throw new Error('no answer was sent');
  expect(decodeResponse(answer.body)).toMatchObject({
    ok: true,
    value: { tnu: ['sip:operator@arc.example'] },
  });
  expect(failures.splice(0)).toEqual(['The function of the callback failed; its log has the cause.']);
});
