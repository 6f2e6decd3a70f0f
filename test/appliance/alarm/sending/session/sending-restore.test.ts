import { describe, expect, it } from 'vitest';
import type { StoredSending } from '#appliance/alarm/sending/session/active-sending.ts';
import { SendingRestore } from '#appliance/alarm/sending/session/sending-restore.ts';
import { sessionRoom, stored } from './session-room.ts';

/** Events of an earlier run; they go on from the moment their event sender is there. */
function room(...rows: Parameters<typeof stored>[]) {
  const base = sessionRoom(rows.map((row) => stored(...row)));
  const done: string[] = [];
  const at = { hasSender: false };
  const restore = new SendingRestore(base.ports, ({ facts }: StoredSending, atLast) => {
    if (!at.hasSender && !atLast) return false;
    done.push(`${facts.sessionId} ${at.hasSender ? 'goes on' : 'ends'}`);
    return true;
  });
  const seen: string[] = [];
  return Object.assign(at, {
    ...base,
    restore,
    done,
    seen,
    begin: (only?: ReadonlySet<string>) =>
      restore.begin(({ facts }) => seen.push(facts.sessionId), { ...(only && { only }) }),
  });
}

describe('events of an earlier run', () => {
  it('go on at once where their event sender is there, the oldest first', () => {
    const at = room(['b', 'attempting', 2], ['a', 'pausing', 1]);
    at.hasSender = true;
    at.begin();
    expect(at.done).toEqual(['a goes on', 'b goes on']);
    expect([at.restore.size, at.timers.size]).toEqual([0, 0]);
  });

  it('are seen, and do not go on, when they are over', () => {
    const key = { idempotency: { key: 'k', bodyHash: 'h' } };
    const at = room(['a', 'over', 0, key]);
    at.hasSender = true;
    at.begin();
    expect([at.seen, at.done]).toEqual([['a'], []]);
  });

  it('are those of a lost host alone, where it is said which', () => {
    const at = room(['a', 'attempting'], ['b', 'attempting']);
    at.hasSender = true;
    at.begin(new Set(['b']));
    expect([at.seen, at.done]).toEqual([['b'], ['b goes on']]);
  });

  it('wait for the configuration that brings their event sender, and look at no other time', () => {
    const at = room(['a', 'attempting']);
    at.begin();
    expect([...at.restore.sessionIds]).toEqual(['a']);
    at.restore.follow();
    expect(at.done).toEqual([]);
    at.hasSender = true;
    at.at(30_000);
    expect(at.done).toEqual([]);
    at.restore.follow();
    expect(at.done).toEqual(['a goes on']);
    expect([at.restore.size, at.timers.size]).toEqual([0, 0]);
    at.restore.follow();
    expect(at.done).toHaveLength(1);
  });

  it('end after a minute each, with the reason', () => {
    const at = room(['a', 'attempting'], ['b', 'queued']);
    at.begin();
    at.at(59_999);
    expect(at.done).toEqual([]);
    at.at(60_000);
    expect(at.done).toEqual(['a ends', 'b ends']);
    expect(at.restore.size).toBe(0);
  });

  it('that cannot be read are logged, and hinder no other', () => {
    const at = room(['a', 'attempting']);
    at.rows.push({ ...stored('b', 'attempting'), body: '{' }, { ...stored('c', 'attempting'), body: '{}' });
    at.hasSender = true;
    at.begin();
    expect(at.done).toEqual(['a goes on']);
    expect(at.logged).toEqual(['stored_sending.read_failed', 'stored_sending.read_failed']);
  });
});
