import { describe, expect, it } from 'vitest';
import { Destination, type Item } from '#appliance/delivery/outbox/destination.ts';
import { type OutboxRow, YIELDING_PREFIX } from '#appliance/delivery/outbox/row.ts';

const item = (seq: number, row: Partial<OutboxRow> = {}): Item => ({
  row: { seq, type: 'newAlarmbridgeEvent', body: '{}', ...row } as OutboxRow,
  refusals: 0,
});
const seqs = (items: readonly Item[]) => items.map(({ row }) => row.seq);

describe('the records of one key', () => {
  it('stand in the order of their numbers, whenever they come', () => {
    const queue = new Destination('app').queue('device');
    for (const seq of [5, 2, 9, 7]) queue.insert(item(seq));
    expect(seqs(queue.items)).toEqual([2, 5, 7, 9]);
  });

  it('never overtake the one that is being delivered', () => {
    const queue = new Destination('app').queue('device');
    queue.insert(item(5));
    queue.isInFlight = true;
    queue.insert(item(2));
    queue.insert(item(3));
    expect(seqs(queue.items)).toEqual([5, 2, 3]);
  });

  it('are one queue for each key', () => {
    const destination = new Destination('app');
    expect(destination.queue('a')).toBe(destination.queue('a'));
    expect(destination.queue('a')).not.toBe(destination.queue('b'));
  });
});

describe('queues that are ready', () => {
  const ready = (destination: Destination, key: string, row: Partial<OutboxRow> = {}) => {
    const queue = destination.queue(key);
    queue.insert(item(1, row));
    destination.ready.add(queue);
    return queue;
  };
  const STRANGER = { body: `${YIELDING_PREFIX}"a":1}` };

  it('are taken in the order in which they became ready, known devices first', () => {
    const destination = new Destination('app');
    const stranger = ready(destination, 'stranger', STRANGER);
    const [first, second] = [ready(destination, 'first'), ready(destination, 'second')];
    expect([1, 2, 3].map(() => destination.takeReady(8))).toEqual([first, second, stranger]);
    expect(destination.takeReady(8)).toBeUndefined();
  });

  it('alarms that any sender can cause are queued behind others, too', () => {
    const destination = new Destination('app');
    const refused = ready(destination, 'refused', { type: 'authError' });
    const known = ready(destination, 'known');
    expect([destination.takeReady(8), destination.takeReady(8)]).toEqual([known, refused]);
  });

  it.each([
    [8, 1, true],
    [8, 2, false],
    // One place is left for them however few there are.
    [1, 0, true],
    [1, 1, false],
  ])('%i places, %i of them with low priority, let a further one pass: %s', (most, ofLowPriority, may) => {
    const destination = new Destination('app');
    ready(destination, 'stranger', STRANGER);
    destination.yielding = ofLowPriority;
    expect(destination.takeReady(most) !== undefined).toBe(may);
  });

  it('a queue whose first record is another one by now changes its place', () => {
    const destination = new Destination('app');
    const queue = ready(destination, 'unit', STRANGER);
    const other = ready(destination, 'other', STRANGER);
    queue.items.splice(0, 1, item(2));
    destination.ready.add(queue);
    expect([destination.ready.size, destination.takeReady(8), destination.takeReady(8)]).toEqual([
      2,
      queue,
      other,
    ]);
  });
});

it('a destination without records, attempts and faults may be forgotten', () => {
  const destination = new Destination('app');
  expect(destination.idle).toBe(true);
  destination.inFlight = 1;
  expect(destination.idle).toBe(false);
  destination.inFlight = 0;
  destination.queue('a');
  expect(destination.idle).toBe(false);
});
