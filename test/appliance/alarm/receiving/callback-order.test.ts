import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CallbackOrder } from '#appliance/alarm/receiving/callback-order.ts';
import { createCaller } from '#appliance/delivery/callback/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';

/** Requests that are signed and answered when the test says so. */
function line() {
  let nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const order = new CallbackOrder({ clock, timers });
  const signed = new Map<string, () => void>();
  const answered = new Map<string, () => void>();
  const started: string[] = [];
  const caller = createCaller({
    clock,
    random: (size) => new Uint8Array(size),
    sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
    sign: (_, { sub }) =>
      new Promise((resolve) => {
        signed.set(String(sub), () => resolve({ ok: true, value: 'token' }));
      }),
    post: ({ body }) => {
      started.push(body);
      return new Promise((resolve) => {
        answered.set(body, () => resolve({ ok: true, value: { status: 200, headers: {}, body: '{}' } }));
      });
    },
  });
  const call = (body: string) => ({
    traceId: '',
    path: '/x',
    headers: {},
    body,
    eventSeq: 1,
    shape: 'default' as const,
  });
  const target = (sub: string) => ({
    domain: 'care.example',
    url: 'https://app.example',
    timeoutMs: 10_000,
    destClass: 'bridge',
    restAuthentication: [{ sub, type: 'HS256' as const, secret: 'x' }],
  });
  return {
    timers,
    started,
    send(body: string, sender = 'account') {
      const delivery = { id: body, attempt: 1, firstCredential: 0, late: false };
      void order.run(sender, (inTurn) => caller(target(body), call(body), { ...delivery, inTurn }));
    },
    /** Lets every promise that is due run. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
    sign: (...bodies: string[]) => {
      for (const body of bodies) signed.get(body)?.();
    },
    answer: (body: string) => answered.get(body)?.(),
    elapse(ms: number) {
      nowMs += ms;
      timers.advance(nowMs);
    },
  };
}

describe('live requests of one account', () => {
  it('start in the order of their alarms, whichever signature is ready first', async () => {
    const { started, send, sign, answer, settle } = line();
    for (const body of ['alarm', 'restore', 'test']) send(body);
    sign('test', 'restore');
    await settle();
    expect(started).toEqual([]);
    sign('alarm');
    await settle();
    expect(started).toEqual(['alarm']);
    answer('alarm');
    await settle();
    expect(started).toEqual(['alarm', 'restore']);
    answer('restore');
    await settle();
    expect(started).toEqual(['alarm', 'restore', 'test']);
  });

  it('wait at most 250 ms behind the answer to another one, and then start in their order', async () => {
    const { timers, started, send, sign, elapse, settle } = line();
    const bodies = Array.from({ length: 80 }, (_, place) => `${place}`);
    for (const body of bodies) send(body);
    sign(...bodies.toReversed());
    await settle();
    expect([started, timers.nextDueMs]).toEqual([['0'], 250]);
    elapse(249);
    await settle();
    expect(started).toEqual(['0']);
    elapse(1);
    await settle();
    expect(started).toEqual(bodies);
  });

  it('never wait for one whose signature does not come', async () => {
    const { started, send, sign, elapse, settle } = line();
    for (const body of ['alarm', 'restore']) send(body);
    sign('restore');
    await settle();
    elapse(250);
    await settle();
    expect(started).toEqual(['restore']);
  });

  it('do not wait for those of another account', async () => {
    const { started, send, sign, settle } = line();
    send('one', 'a');
    send('other', 'b');
    sign('other');
    await settle();
    expect(started).toEqual(['other']);
  });

  it('leave nothing behind', async () => {
    const { timers, started, send, sign, answer, settle } = line();
    for (const body of ['alarm', 'restore']) send(body);
    sign('alarm', 'restore');
    for (const body of ['alarm', 'restore']) {
      await settle();
      answer(body);
    }
    await settle();
    expect([started.length, timers.nextDueMs]).toEqual([2, undefined]);
  });
});
