import { expect, it } from 'vitest';
import { Listeners } from '#shared/listeners.ts';

it('every listener hears every event, in the order in which they subscribed', () => {
  const event = new Listeners<[name: string, count: number]>();
  const received: string[] = [];
  event.emit('nobody listens', 0);
  event.add((name, count) => received.push(`first ${name} ${count}`));
  event.add((name) => received.push(`second ${name}`));
  event.emit('one', 1);
  event.emit('two', 2);
  expect(received).toEqual(['first one 1', 'second one', 'first two 2', 'second two']);
});
