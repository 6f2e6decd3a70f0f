import { describe, expect, it } from 'vitest';
import { type OutboxRow, YIELDING_PREFIX } from '#appliance/delivery/outbox/index.ts';
import { dayMs, OutboxWorld, row } from './outbox-world.ts';

const ids = (rows: readonly { readonly row: OutboxRow }[]) => rows.map((one) => one.row.seq);

describe('order and limits', () => {
  it('sends the records of one key one after the other, those of others beside them', () => {
    const world = new OutboxWorld();
    world.queue(row(1), row(2), row(3, { orderKey: 'session-2' }));
    expect(ids(world.attempts)).toEqual([1, 3]);
    world.deliver(row(1).id);
    expect(ids(world.attempts)).toEqual([1, 3, 2]);
    expect(world.state(row(1).id)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('holds a key back behind a failed record, not the others', () => {
    const world = new OutboxWorld();
    world.queue(row(1), row(2), row(3, { orderKey: 'session-2' }));
    world.unreached(row(1).id);
    world.deliver(row(3).id);
    expect(ids(world.attempts)).toEqual([1, 3]);
    world.wake();
    expect(ids(world.attempts)).toEqual([1, 3, 1]);
  });

  it('has 32 in progress at one destination and 128 in all', () => {
    const world = new OutboxWorld();
    for (let seq = 1; seq <= 40; seq++) world.queue(row(seq, { orderKey: `session-${seq}` }));
    expect(world.inProgress.size).toBe(32);
    for (let seq = 1001; seq <= 1300; seq++) {
      world.queue(row(seq, { dest: `bridge:${seq % 6}`, orderKey: `session-${seq}` }));
    }
    expect(world.inProgress.size).toBe(128);
    world.deliver(row(1).id);
    expect(world.inProgress.size).toBe(128);
    expect(world.depth()).toMatchObject({ 'bridge:1': 40 - 1 + 50 });
  });

  it('lets known devices overtake those of low priority, which have a quarter of the places', () => {
    const world = new OutboxWorld();
    const stranger = (seq: number) =>
      row(seq, { orderKey: `stranger-${seq}`, body: `${YIELDING_PREFIX}"body":"${seq}"}` });
    for (let seq = 1; seq <= 100; seq++) world.queue(stranger(seq));
    expect(ids(world.attempts)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (let seq = 101; seq <= 140; seq++) world.queue(row(seq, { orderKey: `session-${seq}` }));
    expect(ids(world.attempts.slice(8))).toEqual(Array.from({ length: 24 }, (_, at) => 101 + at));
    // A place that a stranger leaves is taken by a known device, as long as one waits.
    world.deliver(row(1).id);
    expect(ids(world.attempts).at(-1)).toBe(125);
    for (let seq = 101; seq <= 140; seq++) world.deliver(row(seq).id);
    for (let seq = 2; seq <= 100; seq++) world.deliver(row(seq).id);
    expect(new Set(ids(world.attempts)).size).toBe(140);
  });

  it('knows after a restart which rows have low priority', () => {
    const world = new OutboxWorld();
    world.queue(
      row(1, { type: 'unknownDevice' }),
      row(2, { orderKey: 's-2', body: `${YIELDING_PREFIX}"body":""}` }),
    );
    for (let seq = 3; seq <= 60; seq++) world.queue(row(seq, { orderKey: `s-${seq}`, type: 'authError' }));
    expect(world.inProgress.size).toBe(8);
    world.restart(1_000);
    expect(world.inProgress.size).toBe(8);
  });

  it('sends a record once that was handed over twice', () => {
    const world = new OutboxWorld();
    world.queue(row(1), row(1));
    world.deliver(row(1).id);
    expect(ids(world.attempts)).toEqual([1]);
    expect(world.depth()).toEqual({});
  });

  it('leaves rows for the cloud to the uplink', () => {
    const world = new OutboxWorld();
    world.queue(row(1, { dest: 'cloud' }));
    expect(world.attempts).toEqual([]);
    expect(world.depth()).toEqual({});
  });
});

describe('retry', () => {
  it('reports the timeline of a receiver that is away, with attempt numbers and a journal that knows', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    for (let failed = 0; failed < 8; failed++) {
      world.unreached(row(1).id);
      world.wake();
    }
    expect(world.attempts.map(({ atMs }) => atMs / 1000)).toEqual([0, 1, 3, 8, 18, 38, 68, 128, 188]);
    expect(world.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(world.state(row(1).id)).toMatchObject({ state: 'new', attempts: 8, lastErr: 'timeout' });
    expect(world.raised).toEqual([]);
  });

  it('goes on counting after a restart, and waits no longer than before it', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    for (let failed = 0; failed < 6; failed++) {
      world.unreached(row(1).id);
      world.wake();
    }
    world.unreached(row(1).id);
    world.restart(10_000);
    expect(world.attempts).toHaveLength(7);
    expect(world.wakeAtMs).toBe(50_000);
    world.wake();
    expect(world.attempts.at(-1)?.number).toBe(8);
  });

  it('obeys Retry-After also when the destination comes back before', () => {
    const world = new OutboxWorld();
    for (let seq = 1; seq <= 6; seq++) world.queue(row(seq, { orderKey: `session-${seq}` }));
    world.refuse(row(1).id, 503, 120);
    for (let seq = 2; seq <= 6; seq++) world.unreached(row(seq).id);
    expect(world.inProgress.size).toBe(0);
    world.step({ kind: 'reached', now: world.now, dest: 'bridge:1' });
    expect(world.inProgress).toEqual(new Set([2, 3, 4, 5, 6].map((seq) => row(seq).id)));
    for (let seq = 2; seq <= 6; seq++) world.deliver(row(seq).id);
    while (world.inProgress.size === 0) world.wake();
    expect(world.monoMs).toBe(120_000);
  });

  it('does not wait longer than 300 s because the wall clock was set back', () => {
    const world = new OutboxWorld();
    world.rows.set(row(1).id, row(1, { attempts: 1, notBefore: world.now.wallMs + 10 * dayMs }));
    world.restart();
    expect(world.attempts).toEqual([]);
    expect(world.wakeAtMs).toBe(300_000);
  });

  it('makes a dead letter of what is refused three times, raises it and goes on with the next', () => {
    const world = new OutboxWorld();
    world.queue(row(1), row(2));
    for (const _ of [1, 2]) {
      world.refuse(row(1).id, 422);
      world.wake();
    }
    expect(world.raised).toEqual([]);
    world.refuse(row(1).id, 422);
    expect(world.state(row(1).id)).toMatchObject({
      state: 'dead',
      attempts: 3,
      lastErr: 'refused: answered 422',
    });
    expect(world.raised).toEqual([{ id: row(1).id, reason: 'refused: answered 422' }]);
    expect(ids(world.attempts)).toEqual([1, 1, 1, 2]);
  });

  it('does not count passing answers as refusals', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    for (const status of [400, 401, 403, 408, 409, 425, 429, 500, 302, 400]) {
      world.refuse(row(1).id, status);
      world.wake();
    }
    expect(world.state(row(1).id).state).toBe('new');
    world.refuse(row(1).id, 400);
    expect(world.state(row(1).id).state).toBe('dead');
  });

  it('refuses a body over 256 KiB at once', () => {
    const world = new OutboxWorld();
    world.queue(row(1, { body: 'x'.repeat(256 * 1024) }), row(2, { body: 'å'.repeat(128 * 1024 + 1) }));
    expect(ids(world.attempts)).toEqual([1]);
    expect(world.state(row(2).id).state).toBe('dead');
    expect(world.raised.map(({ id }) => id)).toEqual([row(2).id]);
  });

  it('sends a dead letter again when a person asks, with a new life', () => {
    const world = new OutboxWorld();
    const dead = row(1, { state: 'dead', attempts: 3, deadline: 5 });
    world.rows.set(dead.id, dead);
    world.step({ kind: 'redeliver', now: world.now, row: dead });
    expect(world.state(dead.id)).toMatchObject({
      state: 'new',
      attempts: 0,
      late: true,
      deadline: 7 * dayMs,
    });
    expect(world.attempts.at(-1)?.number).toBe(1);
  });

  it('ignores a second result of the same attempt', () => {
    const world = new OutboxWorld();
    world.queue(row(1), row(2));
    world.deliver(row(1).id);
    world.deliver(row(1).id);
    expect(world.state(row(2).id).state).toBe('new');
  });
});

describe('circuit breaker', () => {
  const broken = (): OutboxWorld => {
    const world = new OutboxWorld();
    for (let seq = 1; seq <= 40; seq++) world.queue(row(seq, { orderKey: `session-${seq}` }));
    for (let seq = 1; seq <= 32; seq++) world.unreached(row(seq).id);
    return world;
  };

  it('opens after five failures in a row and lets one record try every 10 s', () => {
    const world = broken();
    // Four failures left four places; the fifth closed the door.
    expect(world.attempts).toHaveLength(36);
    for (let seq = 33; seq <= 36; seq++) world.unreached(row(seq).id);
    const before = world.attempts.length;
    const tries: number[] = [];
    while (tries.length < 5) {
      world.wake();
      for (const id of [...world.inProgress]) {
        tries.push(world.monoMs / 1000);
        world.unreached(id);
      }
    }
    expect(tries).toEqual([10, 20, 30, 40, 50]);
    expect(world.attempts).toHaveLength(before + 5);
  });

  it('closes with the first success and sends everything that had waited', () => {
    const world = broken();
    for (let seq = 33; seq <= 36; seq++) world.unreached(row(seq).id);
    while (world.inProgress.size === 0) world.wake();
    for (const id of [...world.inProgress]) world.deliver(id);
    expect(world.inProgress.size).toBe(32);
    while (world.inProgress.size > 0) for (const id of [...world.inProgress]) world.deliver(id);
    expect([...world.rows.values()].every(({ state }) => state === 'done')).toBe(true);
    expect(world.monoMs).toBe(10_000);
  });

  it('closes when a live request got an answer', () => {
    const world = broken();
    for (let seq = 33; seq <= 36; seq++) world.unreached(row(seq).id);
    world.step({ kind: 'reached', now: world.now, dest: 'bridge:1' });
    expect(world.inProgress.size).toBe(32);
  });

  it('that closed leaves no old timer behind: a record that fails again waits its new time', () => {
    const world = new OutboxWorld();
    for (let seq = 1; seq <= 5; seq++) world.queue(row(seq, { orderKey: `session-${seq}` }));
    for (let seq = 1; seq <= 5; seq++) world.unreached(row(seq).id);
    world.step({ kind: 'reached', now: world.now, dest: 'bridge:1' });
    for (const id of [...world.inProgress]) world.refuse(id, 409);
    // The first times asked for were for 1 s, these are for 2 s.
    const before = world.attempts.length;
    while (world.inProgress.size === 0) world.wake();
    expect(world.monoMs).toBe(2_000);
    expect(world.attempts).toHaveLength(before + 5);
  });

  it('stops one destination and no other', () => {
    const world = broken();
    world.queue(row(99, { dest: 'bridge:2' }));
    expect(world.attempts.at(-1)?.row.seq).toBe(99);
  });
});

describe('live requests', () => {
  it('that failed become late records, before younger ones of their key', () => {
    const world = new OutboxWorld();
    world.queue(row(2), row(3));
    const live = row(1, { state: 'inflight' });
    world.rows.set(live.id, live);
    world.step({ kind: 'released', now: world.now, row: live, reason: 'answered 500' });
    expect(world.state(live.id)).toMatchObject({
      state: 'new',
      late: true,
      attempts: 1,
      lastErr: 'answered 500',
    });
    world.deliver(row(2).id);
    expect(ids(world.attempts)).toEqual([2, 1]);
    expect(world.attempts.at(-1)).toMatchObject({ number: 2, row: { late: true } });
  });

  it('that died with the program are delivered after the start', () => {
    const world = new OutboxWorld();
    world.rows.set(row(1).id, row(1, { state: 'inflight' }));
    world.restart();
    world.wake();
    expect(world.attempts).toMatchObject([{ number: 2, row: { seq: 1, late: true } }]);
  });
});

describe('end of life', () => {
  const away = (world: OutboxWorld, untilMs: number): void => {
    while (world.monoMs < untilMs && world.inProgress.size > 0) {
      for (const id of [...world.inProgress]) world.unreached(id);
      if (world.inProgress.size === 0 && world.wakeAtMs !== undefined) world.wake();
    }
  };

  it('is after 7 days of attempts', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    away(world, 7 * dayMs - 600_000);
    expect(world.state(row(1).id).state).toBe('new');
    away(world, 8 * dayMs);
    expect(world.state(row(1).id)).toMatchObject({ state: 'dead', lastErr: 'expired: timeout' });
    expect(world.raised).toHaveLength(1);
    expect(world.monoMs).toBeLessThanOrEqual(7 * dayMs + 300_000);
  });

  it('does not come while the host has no power', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    away(world, dayMs);
    world.restart(30 * dayMs);
    if (world.inProgress.size === 0) world.wake();
    away(world, 5 * dayMs);
    expect(world.state(row(1).id).state).toBe('new');
  });

  it('adds up the lives of the program', () => {
    const world = new OutboxWorld();
    world.queue(row(1));
    for (const _ of [1, 2, 3]) {
      away(world, 2 * dayMs);
      world.restart(dayMs);
      if (world.inProgress.size === 0) world.wake();
    }
    expect(world.state(row(1).id).state).toBe('new');
    away(world, 1.2 * dayMs);
    expect(world.state(row(1).id).state).toBe('dead');
  });

  it('leaves 30 minutes of attempts after a start', () => {
    const world = new OutboxWorld();
    world.queue(row(1, { deadline: 60_000 }));
    away(world, 29 * 60_000);
    expect(world.state(row(1).id).state).toBe('new');
    away(world, 32 * 60_000);
    expect(world.state(row(1).id).state).toBe('dead');
  });

  it('is 24 hours for telemetry', () => {
    const world = new OutboxWorld();
    world.queue(row(1, { expirePolicy: 'telemetry', deadline: dayMs }));
    away(world, 2 * dayMs);
    expect(world.state(row(1).id).state).toBe('dead');
    expect(world.monoMs).toBeLessThanOrEqual(dayMs + 300_000);
  });
});
