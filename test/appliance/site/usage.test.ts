import { describe, expect, it } from 'vitest';
import { UsageCounter, type Use, usageOf } from '#appliance/site/index.ts';
import { usageDataSchema } from '#shared/contract/feed/index.ts';

const HOUR = 3_600_000;
/** A full hour. */
const T = 490_000 * HOUR;
const ALARM = { of: 'alarm', protocol: 'scaip', result: 'handled' } as const;

function counter() {
  const made = new UsageCounter();
  let ids = 0;
  return Object.assign(made, {
    use: (use: Use, atMs: number) => made.add(use, atMs, () => `span-${++ids}`),
    told: made.onStored.bind(made),
  });
}

const spans = (from: UsageCounter) => from.ended.map(usageOf);

describe('counted usage', () => {
  it('by kind, protocol and result, from the first use until the full hour', () => {
    const usage = counter();
    usage.use(ALARM, T + 5);
    usage.use({ of: 'callSecond', n: 90 }, T + 10);
    usage.use({ ...ALARM, result: 'failed' }, T + 20);
    usage.use(ALARM, T + HOUR - 1);
    expect(usage.endsMs).toBe(T + HOUR);
    usage.look(T + HOUR - 1);
    expect(usage.ended).toEqual([]);
    usage.look(T + HOUR);
    expect(spans(usage)).toHaveLength(1);
    const [span] = spans(usage);
    expect(span).toMatchObject({ from: T + 5, to: T + HOUR });
    expect(usageDataSchema.parse(span)).toEqual(span);
    expect(span?.counts).toHaveLength(3);
    expect(span?.counts).toEqual(
      expect.arrayContaining([
        { ...ALARM, n: 2 },
        { ...ALARM, result: 'failed', n: 1 },
        { of: 'callSecond', protocol: '', result: '', n: 90 },
      ]),
    );
  });

  it('a use after the hour begins the next span, and nothing is said of an hour without use', () => {
    const usage = counter();
    usage.use(ALARM, T);
    usage.use(ALARM, T + 3 * HOUR + 7);
    usage.look(T + 9 * HOUR);
    usage.look(T + 10 * HOUR);
    expect(spans(usage).map(({ from, to }) => [from, to])).toEqual([
      [T, T + HOUR],
      [T + 3 * HOUR + 7, T + 4 * HOUR],
    ]);
    expect(usage.endsMs).toBeUndefined();
  });

  it('a clock that was set back ends the span, so that none reaches into another hour', () => {
    const usage = counter();
    usage.use(ALARM, T + 10);
    usage.use(ALARM, T - 2 * HOUR);
    expect(spans(usage)).toMatchObject([{ from: T + 10, to: T + 10, counts: [{ n: 1 }] }]);
    expect(usage.endsMs).toBe(T - HOUR);
  });

  it('the end of service ends the span at once, and none where none runs', () => {
    const usage = counter();
    usage.end(T);
    expect(usage.ended).toEqual([]);
    usage.use(ALARM, T + 10);
    usage.end(T + 20);
    usage.use(ALARM, T + 30);
    usage.end(T + 5);
    usage.use(ALARM, T + HOUR - 1);
    usage.end(T + 2 * HOUR);
    expect(spans(usage).map(({ from, to }) => [from, to])).toEqual([
      [T + 10, T + 20],
      [T + 30, T + 30],
      [T + HOUR - 1, T + HOUR],
    ]);
  });

  it('is held to the day when there is no taker, the oldest goes first', () => {
    const usage = counter();
    for (let hour = 0; hour < 30; hour++) usage.use({ of: 'recording', n: hour }, T + hour * HOUR);
    usage.look(T + 30 * HOUR);
    expect(spans(usage).map(({ counts }) => counts[0]?.n)).toEqual(
      Array.from({ length: 24 }, (_, n) => n + 6),
    );
  });
});

describe('the next life', () => {
  it('goes on where this one was, span and sums', () => {
    const before = counter();
    before.use(ALARM, T);
    before.use(ALARM, T + HOUR);
    const after = counter();
    after.restore(before.kept, () => false);
    after.use(ALARM, T + HOUR + 5);
    after.look(T + 2 * HOUR);
    expect(after.ended.map(({ id }) => id)).toEqual(['span-1', 'span-2']);
    expect(spans(after).map(({ counts }) => counts[0]?.n)).toEqual([1, 2]);
  });

  it('does not report again what is on the disk as an event', () => {
    const before = counter();
    before.use(ALARM, T);
    const after = new UsageCounter();
    after.restore(before.kept, (id) => id === 'span-1');
    after.look(T + HOUR);
    expect(after.ended).toEqual([]);
    // The file still holds it.
    expect(after.isDirty).toBe(true);
    expect(after.kept).toBe('[]');
  });

  it.each(['', '{', '[{"id":1}]', '{"a":1}', '[null]', '[{"id":"a","from":-1,"counts":[]}]'])(
    'is not hurt by %j',
    (text) => {
      const usage = new UsageCounter();
      usage.restore(text, () => false);
      expect(usage.kept).toBe('[]');
    },
  );
});
