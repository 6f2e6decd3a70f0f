import { describe, expect, it } from 'vitest';
import type { SipLeg } from '#appliance/call/control/leg/sip-leg.ts';
import { PassedRefers } from '#appliance/call/control/transfer/refer-pass.ts';
import { ReferSubscriptions } from '#appliance/call/control/transfer/refer-subscriptions.ts';
import { readReplaces } from '#appliance/call/control/transfer/replaces.ts';
import { dialogKey } from '#appliance/sip/dialog/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';

/** A leg that writes down what it sends. */
function legNamed(name: string, sent: string[]): SipLeg {
  return {
    name,
    respond: (server: number, status: number) => void sent.push(`${name} ${status} to ${server}`),
    send: (
      _id: string,
      method: string,
      headers: readonly (readonly [string, string])[],
      body?: Uint8Array,
    ) => {
      const state = headers.find(([field]) => field === 'Subscription-State')?.[1].split(';')[0];
      const said = body === undefined ? [] : [/^SIP\/2\.0 (\d+)/.exec(Buffer.from(body).toString())?.[1]];
      sent.push([name, method, state, ...said].filter((one) => one !== undefined).join(' '));
    },
  } as unknown as SipLeg;
}

describe('a leg that has asked for a transfer', () => {
  const INPUTS = {
    accepted: (refers, leg) => refers.answered(leg, 202),
    declined: (refers, leg) => refers.answered(leg, 603),
    rings: (refers, leg) => refers.onProgress(leg, 180),
    reached: (refers, leg) => refers.onProgress(leg, 200),
    failed: (refers, leg) => refers.onProgress(leg, 486),
    'call is over': (refers, leg) => refers.forget(leg),
  } as const satisfies Record<string, (refers: ReferSubscriptions, leg: SipLeg) => void>;
  type Name = keyof typeof INPUTS;

  const walk = (path: readonly Name[], input: Name): string => {
    const sent: string[] = [];
    const leg = legNamed('a', sent);
    const refers = new ReferSubscriptions();
    refers.asked('a', 7);
    for (const name of path) INPUTS[name](refers, leg);
    sent.splice(0);
    INPUTS[input](refers, leg);
    return `${sent.join(', ') || 'nothing'}; ${refers.busy('a') ? 'goes on' : 'over'}`;
  };

  const TRYING = 'a 202 to 7, a NOTIFY active 100; goes on';
  const TABLE: Readonly<Record<string, { path: readonly Name[]; row: Readonly<Record<Name, string>> }>> = {
    asked: {
      path: [],
      row: {
        accepted: TRYING,
        declined: 'a 603 to 7; over',
        rings: 'nothing; goes on',
        reached: 'nothing; goes on',
        failed: 'nothing; goes on',
        'call is over': 'a 487 to 7; over',
      },
    },
    accepted: {
      path: ['accepted'],
      row: {
        accepted: 'nothing; goes on',
        declined: 'nothing; goes on',
        rings: 'a NOTIFY active 180; goes on',
        reached: 'a NOTIFY terminated 200; over',
        failed: 'a NOTIFY terminated 486; over',
        'call is over': 'nothing; over',
      },
    },
    over: {
      path: ['accepted', 'reached'],
      row: {
        accepted: 'nothing; over',
        declined: 'nothing; over',
        rings: 'nothing; over',
        reached: 'nothing; over',
        failed: 'nothing; over',
        'call is over': 'nothing; over',
      },
    },
  };

  it.each(Object.keys(TABLE))('%s: each input has its answer', (situation) => {
    const { path = [], row } = TABLE[situation] ?? {};
    const names = Object.keys(INPUTS) as Name[];
    expect(Object.fromEntries(names.map((name) => [name, walk(path, name)]))).toEqual(row);
  });
});

