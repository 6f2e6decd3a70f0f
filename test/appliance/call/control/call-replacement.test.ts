import { describe, expect, it } from 'vitest';
import type { ActiveCall } from '#appliance/call/control/active-call/active-call.ts';
import { CallReplacement } from '#appliance/call/control/transfer/call-replacement.ts';

const REPLACES = 'call-1;to-tag=ours;from-tag=theirs';

interface Setting {
  readonly replaces?: readonly string[];
  readonly join?: boolean;
  readonly caller?: 'device' | 'trunk';
  /** State of the leg that is named; absent: there is none. */
  readonly leg?: 'inviting' | 'up' | 'over';
  readonly ringing?: boolean;
  /** Its call goes on in another one. */
  readonly isCallReplaced?: boolean;
  readonly arrives?: boolean;
}

/** An INVITE with Replaces, and what its neighbours are asked, in order. */
function room(setting: Setting) {
  const { replaces = [REPLACES], join = false, caller = 'device', ringing = false } = setting;
  const done: string[] = [];
  let leg = setting.leg === undefined ? undefined : { name: 'peer', state: setting.leg };
  const call = {
    id: 'running',
    plan: { policy: { srtp: 'never' } },
    session: { party: 'caller', ringing: ringing ? ['peer'] : [] },
    add: () => done.push('add'),
    input: (input: { readonly kind: string }) => done.push(JSON.stringify(input)),
  } as unknown as ActiveCall;
  const own = {
    remove: () => done.push('remove'),
    input: ({ kind, status }: { readonly kind: string; readonly status: number }) =>
      done.push(`${kind} ${status}`),
  } as unknown as ActiveCall;
  let ready: () => void = () => undefined;
  const replacement = new CallReplacement(
    {
      random: (length: number) => new Uint8Array(length),
      traceMs: () => 0,
      place: { address: '192.0.2.10' },
      tenant: () => ({ byId: () => ({ srtp: 'always' }) }),
    } as never,
    {
      pages: { add: () => undefined },
      legs: { byDialog: () => leg, invited: () => undefined },
      callOf: () => (setting.isCallReplaced === true ? undefined : call),
      open: ({ policy }: { readonly policy: { readonly srtp: string } }) => {
        done.push(`open ${policy.srtp}`);
        return { name: 'new', arrive: () => setting.arrives !== false };
      },
      begin: (...given: readonly unknown[]) => {
        done.push('begin');
        ready = given.at(-1) as () => void;
        return own;
      },
      over: () => done.push('over'),
      moved: (name: string) => done.push(`moved ${name}`),
    } as never,
  );
  const request = {
    method: 'INVITE',
    uriText: 'sip:b@care.example',
    from: { uriText: 'sip:a@care.example' },
    headers: () => replaces,
    header: (name: string) => (name === 'Join' && join ? REPLACES : undefined),
  };
  const server = { respond: ({ status }: { readonly status: number }) => done.push(`respond ${status}`) };
  const flow = { transport: 'UDP', remoteAddress: '192.0.2.20', remotePort: 5060 };
  const takes = () =>
    replacement.takes({
      ...{ request, server, flow, nowMs: 0 },
      caller: caller === 'device' ? { kind: 'device', deviceId: 'a' } : { kind: 'trunk', trunkId: 't' },
    } as never);
  return {
    done,
    takes,
    ready: () => ready(),
    leaves: () => {
      leg = undefined;
    },
  };
}

const REPLACE = JSON.stringify({ kind: 'replace', leg: 'new', replaced: 'peer' });

describe('an INVITE with Replaces (RFC 3891 3)', () => {
  it.each<[string, Setting, string]>([
    ['two fields', { replaces: [REPLACES, REPLACES], leg: 'up' }, 'respond 400'],
    ['two dialogs in one field', { replaces: [`${REPLACES}, ${REPLACES}`], leg: 'up' }, 'respond 400'],
    ['no tags', { replaces: ['call-1'], leg: 'up' }, 'respond 400'],
    ['Join beside it', { join: true, leg: 'up' }, 'respond 400'],
    ['a trunk', { caller: 'trunk', leg: 'up' }, 'respond 403'],
    ['a dialog that is not here', {}, 'respond 481'],
    ['a dialog that is over', { leg: 'over' }, 'respond 603'],
    ['a dialog whose call goes on elsewhere', { leg: 'up', isCallReplaced: true }, 'respond 603'],
    ['early-only, and it was answered', { replaces: [`${REPLACES};early-only`], leg: 'up' }, 'respond 486'],
    ['a caller that waits for us', { leg: 'inviting' }, 'respond 481'],
    ['a callee that rings', { leg: 'inviting', ringing: true }, 'open always, begin'],
    [
      'a callee that rings, early-only',
      { replaces: [`${REPLACES};early-only`], leg: 'inviting', ringing: true },
      'open always, begin',
    ],
    ['a peer that speaks', { leg: 'up' }, 'open always, begin'],
    [
      'a peer that speaks, the INVITE has its answer already',
      { leg: 'up', arrives: false },
      'open always, begin, over',
    ],
  ])('%s: %s', (_, setting, effects) => {
    const at = room(setting);
    expect(at.takes()).toBe(true);
    expect(at.done.join(', ')).toBe(effects);
  });

  it('without the field is a call like any other', () => {
    const at = room({ replaces: [], leg: 'up' });
    expect(at.takes()).toBe(false);
    expect(at.done).toEqual([]);
  });

  it('takes the place once its audio is ready', () => {
    const at = room({ leg: 'up' });
    at.takes();
    at.done.length = 0;
    at.ready();
    expect(at.done).toEqual(['remove', 'over', 'add', 'moved new', REPLACE]);
  });

  it('is refused when that peer has left meanwhile', () => {
    const at = room({ leg: 'up' });
    at.takes();
    at.done.length = 0;
    at.leaves();
    at.ready();
    expect(at.done).toEqual(['refuse 481']);
  });
});
