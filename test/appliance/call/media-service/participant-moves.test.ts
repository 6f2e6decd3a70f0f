import { describe, expect, it } from 'vitest';
import { ParticipantMoves } from '#appliance/call/media-service/participant-moves.ts';

const [first, second, third] = [{ id: 'first' }, { id: 'second' }, { id: 'third' }];

function table() {
  const moves = new ParticipantMoves<{ id: string }>();
  const completed: string[] = [];
  const complete = (session: { id: string }) => moves.completed(session, () => completed.push(session.id));
  return { moves, completed, complete };
}

describe('a participant that has moved', () => {
  it('is found where it is, by its own name and by the session that it came from', () => {
    const { moves } = table();
    moves.moved('p1', first, second);
    expect(moves.placeOf('p1')).toBe(second);
    expect(moves.heirOf('first')).toBe(second);
    moves.moved('p1', second, third);
    expect(moves.placeOf('p1')).toBe(third);
    expect(moves.heirOf('first')).toBe(third);
    expect(moves.heirOf('second')).toBe(third);
    expect(moves.placeOf('p2')).toBeUndefined();
    expect(moves.placeOf(undefined)).toBeUndefined();
    expect(moves.heirOf('third')).toBeUndefined();
  });

  it('leaves, and every session that it was in is completed then, once', () => {
    const { moves, completed, complete } = table();
    moves.moved('p1', first, second);
    complete(first);
    moves.moved('p1', second, third);
    complete(second);
    moves.left('p1', second);
    expect(completed).toEqual([]);
    moves.left('p1', third);
    expect(completed).toEqual(['first', 'second']);
    moves.left('p1', third);
    expect(completed).toHaveLength(2);
    expect(moves.heirOf('first')).toBeUndefined();
  });

  it('is the last of several, or its session is over after it has left', () => {
    const { moves, completed, complete } = table();
    moves.moved('p1', first, second);
    moves.moved('p2', first, third);
    expect(moves.heirOf('first')).toBe(third);
    moves.left('p2', third);
    expect(moves.heirOf('first')).toBe(second);
    complete(first);
    expect(completed).toEqual([]);
    moves.left('p1', second);
    expect(completed).toEqual(['first']);
    complete(second);
    expect(completed).toEqual(['first', 'second']);
  });

  it('that comes back holds up nothing', () => {
    const { moves, completed, complete } = table();
    moves.moved('p1', first, second);
    moves.moved('p1', second, first);
    expect(moves.placeOf('p1')).toBe(first);
    complete(second);
    moves.left('p1', first);
    expect(completed).toEqual(['second']);
    complete(first);
    expect(completed).toEqual(['second', 'first']);
  });
});