describe('a transfer that the peer is asked to do itself', () => {
  function room() {
    const sent: string[] = [];
    const done: string[] = [];
    const [asker, other] = [legNamed('a', sent), legNamed('b', sent)];
    const refers = new ReferSubscriptions();
    let nowMs = 0;
    const passed = new PassedRefers({
      refers,
      nowMs: () => nowMs,
      transferred: (leg) => void done.push(`${leg} is transferred`),
    });
    refers.asked('a', 7);
    passed.begin(asker, other, 'sip:c@x', () => void done.push('done by ourselves'));
    const notify = (state: string, line: string) =>
      passed.notified(
        other,
        {
          header: (name: string) => (name === 'Event' ? 'refer' : state),
          body: Buffer.from(`${line}\r\n`),
        } as unknown as SipRequest,
        9,
      );
    return { passed, other, sent, done, notify, pass: (ms: number) => (nowMs += ms) };
  }
  type Room = ReturnType<typeof room>;

  const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
    'peer takes it': ({ passed, other }) => passed.replied(other, 'refer on', 202),
    'peer does not want': ({ passed, other }) => passed.replied(other, 'refer on', 603),
    'another request of ours fails': ({ passed, other }) => passed.replied(other, 'metadata', 500),
    'it rings': ({ notify }) => notify('active', 'SIP/2.0 180 Ringing'),
    'it is reached': ({ notify }) => notify('terminated;reason=noresource', 'SIP/2.0 200 OK'),
    'it fails': ({ notify }) => notify('terminated;reason=noresource', 'SIP/2.0 486 Busy Here'),
    'three minutes pass': ({ passed, pass }) => {
      pass(180_000);
      return passed.busy('b');
    },
  };

  const cell = (path: readonly string[], input: string): string => {
    const at = room();
    for (const name of path) INPUTS[name]?.(at);
    at.sent.splice(0);
    at.done.splice(0);
    INPUTS[input]?.(at);
    return `${[...at.sent, ...at.done].join(', ') || 'nothing'}; ${at.passed.busy('b') ? 'goes on' : 'over'}`;
  };

  const ACCEPTS = 'a 202 to 7, a NOTIFY active 100';
  const TABLE: Readonly<Record<string, { path: readonly string[]; row: Readonly<Record<string, string>> }>> =
    {
      asked: {
        path: [],
        row: {
          'peer takes it': `${ACCEPTS}; goes on`,
          'peer does not want': 'done by ourselves; over',
          'another request of ours fails': 'nothing; goes on',
          'it rings': `b 200 to 9, ${ACCEPTS}, a NOTIFY active 180; goes on`,
          'it is reached': `b 200 to 9, ${ACCEPTS}, a NOTIFY terminated 200, b is transferred; over`,
          'it fails': `b 200 to 9, ${ACCEPTS}, a NOTIFY terminated 486; over`,
        },
      },
      taken: {
        path: ['peer takes it'],
        row: {
          'peer takes it': 'nothing; goes on',
          'peer does not want': 'a NOTIFY terminated 603; over',
          'another request of ours fails': 'nothing; goes on',
          'it rings': 'b 200 to 9, a NOTIFY active 180; goes on',
          'it is reached': 'b 200 to 9, a NOTIFY terminated 200, b is transferred; over',
          'it fails': 'b 200 to 9, a NOTIFY terminated 486; over',
          'three minutes pass': 'a NOTIFY terminated 408; over',
        },
      },
      over: {
        path: ['peer takes it', 'it is reached'],
        row: Object.fromEntries(Object.keys(INPUTS).map((name) => [name, 'nothing; over'])),
      },
    };

  it.each(Object.keys(TABLE))('%s: each input has its answer', (situation) => {
    const { path = [], row = {} } = TABLE[situation] ?? {};
    expect(Object.fromEntries(Object.keys(row).map((name) => [name, cell(path, name)]))).toEqual(row);
  });
});

describe('the dialog that Replaces names', () => {
  const key = dialogKey('call', 'ours', 'theirs');
  it.each([
    { field: 'call;to-tag=ours;from-tag=theirs', named: { key, earlyOnly: false } },
    { field: 'call ; from-tag=theirs ; to-tag=ours', named: { key, earlyOnly: false } },
    { field: 'call;TO-TAG=ours;From-Tag=theirs;early-only', named: { key, earlyOnly: true } },
    { field: 'call;to-tag=ours', named: undefined },
    { field: 'call;from-tag=theirs', named: undefined },
    { field: ';to-tag=ours;from-tag=theirs', named: undefined },
    { field: 'call;to-tag=ours;to-tag=other;from-tag=theirs', named: undefined },
    { field: 'call;to-tag=ours;from-tag=theirs;from-tag=other', named: undefined },
    { field: '', named: undefined },
  ])('$field', ({ field, named }) => {
    expect(readReplaces(field)).toEqual(named);
  });
});
