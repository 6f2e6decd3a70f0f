import { describe, expect, it } from 'vitest';
import { eventTime } from '#cloud/monitoring/uplink/event-time.ts';
import { type BatchClock, type EventItem, eventBatchSchema } from '#shared/contract/feed/index.ts';

const RX = 1_800_000_000_000;
const MINUTE = 60_000;

type Item = Pick<EventItem, 'ts' | 'mono' | 'boot' | 'origin'>;
const item = (more: Partial<Item> = {}): Item => ({ ts: 40_000, mono: 40_000, boot: 7, ...more });
const clk = (more: Partial<BatchClock> = {}): BatchClock => ({
  boot: 7,
  mono: 10 * MINUTE,
  from: 20_000,
  sync: false,
  pairs: [],
  ...more,
});
const pair = { boot: 7, from: 20_000, mono: 5 * MINUTE, ts: RX - 5 * MINUTE };

/** Time given to an event of second 40 of its boot, with a clock in 1970. */
const CASES: readonly (readonly [string, Item, BatchClock | undefined, number, boolean])[] = [
  ['the clock still has no source: by the time that passed', item(), clk(), RX - 10 * MINUTE + 40_000, true],
  [
    'the clock was set since: by the next right moment of the boot',
    item(),
    clk({ sync: true, pairs: [pair] }),
    RX - 10 * MINUTE + 40_000,
    true,
  ],
  [
    'the machine was started again since: by the right moment of the boot it is of',
    item(),
    clk({ boot: 8, mono: 1_000, from: 900, sync: true, pairs: [pair] }),
    RX - 10 * MINUTE + 40_000,
    true,
  ],
  ['its boot never had the right time', item(), clk({ boot: 8, sync: true }), 40_000, true],
  [
    'after the right moment the host is believed',
    item({ ts: RX - MINUTE, mono: 9 * MINUTE }),
    clk({ sync: true, pairs: [pair] }),
    RX - MINUTE,
    false,
  ],
  [
    'a clock that was right before its source was seen keeps its time',
    item({ ts: RX - 10 * MINUTE + 41_000 }),
    clk({ sync: true, pairs: [pair] }),
    RX - 10 * MINUTE + 41_000,
    false,
  ],
  ['the state of the clock is unknown', item({ ts: RX - 5 }), clk({ sync: undefined }), RX - 5, false],
  ['an older host says nothing of its clock', item({ ts: RX - 5 }), undefined, RX - 5, false],
  [
    'counted by an older program from its own start',
    item({ ts: RX - MINUTE, mono: 19_000 }),
    clk({ sync: true, pairs: [pair] }),
    RX - MINUTE,
    false,
  ],
  [
    'a clock that is far ahead, and says nothing of itself',
    item({ ts: RX + 11 * MINUTE }),
    undefined,
    RX,
    true,
  ],
  ['or says that it is right', item({ ts: 2 ** 53 - 1, mono: 9 * MINUTE }), clk({ sync: true }), RX, true],
  ['a little ahead is how clocks differ', item({ ts: RX + 9 * MINUTE }), undefined, RX + 9 * MINUTE, false],
  [
    'taken over from another host',
    item({ ts: RX - 5, origin: { uid: '01jc7z5t3k9q8w6m4n2p0r1s5v', boot: 7, seq: 1 } }),
    clk(),
    RX - 5,
    false,
  ],
];

describe('when an event happened', () => {
  it.each(CASES)('%s', (_, event, clock, at, estimated) => {
    expect(eventTime(event, clock, RX)).toEqual({ at, estimated });
  });

  it('an older host sends no clock, and is understood', () => {
    const events = {
      v: 1,
      sid: '01jc7z5t3k9q8w6m4n2p0r1s50',
      items: [
        { seq: 1, prev: 0, id: '01jc7z5t3k9q8w6m4n2p0r1s51', type: 'x', ts: 1, mono: 1, boot: 1, epoch: 0 },
      ],
    };
    expect(eventBatchSchema.parse(events).clk).toBeUndefined();
    expect(eventBatchSchema.parse({ ...events, clk: { boot: 7, mono: 5 } }).clk).toEqual({
      boot: 7,
      mono: 5,
      from: 0,
      pairs: [],
    });
  });
});
