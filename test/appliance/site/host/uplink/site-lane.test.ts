import { beforeEach, expect, it } from 'vitest';
import type { OutboxRow } from '#appliance/delivery/outbox/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { oneShots } from '#appliance/kernel/one-shot.ts';
import type { SitePorts } from '#appliance/site/host/site-port.ts';
import { SiteLanes } from '#appliance/site/host/uplink/site-lane.ts';
import type { Lane } from '#shared/contract/feed/index.ts';
import { Listeners } from '#shared/listeners.ts';

const SECOND = 1_000;
const TENTH = 100;

let nowMs: number;
let wheel: EngineTimers;
let written: Listeners<[]>;
/** Rows of lane `alarm`. */
let rows: OutboxRow[];
let reads: number;
let sent: string[];
beforeEach(() => {
  nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  wheel = new EngineTimers({ clock }, (cause) => {
    throw cause;
  });
  written = new Listeners();
  rows = [];
  reads = 0;
  sent = [];
});

function lanes(journalSays: boolean): SiteLanes {
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  return new SiteLanes(
    {
      clock,
      startTimer: oneShots({ clock, timers: wheel }),
      run: () => undefined,
      journal: {
        boot: 1,
        pending: (_: string, lane: Lane, afterSeq: number) => {
          reads++;
          return lane === 'alarm' ? rows.filter(({ seq }) => seq > afterSeq) : [];
        },
        acknowledge: async () => undefined,
      },
      ...(journalSays && { written }),
    } as unknown as SitePorts,
    (lane, { items }) => sent.push(`${lane} ${items.map(({ seq }) => seq).join()}`),
  );
}

const row = (seq: number): OutboxRow =>
  ({
    id: `r${seq}`,
    seq,
    lane: 'alarm',
    type: 'alarm',
    body: '{}',
    boot: 1,
    createdMono: 0,
    createdWall: 0,
  }) as OutboxRow;

/** Time passes; how often the journal was read meanwhile. */
function pass(ms: number): number {
  const before = reads;
  for (const endMs = nowMs + ms; nowMs < endMs; ) {
    nowMs = Math.min(endMs, wheel.nextDueMs ?? endMs);
    wheel.advance(nowMs);
    if (wheel.nextDueMs !== undefined && wheel.nextDueMs <= nowMs) break;
    if (wheel.nextDueMs === undefined) nowMs = endMs;
  }
  return reads - before;
}

it('reads nothing while the journal writes nothing, for a minute', () => {
  lanes(true).opened();
  expect(pass(59 * SECOND)).toBe(0);
  expect(pass(2 * SECOND)).toBeGreaterThan(0);
});

it('looks within a second once the journal has written, and once for all that comes in this second', () => {
  lanes(true).opened();
  pass(10 * SECOND);
  for (let commits = 0; commits < 50; commits++) written.emit();
  // The lane of alarms has looked by then.
  expect(pass(SECOND - 1)).toBe(1);
  // One read for each of the four lanes.
  expect(pass(1)).toBe(4);
  expect(sent).toEqual([]);
});

it('sends an alarm within a tenth of a second, and once for all that comes in it', () => {
  lanes(true).opened();
  pass(10 * SECOND);
  rows = [row(1), row(2)];
  for (let commits = 0; commits < 50; commits++) written.emit();
  pass(TENTH - 1);
  expect(sent).toEqual([]);
  expect(pass(1)).toBe(1);
  expect(sent).toEqual(['alarm 1,2']);
});

it('looks at a closed line at nothing, and at everything when it opens', () => {
  const agent = lanes(true);
  rows = [row(1)];
  written.emit();
  expect(pass(5 * SECOND)).toBe(0);
  agent.opened();
  expect(sent).toEqual(['alarm 1']);
  agent.lost();
  written.emit();
  expect(pass(120 * SECOND)).toBe(0);
});

it('looks each second where the journal says nothing', () => {
  lanes(false).opened();
  expect(pass(10 * SECOND)).toBe(40);
});
