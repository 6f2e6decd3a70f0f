import { describe, expect, it } from 'vitest';
import type { ActiveCall } from '#appliance/call/control/active-call/active-call.ts';
import { PRESENCE } from '#appliance/call/control/active-call/presence-request.ts';
import type { LegTable } from '#appliance/call/control/leg/leg-table.ts';
import type { SipLeg } from '#appliance/call/control/leg/sip-leg.ts';
import { InDialogRequests } from '#appliance/call/control/transfer/in-dialog-requests.ts';
import { ReferSubscriptions } from '#appliance/call/control/transfer/refer-subscriptions.ts';
import { type CallInput, type CallSession, initial } from '#appliance/call/session/index.ts';
import type { Media } from '#appliance/media/control/index.ts';
import { dialogKey } from '#appliance/sip/dialog/index.ts';
import { parseMessage, SipRequest } from '#appliance/sip/message/index.ts';

/** A request within a dialog, as it came. */
function request(method: string, fields: readonly string[] = [], body = ''): SipRequest {
  const lines = [
    `${method} sip:us@x SIP/2.0`,
    'Via: SIP/2.0/UDP h;branch=z9hG4bK1',
    'From: <sip:a@x>;tag=1',
    'To: <sip:us@x>;tag=2',
    'Call-ID: c',
    `CSeq: 2 ${method}`,
    ...fields,
    `Content-Length: ${body.length}`,
  ];
  const read = parseMessage(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`));
  if (!read.ok || !(read.value instanceof SipRequest)) throw new Error('no request');
  return read.value;
}

interface Setting {
  readonly allows?: readonly string[];
  readonly session?: Partial<CallSession>;
  /** Session of a second call of the same telephone, whose dialog `REPLACES` names. */
  readonly second?: Partial<CallSession>;
  readonly isKnown?: boolean;
  /** May the other peer be asked to call the target itself? */
  readonly passes?: boolean;
}

/** Legs and calls that write down what they are asked: `a` and `b` talk, `c` and `d` are of the second call. */
function room({ allows = [], session, second, isKnown = true, passes = true }: Setting = {}) {
  const done: string[] = [];
  const legs = new Map<string, SipLeg>();
  for (const name of ['a', 'b', 'c', 'd'])
    legs.set(name, {
      ...{ name, allows, media: { takesTrickle: false }, dialog: { localAddress: '<sip:us@x>' } },
      respond: (_server: number, status: number, headers: readonly (readonly [string, string])[] = []) =>
        done.push([`${name} ${status}`, ...headers.map(([field]) => field)].join(' ')),
      send: (id: string, method: string, _headers: unknown, content?: Uint8Array) =>
        done.push(
          [`${name} ${method} (${id})`, ...(content ? [JSON.stringify(String(content))] : [])].join(' '),
        ),
    } as unknown as SipLeg);

  const callOf = new Map<string, ActiveCall>();
  const call = (name: string, own: readonly string[], state: Partial<CallSession>): void => {
    const mine = new Set(own);
    const it = {
      session: { ...initial(own[0] ?? ''), phase: 'Talking', peer: own[1], ...state },
      trace: { add: () => undefined },
      leg: (one: string) => (mine.has(one) ? legs.get(one) : undefined),
      target: () => undefined,
      remove: (one: string) => (mine.delete(one) ? legs.get(one) : undefined),
      add: ({ name: one }: SipLeg) => mine.add(one),
      named: (groups: readonly (readonly { readonly uri: string; readonly headers?: unknown }[])[]) =>
        groups.map((group) =>
          group.map((one) =>
            one.headers === undefined ? one.uri : `${one.uri} with ${String(one.headers)}`,
          ),
        ),
      input: ({ kind, ...more }: CallInput) =>
        done.push(`${name}: ${[kind, ...Object.values(more)].join(' ')}`),
    } as unknown as ActiveCall;
    for (const one of own) callOf.set(one, it);
  };
  if (isKnown) call('first', ['a', 'b'], session ?? {});
  if (second !== undefined) call('second', ['c', 'd'], second);

  const requests = new InDialogRequests({
    media: {
      sendDigits: async (_leg: string, _play: string, { digits, onMs }: { digits: string; onMs: number }) =>
        done.push(`plays ${digits} for ${onMs} ms`),
    } as unknown as Media,
    run: () => undefined,
    refers: new ReferSubscriptions(),
    legs: {
      byDialog: (key: string) => (key === dialogKey('second', 'ours', 'theirs') ? legs.get('c') : undefined),
    } as unknown as LegTable,
    allow: ['INVITE', 'BYE'],
    callOf: (leg) => callOf.get(leg),
    targets: (_call, _leg, uri) => [[{ uri } as never, { uri: 'sip:device@x', deviceId: 'device' } as never]],
    passes: () => passes,
    nowMs: () => 0,
    moved: (leg) => void done.push(`${leg} moves`),
  });
  const leg = (name: string): SipLeg => {
    const found = legs.get(name);
    if (found === undefined) throw new Error(`no leg ${name}`);
    return found;
  };
  return {
    requests,
    done,
    leg,
    take: (method: string, fields?: readonly string[], body?: string) =>
      requests.take(leg('a'), request(method, fields, body), 7),
  };
}

type Room = ReturnType<typeof room>;

describe('a request within a dialog', () => {
  it.each<[string, string, readonly string[], string, string]>([
    ['asks whether we are there', 'OPTIONS', [], '', 'a 200 Allow Accept Supported'],
    ['asks the same by an empty INFO', 'INFO', [], '', 'a 200'],
    [
      'carries a digit with its length',
      'INFO',
      ['Content-Type: application/dtmf-relay'],
      'Signal=5\r\nDuration=160\r\n',
      'a 200, first: digit a 5 160',
    ],
    ['carries a bare digit', 'INFO', ['Content-Type: application/dtmf'], '#', 'a 200, first: digit a # 0'],
    [
      'carries a digit in a package of another name',
      'INFO',
      ['Content-Type: application/dtmf', 'Info-Package: foreign'],
      '1',
      'a 200, first: digit a 1 0',
    ],
    [
      'carries no digit where one was named',
      'INFO',
      ['Content-Type: application/dtmf'],
      'x',
      'a 400 Warning',
    ],
    ['carries something else', 'INFO', ['Content-Type: text/plain'], 'hello', 'a 415 Accept'],
    [
      'is of a package that this leg does not take',
      'INFO',
      ['Content-Type: text/plain', 'Info-Package: trickle-ice'],
      'hello',
      'a 469 Recv-Info',
    ],
    ['notifies of no subscription of ours', 'NOTIFY', ['Event: refer'], '', 'a 481'],
    ['has a method that we do not know', 'MESSAGE', [], 'hello', 'a 405 Allow'],
  ])('%s', (_title, method, fields, body, answer) => {
    const at = room();
    at.take(method, fields, body);
    expect(at.done.join(', ')).toBe(answer);
  });

  it('is answered when the call is over, and reaches no call', () => {
    const at = room({ isKnown: false });
    at.take('INFO', ['Content-Type: application/dtmf'], '5');
    at.take('REFER', ['Refer-To: <sip:c@x>']);
    expect(at.done).toEqual(['a 200', 'a 481']);
  });
});

describe('a digit for a peer', () => {
  const INFO = ['INFO'];
  const byInfo = (at: Room): void => at.take('INFO', ['Content-Type: application/dtmf'], '1');
  it.each<[string, Setting, (at: Room) => void, number, string]>([
    ['is audio or an event', { allows: INFO }, () => undefined, 250, 'plays 5 for 250 ms'],
    ['lasts 100 ms where its sender gave no length', {}, () => undefined, 0, 'plays 5 for 100 ms'],
    [
      'is INFO for a peer that speaks so',
      { allows: INFO },
      byInfo,
      250,
      'a INFO (digit) "Signal=5\\r\\nDuration=250\\r\\n"',
    ],
    ['is audio where INFO is not allowed', {}, byInfo, 250, 'plays 5 for 250 ms'],
    [
      'is audio again when the leg was forgotten',
      { allows: INFO },
      (at) => {
        byInfo(at);
        at.requests.forget(at.leg('a'));
      },
      250,
      'plays 5 for 250 ms',
    ],
  ])('%s', (_title, setting, before, ms, sent) => {
    const at = room(setting);
    before(at);
    at.done.splice(0);
    at.requests.sendDigit(at.leg('a'), '5', ms);
    expect(at.done.join(', ')).toBe(sent);
  });
});

describe('the answer to our question whether a peer is there', () => {
  const LOST = 'first: broken a 481';
  /** By status: a peer whose Allow names the question, one that has answered before, and one of which nothing is known. */
  const TABLE: Readonly<Record<number, readonly [named: string, answered: string, unknown: string]>> = {
    200: ['nothing', 'nothing', 'nothing'],
    405: ['nothing', 'nothing', 'nothing'],
    408: ['first: unanswered a true', 'first: unanswered a true', 'first: unanswered a false'],
    481: [LOST, LOST, 'nothing'],
    503: ['nothing', 'nothing', 'nothing'],
  };

  it.each(Object.entries(TABLE))('%s', (status, [named, answered, unknown]) => {
    const asked = (setting: Setting, ...before: readonly number[]): string => {
      const at = room(setting);
      for (const each of before) at.requests.replied(at.leg('a'), PRESENCE, each);
      at.done.splice(0);
      at.requests.replied(at.leg('a'), PRESENCE, Number(status));
      const [effect = 'nothing'] = at.done;
      return status === '481' && effect.startsWith(LOST) ? LOST : effect;
    };
    expect([
      asked({ allows: ['OPTIONS'] }),
      asked({}, 200),
      asked({}),
      // A connection that is closed, and another request of ours, say nothing of the peer.
      asked({}, 503),
    ]).toEqual([named, answered, unknown, unknown]);
  });
});

describe('a transfer that a peer asks for', () => {
  const REPLACES = 'Replaces=second%3Bto-tag%3Dours%3Bfrom-tag%3Dtheirs';
  const refer = (target: string) => (at: Room) => at.take('REFER', [`Refer-To: <${target}>`]);
  const blind = refer('sip:c@x');
  const attended = refer(`sip:c@x?${REPLACES}`);
  const ALLOWED = { allows: ['REFER'] };
  const BY_US = 'first: refer a sip:c@x,sip:device@x';
  const WITH_REPLACES = 'first: refer a sip:c@x with Replaces,second;to-tag=ours;from-tag=theirs';

  it.each<[string, Setting, (at: Room) => void, string]>([
    ['is passed on to a peer that allows it', ALLOWED, blind, 'b REFER (refer on)'],
    ['is done by us where the peer does not allow it', {}, blind, BY_US],
    ['is done by us where the target may not be named', { ...ALLOWED, passes: false }, blind, BY_US],
    [
      'is done by us where no peer is on the other side yet',
      { ...ALLOWED, session: { phase: 'Dialling', peer: undefined } },
      blind,
      BY_US,
    ],
    [
      'is done by us for a call that keeps its caller',
      { ...ALLOWED, session: { setting: { ...initial('a').setting, keepsCaller: true } } },
      blind,
      BY_US,
    ],
    ['names no address', {}, (at) => at.take('REFER'), 'a 400'],
    ['names two', {}, (at) => at.take('REFER', ['Refer-To: <sip:c@x>', 'Refer-To: <sip:d@x>']), 'a 400'],
    ['asks for something else than a call', {}, refer('sip:c@x;method=BYE'), 'a 400'],
    [
      'comes a second time before the first is over',
      {},
      (at) => {
        blind(at);
        at.done.splice(0);
        blind(at);
      },
      'a 491',
    ],
    [
      'comes while the other peer has been asked',
      ALLOWED,
      (at) => {
        blind(at);
        at.done.splice(0);
        blind(at);
      },
      'a 491',
    ],
    ['replaces a dialog that is none of ours: devices cannot know it', {}, attended, WITH_REPLACES],
    [
      'takes the peer of a second call that talks',
      { second: {} },
      attended,
      'd moves, second: give d, first: take a d',
    ],
    [
      'takes the caller of a second call whose callee asks',
      { second: { party: 'd', peer: 'c' } },
      attended,
      'd moves, second: give d, first: take a d',
    ],
    [
      'takes the legs that ring for a second call',
      { second: { phase: 'Dialling', peer: undefined, ringing: ['d'] } },
      attended,
      'd moves, second: bequeath, first: inherit a d',
    ],
    [
      'takes nothing of a second call that rings nowhere',
      { second: { phase: 'Dialling', peer: undefined } },
      attended,
      WITH_REPLACES,
    ],
    [
      'takes no second call that was answered, where only an early one is meant',
      { second: {} },
      refer(`sip:c@x?${REPLACES}%3Bearly-only`),
      `${WITH_REPLACES};early-only`,
    ],
    [
      'takes nothing before the first call talks',
      { session: { phase: 'Dialling', peer: undefined }, second: {} },
      attended,
      WITH_REPLACES,
    ],
  ])('%s', (_title, setting, act, effects) => {
    const at = room(setting);
    act(at);
    expect(at.done.join(', ')).toBe(effects);
  });

  it('is done by us when the peer refuses to do it itself', () => {
    const at = room(ALLOWED);
    blind(at);
    at.done.splice(0);
    at.requests.replied(at.leg('b'), 'refer on', 603);
    expect(at.done).toEqual([BY_US]);
  });
});
