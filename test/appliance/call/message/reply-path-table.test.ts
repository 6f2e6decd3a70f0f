import { describe, expect, it } from 'vitest';
import { type MessageReplyPath, ReplyPathTable } from '#appliance/call/message/reply-path-table.ts';

const KEPT_MS = 30 * 60_000;
const path = (
  remoteAddress: string,
  atMs: number,
  more: Partial<MessageReplyPath> = {},
): MessageReplyPath => ({
  flow: { remoteAddress, connection: 0 } as never,
  device: 'sip:unit@care.example',
  ports: [],
  proven: false,
  sinceMs: atMs,
  us: 'sip:alarm@care.example',
  atMs,
  ...more,
});
const addresses = (table: ReplyPathTable, nowMs: number) =>
  table.named('unit', nowMs).map(({ flow }) => flow.remoteAddress);

describe('the reply paths of messages', () => {
  it('are found by their key for half an hour; the newest one counts', () => {
    const table = new ReplyPathTable();
    table.keep('key', 'unit', path('a', 0));
    table.keep('key', 'unit', path('b', 10));
    expect(table.find('key', 10)?.flow.remoteAddress).toBe('b');
    expect(table.find('key', 10 + KEPT_MS - 1)).toBeDefined();
    expect([table.find('key', 10 + KEPT_MS), table.find('other', 10)]).toEqual([undefined, undefined]);
  });

  it('are one for each address of a name: who was there first stands in front, a proven one before that', () => {
    const table = new ReplyPathTable();
    table.keep('1', 'unit', path('a', 0));
    table.keep('2', 'unit', path('stranger', 1));
    table.keep('3', 'unit', path('a', 2));
    expect(addresses(table, 3)).toEqual(['a', 'stranger']);
    expect(table.named('unit', 3)[0]).toMatchObject({ sinceMs: 0, atMs: 2 });
    table.keep('4', 'unit', path('proven', 4, { proven: true }));
    expect(addresses(table, 5)).toEqual(['proven', 'a', 'stranger']);
  });

  it('are four of a name: a flood of addresses drives out neither the first nor a proven one', () => {
    const table = new ReplyPathTable();
    table.keep('1', 'unit', path('a', 0));
    for (const name of ['b', 'c', 'd', 'e', 'f']) table.keep(name, 'unit', path(name, 1));
    expect(addresses(table, 2)).toEqual(['a', 'b', 'c', 'd']);
    table.keep('7', 'unit', path('proven', 3, { proven: true }));
    expect(addresses(table, 4)).toEqual(['proven', 'a', 'b', 'c']);
  });

  it('are forgotten after a gap: the address starts empty again', () => {
    const table = new ReplyPathTable();
    table.keep('1', 'unit', path('a', 0));
    table.keep('2', 'unit', path('a', KEPT_MS));
    expect(table.named('unit', KEPT_MS)).toMatchObject([{ sinceMs: KEPT_MS }]);
    expect(table.named('unit', 2 * KEPT_MS)).toEqual([]);
  });

  it('end with their connection, and no other does', () => {
    const table = new ReplyPathTable();
    table.keep('1', 'unit', path('a', 0, { flow: { remoteAddress: 'a', connection: 1 } as never }));
    table.keep('2', 'unit', path('b', 0, { flow: { remoteAddress: 'b', connection: 2 } as never }));
    table.closed(1);
    expect([table.find('1', 1), addresses(table, 1)]).toEqual([undefined, ['b']]);
    table.closed(2);
    expect([table.find('2', 1), addresses(table, 1)]).toEqual([undefined, []]);
  });
});
