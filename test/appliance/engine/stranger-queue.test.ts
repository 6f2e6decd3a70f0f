import { expect, it } from 'vitest';
import { StrangerQueue } from '#appliance/engine/stranger-queue.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';

const flow = (transport: Flow['transport'], remoteAddress = '203.0.113.1'): Flow => ({
  transport,
  localAddress: '192.0.2.1',
  localPort: 5060,
  remoteAddress,
  remotePort: 5060,
  connection: 0,
  reliable: transport !== 'UDP',
});

function world() {
  let nowMs = 1_000;
  const handled: string[] = [];
  let dropped = 0;
  const woken: number[] = [];
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const defects: unknown[] = [];
  const timers = new EngineTimers({ clock, wakeBy: (dueMs) => woken.push(dueMs) }, (defect) =>
    defects.push(defect),
  );
  const queue = new StrangerQueue(
    { clock, timers },
    {
      handle: (_flow, bytes) => {
        if (bytes.includes('sip:broken@')) throw new Error('met');
        handled.push(/From: <sip:(\w+)@/i.exec(bytes.toString())?.[1] ?? bytes.toString().slice(0, 10));
      },
      isKnown: ({ remoteAddress }, user) => user === 'known' || remoteAddress === '198.51.100.1',
      dropped: () => dropped++,
    },
  );
  const says = (user: string, from = flow('UDP')) =>
    queue.take(from, Buffer.from(`MESSAGE sip:x SIP/2.0\r\nFrom: <sip:${user}@care.example>\r\n\r\n`));
  const pass = (ms: number): void => {
    nowMs += ms;
    timers.advance(nowMs);
  };
  return { queue, timers, defects, handled, says, pass, woken, dropped: () => dropped };
}

it('handles unknown senders as they come, as long as they are few', () => {
  const { says, handled, timers } = world();
  for (let n = 0; n < 1_000; n++) says(`s${n}`);
  expect(handled).toHaveLength(1_000);
  expect(timers.nextDueMs).toBeUndefined();
});

it('lets a known device, a trunk, an answer and a connection overtake the unknown senders of a flood', () => {
  const { says, handled, queue, woken } = world();
  for (let n = 0; n < 3_000; n++) says(`s${n}`);
  expect(woken).toEqual([1_000]);
  says('known');
  says('host', flow('UDP', '198.51.100.1'));
  queue.take(flow('UDP'), Buffer.from('SIP/2.0 200 OK\r\nFrom: <sip:answer@x>\r\n\r\n'));
  says('connected', flow('TLS'));
  expect(handled.slice(1_000)).toEqual(['known', 'host', 'answer', 'connected']);
});

it('serves unknown senders in their order, a slice at a time', () => {
  const { says, handled, pass, timers } = world();
  for (let n = 0; n < 1_500; n++) says(`s${n}`);
  for (let slice = 0; timers.nextDueMs !== undefined; slice++) {
    pass(1);
    says('known');
    expect(handled.filter((user) => user !== 'known').length).toBeLessThanOrEqual(1_000 + 20 * (slice + 1));
  }
  expect(handled.filter((user) => user !== 'known')).toEqual(
    Array.from({ length: 1_500 }, (_, n) => `s${n}`),
  );
});

it('goes on after a defect that one of them meets', () => {
  const { says, handled, pass, timers, defects } = world();
  for (let n = 0; n < 1_000; n++) says(`s${n}`);
  for (const user of ['broken', 'broken', 'after']) says(user);
  while (timers.nextDueMs !== undefined) pass(1);
  expect(defects).toHaveLength(2);
  expect(handled.at(-1)).toBe('after');
});

it('keeps so many, and counts the others', () => {
  const { says, handled, pass, timers, dropped } = world();
  for (let n = 0; n < 10_000; n++) says(`s${n}`);
  expect(dropped()).toBe(5_000);
  while (timers.nextDueMs !== undefined) pass(1);
  expect(handled).toHaveLength(5_000);
  // A steady flood beyond a slice at a time keeps no more either.
  for (let round = 0; round < 1_000; round++) {
    for (let n = 0; n < 30; n++) says(`t${n}`);
    pass(1);
  }
  says('known');
  expect(handled.at(-1)).toBe('known');
  expect(dropped()).toBeGreaterThan(5_000);
});
