import { expect, it } from 'vitest';
import type { OutboxRow, PeerRow } from '#appliance/delivery/outbox/index.ts';
import { adoptionOf, heldOfOurs, stateOfRows } from '#appliance/site/host/peer/site-adoption.ts';

const ORIGIN = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const BORN_THERE = JSON.stringify({ uid: ORIGIN, boot: 1, seq: 7 });

/** The answer of this host about row `x` of another one, which made it at 1,000. */
function said(own: Partial<OutboxRow> | undefined, held?: Partial<PeerRow>, twin?: Partial<OutboxRow>) {
  const rows: Record<string, unknown> = { x: own, twin };
  const journal = {
    outboxRow: (id: string) => rows[id] as OutboxRow | undefined,
    peerRow: () => held as PeerRow | undefined,
  };
  const twinOf = (_: string, atMs: number) => (twin !== undefined && atMs === 1_000 ? 'twin' : undefined);
  const isInFlight = () => false;
  return stateOfRows({ journal, isInFlight, twinOf }, ORIGIN, [{ id: 'x', madeAt: 1_000 }]);
}

it.each([
  ['nothing is known of it', undefined, undefined, undefined, { lacking: ['x'] }],
  ['it is held', undefined, { done: false }, undefined, {}],
  ['the other host said that it was delivered', undefined, { done: true }, undefined, { done: ['x'] }],
  ['we delivered it', { state: 'done' }, undefined, undefined, { done: ['x'] }],
  [
    'it waits here',
    { state: 'new', origin: BORN_THERE },
    undefined,
    undefined,
    { lacking: ['x'], giveBack: ['x'] },
  ],
  ['it waits here, and was born here', { state: 'new' }, undefined, undefined, {}],
  ['the device sent it to us too, under another id', undefined, undefined, { state: 'new' }, { done: ['x'] }],
  ['so, and it is held', undefined, { done: false }, { state: 'done' }, { done: ['x'] }],
] as const)('a row of another host when %s', (_, own, held, twin, expected) => {
  expect(said(own, held, twin)).toEqual({ done: [], lacking: [], giveBack: [], ...expected });
});

it.each([
  ['the device has sent it to us too, under another id', 'ours', []],
  ['only the lost host got it', undefined, ['theirs']],
])('a row of a lost host is delivered once when %s', (_, twin, delivered) => {
  const row = { id: 'theirs', createdWall: 1_000, boot: 1, seq: 7 } as OutboxRow;
  const held: PeerRow = { kind: 'outbox', id: 'theirs', done: false, body: JSON.stringify(row) };
  const adoption = adoptionOf(
    {
      clock: { wallMs: () => 5_000, monoMs: () => 5_000 },
      journal: {
        boot: 2,
        nextSeq: () => 8,
        peerRows: () => [held],
        outboxRow: (id) => (id === twin ? ({ ...row, id } as OutboxRow) : undefined),
        session: () => undefined,
        events: () => [],
        openSessions: () => [],
        dedupeAnswers: () => [],
      },
      running: () => new Set(),
      isInFlight: () => false,
      deadline: () => 9,
      twinOf: (id, atMs) => (id === 'theirs' && atMs === 1_000 ? twin : undefined),
    },
    ORIGIN,
    'all',
    new Set(),
  );
  expect((adoption?.rows ?? []).map(({ id }) => id)).toEqual(delivered);
});

const HOUR_MS = 3_600_000;

it.each([
  ['delivered', { state: 'done' }, 1_000, undefined, { over: ['x'] }],
  ['given up', { state: 'dead' }, 1_000, undefined, { over: ['x'] }],
  ['waiting', { state: 'new' }, 1_000, undefined, {}],
  ['one that we never wrote', undefined, 1_000, undefined, { unknown: ['x'] }],
  ['one that we may have forgotten since', undefined, -24 * HOUR_MS, undefined, {}],
  ['one without the time when it was made', undefined, undefined, undefined, {}],
  ['one that the device has sent again, under another id', undefined, 1_000, 'twin', { over: ['x'] }],
] as const)('a copy that another host keeps of a row of ours, %s', (_, own, madeAt, twin, expected) => {
  const ports = {
    journal: { outboxRow: () => own as OutboxRow | undefined, peerRow: () => undefined },
    twinOf: () => twin,
    clock: { wallMs: () => 2_000, monoMs: () => 2_000 },
  };
  expect(heldOfOurs(ports, [{ id: 'x', madeAt }])).toEqual({ over: [], unknown: [], ...expected });
});

it.each([
  ['before our journal was damaged', -24 * HOUR_MS, { unknown: ['x'] }],
  ['after that', -12 * HOUR_MS, {}],
] as const)('a copy of an old row that was made %s, and that is not here', (_, madeAt, expected) => {
  const ports = {
    journal: {
      outboxRow: () => undefined,
      peerRow: () => undefined,
      salvagedMs: () => -20 * HOUR_MS,
    },
    twinOf: () => undefined,
    clock: { wallMs: () => 24 * HOUR_MS, monoMs: () => 2_000 },
  };
  expect(heldOfOurs(ports, [{ id: 'x', madeAt }])).toEqual({ over: [], unknown: [], ...expected });
});

it('only the rows that a living host never wrote, and their alarms, are taken over', () => {
  const held = ['a', 'b'].flatMap((id): PeerRow[] => [
    { kind: 'session', id: `session-${id}`, done: false, body: JSON.stringify({ id: `session-${id}` }) },
    {
      ...{ kind: 'outbox', id, done: false },
      body: JSON.stringify({ id, orderKey: `session-${id}`, boot: 1, seq: 7, createdWall: 1 }),
    },
  ]);
  const ports = {
    ...{ clock: { wallMs: () => 5_000, monoMs: () => 5_000 }, running: () => new Set<string>() },
    ...{ isInFlight: () => false, deadline: () => 9, twinOf: () => undefined },
    journal: {
      ...{ boot: 2, nextSeq: () => 8, peerRows: () => held, outboxRow: () => undefined },
      ...{ session: () => undefined, events: () => [], openSessions: () => [], dedupeAnswers: () => [] },
    },
  };
  const adoption = adoptionOf(ports, ORIGIN, new Set(['b']), new Set());
  expect(adoption?.rows.map(({ id }) => id)).toEqual(['b']);
  expect([...(adoption?.sessions ?? [])]).toEqual(['session-b']);
});
