import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOf, deliveryOf, senderTo, tenantKey } from '../../sdk/sender.ts';

const { entry, key } = tenantKey();
let child: ChildProcess;
let ready: { readonly port: number; readonly failures: unknown };
let send: ReturnType<typeof senderTo>['send'];

beforeAll(async () => {
  child = spawn('/usr/bin/python3', [join(import.meta.dirname, 'application.py')], {
    env: {
      ...process.env,
      PYTHONPATH: join(import.meta.dirname, '../../../sdk/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin?.write(`${JSON.stringify(key.publicKey)}\n`);
  if (child.stdout === null) throw new Error('the application has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  ready = JSON.parse(line);
  send = senderTo(
    async (request) => {
      const { pathname } = new URL(request.url);
      const body = await request.text();
      return fetch(`http://127.0.0.1:${ready.port}${pathname}`, {
        method: 'POST',
        headers: request.headers,
        body,
      });
    },
    [entry],
  ).send;
});
afterAll(async () => {
  child.stdin?.end();
  if (child.exitCode === null) await once(child, 'exit');
});

const answerTo = async (...call: Parameters<typeof send>) => {
  const outcome = await send(...call);
  if (outcome.kind !== 'answered') throw new Error(outcome.reason);
  return [outcome.status, JSON.parse(outcome.body)];
};

it('answers what the sender of the platform posts, and a repeat with the first answer', async () => {
  const alarm = callOf('/newAlarmbridgeEvent', { name: 'Åsa', fails: true });
  expect(await answerTo(alarm, deliveryOf('1'))).toEqual([
    500,
    { reason: 'The function of the callback failed; its log has the cause.' },
  ]);
  const answer = [200, { action: 'drop', runs: 2, trace: 'trace-1', name: 'Åsa' }];
  expect(await answerTo(alarm, deliveryOf('1', { attempt: 2 }))).toEqual(answer);
  expect(await answerTo(alarm, deliveryOf('1', { attempt: 3, late: true }))).toEqual(answer);
});

it('takes records without a function, and leaves live callbacks to the fallback', async () => {
  expect(await answerTo(callOf('/alarmSent', {}), deliveryOf('2'))).toEqual([200, {}]);
  expect((await answerTo(callOf('/newRemoteCall', {}), deliveryOf('3')))[0]).toBe(501);
  expect((await answerTo(callOf('/own', {}), deliveryOf('4')))[0]).toBe(200);
});

it('leads a caller from step to step', async () => {
  expect(await answerTo(callOf('/newCall', {}), deliveryOf('5'))).toEqual([200, { action: 'ivr' }]);
  const [, first] = await answerTo(callOf('/getIvrCommand', {}), deliveryOf('6'));
  expect(first).toMatchObject({ dtmf: { maxDigits: 4 }, sessionReferenceId: { flowStep: 'pin' } });
  const next = {
    sessionReferenceId: first.sessionReferenceId,
    lastCommandResult: {},
    dtmfParams: { dtmfMatch: '1', reason: 'maxDigits' },
  };
  const [, second] = await answerTo(callOf('/getIvrCommand', next), deliveryOf('7'));
  expect(second).toMatchObject({ hangup: true, sessionReferenceId: { flowStep: 'in' } });
});

it('has a client that says why a call failed, after how many attempts', () => {
  expect(ready.failures).toEqual([
    ['notUnderstood', 405, 1],
    ['notUnderstood', 401, 1],
    ['unreachable', null, 2],
  ]);
});
