import { describe, expect, it } from 'vitest';
import { Backlog, type BacklogLimits } from '#appliance/io/sip-transport/datagram/backlog.ts';

const message = ({ callId = 'a', turn = 1, body = '<mrq/>', name = 'Call-ID' } = {}): string =>
  `MESSAGE sip:scaip@care.example SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bK${turn}\r\n` +
  `${name}: ${callId}\r\nCSeq: ${turn} MESSAGE\r\n\r\n${body}`;

/** Adds these, `[remote, text]` each, and takes all out again. */
function through(datagrams: readonly (readonly [string, string])[], limits?: BacklogLimits) {
  const backlog = new Backlog<string>(limits);
  const kept = datagrams.map(([remote, text]) => backlog.add(remote, { remote, bytes: Buffer.from(text) }));
  const out: (readonly [string, string])[] = [];
  for (let next = backlog.next(); next !== undefined; next = backlog.next())
    out.push([next.remote, next.bytes.toString()]);
  expect(backlog.size).toBe(0);
  return { kept, out };
}

describe('datagrams that wait', () => {
  it('come out in the order of their coming', () => {
    const all = ['OPTIONS a', 'INVITE b', 'SIP/2.0 200 OK'].map((text) => ['x', text] as const);
    expect(through(all).out).toEqual(all);
  });

  it.each([
    ['a retransmission', message(), message()],
    ['a new transaction of the same message', message({ turn: 1 }), message({ turn: 2 })],
    ['the same with the short name of Call-ID', message({ name: 'i' }), message({ name: 'i', turn: 2 })],
  ])('%s takes the place of the earlier one', (_, earlier, later) => {
    const between = ['x', 'OPTIONS'] as const;
    expect(through([['x', earlier], between, ['x', later]]).out).toEqual([['x', later], between]);
  });

  it.each([
    ['another body', message(), message({ body: '<mrq>2</mrq>' })],
    ['another Call-ID', message(), message({ callId: 'b' })],
    [
      'another request of one call',
      'INVITE sip:a SIP/2.0\r\nCall-ID: a\r\n\r\n',
      'BYE sip:a SIP/2.0\r\nCall-ID: a\r\n\r\n',
    ],
    [
      'a MESSAGE without Call-ID, by another transaction',
      message({ name: 'X' }),
      message({ name: 'X', turn: 2 }),
    ],
  ])('%s supersedes nothing', (_, first, second) => {
    const all = [first, second].map((text) => ['x', text] as const);
    expect(through(all).out).toEqual(all);
  });

  it('those of another remote supersede nothing', () => {
    const all = ['x', 'y'].map((remote) => [remote, message()] as const);
    expect(through(all).out).toEqual(all);
  });

  it('are bounded by number, and a repeat of one that waits still finds room', () => {
    const all = [message(), message({ callId: 'b' }), message({ callId: 'c' }), message({ turn: 2 })];
    const { kept, out } = through(
      all.map((text) => ['x', text] as const),
      { datagrams: 2, bytes: 10_000 },
    );
    expect(kept).toEqual([true, true, false, true]);
    expect(out.map(([, text]) => text)).toEqual([message({ turn: 2 }), message({ callId: 'b' })]);
  });

  it('are bounded by their bytes, which come back with them', () => {
    const backlog = new Backlog<string>({ datagrams: 10, bytes: 10 });
    const add = (text: string) => backlog.add('x', { remote: 'x', bytes: Buffer.from(text) });
    expect([add('123456'), add('12345'), add('1234')]).toEqual([true, false, true]);
    backlog.next();
    expect(add('abcdef')).toBe(true);
    backlog.clear();
    expect([backlog.size, add('1234567890')]).toEqual([0, true]);
  });
});
