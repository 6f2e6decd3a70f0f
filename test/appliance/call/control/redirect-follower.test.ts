import { beforeEach, describe, expect, it } from 'vitest';
import type { ActiveCall } from '#appliance/call/control/active-call/active-call.ts';
import { RedirectFollower } from '#appliance/call/control/dialling/redirect-follower.ts';
import type { CallTarget } from '#appliance/call/control/index.ts';
import { parseMessage, type SipResponse, writeResponse } from '#appliance/sip/message/index.ts';

const targetAt = (uri: string, more: Partial<CallTarget> = {}): CallTarget =>
  ({ uri, to: uri, routes: [], trusted: false, ...more }) as CallTarget;

function answer(status: number, contact?: string): SipResponse {
  const headers: [string, string][] = [
    ['Via', 'SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK1'],
    ['From', '<sip:a@care.example>;tag=1'],
    ['To', '<sip:b@care.example>;tag=2'],
    ['Call-ID', 'c'],
    ['CSeq', '1 INVITE'],
    ...(contact === undefined ? [] : [['Contact', contact] as [string, string]]),
  ];
  const read = parseMessage(writeResponse({ status, reason: 'Moved', headers, body: Buffer.alloc(0) }));
  if (!read.ok || read.value.kind !== 'response') throw new Error('no response');
  return read.value;
}

let notes: string[];
let call: ActiveCall;
let follower: RedirectFollower;
/** Addresses that the peer may name; a name of a device leads to two contacts of it. */
const KNOWN: Readonly<Record<string, readonly CallTarget[]>> = {
  'sip:one@x.example': [targetAt('sip:one@x.example')],
  'sip:two@x.example': [targetAt('sip:two@x.example')],
  'sip:three@x.example': [targetAt('sip:three@x.example')],
  'sip:device@care.example': [
    targetAt('sip:device@192.0.2.1', { deviceId: 'device' }),
    targetAt('sip:device@192.0.2.2', { deviceId: 'device' }),
  ],
};

beforeEach(() => {
  notes = [];
  const trace = { add: (_kind: string, { text }: { readonly text: string }) => notes.push(text) };
  call = { trace, origin: { hidden: false } } as unknown as ActiveCall;
  follower = new RedirectFollower({
    groups: (_call: unknown, _leg: unknown, uri: string) => (KNOWN[uri] === undefined ? [] : [KNOWN[uri]]),
  } as never);
});

const follows = (status: number, contact?: string, target = targetAt('sip:b@care.example')) =>
  follower.groups(call, { name: 'leg' } as never, target, answer(status, contact));
const uris = (groups: readonly (readonly CallTarget[])[]) =>
  groups.map((group) => group.map(({ uri }) => uri.replace('sip:', '').replace('@x.example', '')));

describe('an answer that names others', () => {
  it.each([
    [300, '<sip:one@x.example>', [['one']]],
    [301, '<sip:one@x.example>', [['one']]],
    [302, '<sip:one@x.example>', [['one']]],
    [302, undefined, []],
    [302, '<sip:unknown@x.example>', []],
    [302, '<sip:one@x.example?X-Evil=1>', [['one']]],
    [302, '<sip:one@x.example;method=REGISTER>', []],
    [302, '<sip:one@x.example>;q=0.1, <sip:two@x.example>;q=0.9', [['two'], ['one']]],
    [302, '<sip:one@x.example>;q=0.5, <sip:two@x.example>;q=0.5', [['one', 'two']]],
    [302, '<sip:one@x.example>;q=wrong, <sip:two@x.example>;q=0.9', [['one'], ['two']]],
    [302, '<sip:device@care.example>', [['device@192.0.2.1', 'device@192.0.2.2']]],
    [380, '<sip:one@x.example>', []],
    [404, '<sip:one@x.example>', []],
    [486, '<sip:one@x.example>', []],
  ] as const)('%i %s leads to %j', (status, contact, expected) => {
    expect(uris(follows(status, contact))).toEqual(expected);
  });

  it('leads to each callee once in a call, by name and by address', () => {
    follower.dialled(call, targetAt('sip:two@x.example'));
    expect(uris(follows(302, '<sip:one@x.example>, <sip:two@x.example>'))).toEqual([['one']]);
    expect(follows(302, '<sip:one@x.example>')).toEqual([]);
    expect(notes.at(-1)).toContain('was called before');
  });

  it('is followed five times', () => {
    for (const uri of ['one', 'two', 'three'])
      expect(uris(follows(302, `<sip:${uri}@x.example>`))).toEqual([[uri]]);
    // Two proxies more, each a hop of its own.
    expect(follows(305, '<sip:one@x.example>')).toHaveLength(1);
    expect(follows(305, '<sip:two@x.example>')).toHaveLength(1);
    expect(follows(305, '<sip:three@x.example>')).toEqual([]);
    expect(notes.at(-1)).toContain('5 times');
  });

  it.each([
    [300, 'unknown'],
    [301, 'unconditional'],
    [302, 'deflection'],
  ])('%i reports to the next callee who was called before, and why (%s)', (status, reason) => {
    expect(follows(status, '<sip:one@x.example>')[0]?.[0]?.headers).toEqual([
      ['Diversion', `<sip:b@care.example>;reason=${reason}`],
    ]);
  });

  it('reports a hidden call to trunks alone', () => {
    call = { ...call, origin: { hidden: true } } as ActiveCall;
    expect(follows(302, '<sip:one@x.example>')[0]?.[0]?.headers).toEqual([]);
    const trunk = targetAt('sip:b@carrier.example', { trusted: true });
    expect(follows(302, '<sip:two@x.example>', trunk)[0]?.[0]?.headers).toHaveLength(1);
  });
});

describe('305', () => {
  it('calls the same callee by the proxy, as a loose router', () => {
    const [[by] = []] = follows(305, '<sip:one@x.example>');
    expect(by).toMatchObject({
      uri: 'sip:b@care.example',
      routes: ['<sip:one@x.example;lr>'],
      follows: true,
    });
    expect(follows(305, '<sip:one@x.example>')).toEqual([]);
  });

  it.each(['<sip:device@care.example>', '<sip:unknown@x.example>'])('never by %s', (contact) => {
    expect(follows(305, contact)).toEqual([]);
    expect(notes.at(-1)).toContain('no proxy');
  });
});
