import { describe, expect, it } from 'vitest';
import { World } from './random-world.ts';

describe('a session whose world does anything at any time', () => {
  it('keeps a leg for everybody, ends once, and loses no digit', () => {
    let ended = 0;
    for (let seed = 1; seed <= 1_500; seed++) {
      const world = new World(seed).begin();
      for (let turn = 0; turn < 120 && !world.session.ended; turn++) world.walk();
      if (!world.session.ended) world.hangUp();
      expect(world.session.ended, `seed ${seed}`).toBe(true);
      expect(world.completed).toBe(1);
      expect(world.expected.length + world.cleared, `seed ${seed}`).toBe(world.pressed.length);
      ended++;
    }
    expect(ended).toBe(1_500);
  });
});
