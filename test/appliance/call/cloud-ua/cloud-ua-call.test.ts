import { describe, expect, it } from 'vitest';
import { CloudUaCall, type CloudUaCallDependencies } from '#appliance/call/cloud-ua/cloud-ua-call.ts';
import type { PartyInput, PartyLeg, Settled } from '#appliance/call/media-service/index.ts';
import type { ChainOutcome } from '#appliance/delivery/callback/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { ok } from '#shared/result.ts';

/** A call of a cloud user agent whose neighbours write down what they are asked. */
function room({ inbound }: { readonly inbound: boolean }) {
  const done: string[] = [];
  let asked: (outcome: ChainOutcome) => void = () => undefined;
  const media = {
    connect: async (a: string, b: string) => void done.push(`connect ${a} ${b}`),
    closeLeg: async (leg: string) => void done.push(`close ${leg}`),
    openLeg: async ({ leg }: { readonly leg: string }) => {
      done.push(`open ${leg}`);
      return ok({ port: 5_002 });
    },
    updateLeg: async () => ok(undefined),
    sendDigits: async (leg: string, _id: string, { digits }: { readonly digits: string }) =>
      void done.push(`digit ${digits} ${leg}`),
  };
  const callbacks = {
    live: (of: string) => {
      done.push(of);
      return new Promise<ChainOutcome>((resolve) => {
        asked = resolve;
      });
    },
    report: (of: string, _origin: unknown, body: { readonly reason?: unknown; readonly event?: unknown }) =>
      void done.push([of, body.event ?? body.reason].filter((one) => one !== undefined).join(' ')),
  };
  const works: Promise<unknown>[] = [];
  const call = new CloudUaCall(
    'c',
    {
      agent: { id: 'ua' } as never,
      trace: new SessionTrace('t', () => 0),
      facts: { sourceUser: 'a', destinationUri: 'sip:b@x', destinationUser: 'b' },
      ...(inbound && { callId: 'sip-1' }),
    },
    {
      media,
      callbacks,
      run: (work: Promise<unknown>) => void works.push(work),
      turn: (work: () => void) => work(),
      address: '192.0.2.1',
      start: (_call: CloudUaCall, timer: string) => void done.push(`start ${timer}`),
      over: () => void done.push('over'),
    } as unknown as CloudUaCallDependencies,
  );
  call.party = {
    leg: 'sip',
    call: { session: { phase: inbound ? 'Arrived' : 'Seeking' } },
    ring: (status: number) => void done.push(`ring ${status}`),
    accept: () => void done.push('accept'),
    drop: (status: number | undefined) => void done.push(`drop ${status}`),
  } as unknown as PartyLeg;
  return {
    call,
    done,
    answered: async (outcome: ChainOutcome) => {
      asked(outcome);
      await Promise.all(works);
    },
  };
}

type Room = ReturnType<typeof room>;

const settled = (address = '192.0.2.9'): Settled =>
  ({
    address,
    port: 4_000,
    family: address.includes(':') ? 6 : 4,
    stream: { send: { codec: 'PCMU' } },
  }) as never;
const party = (input: PartyInput) => (at: Room) => at.call.input(input);

const INPUTS: Readonly<Record<string, (at: Room) => unknown>> = {
  ringback: ({ call }) => call.ringback(),
  answer: ({ call }) => call.answer(settled(), undefined),
  'hang up': ({ call }) => call.hangUp(),
  'timer ring': ({ call }) => call.timer('ring'),
  'timer duration': ({ call }) => call.timer('duration'),
  'cannot be asked': (at) => at.answered({ kind: 'failed', reason: 'down' } as ChainOutcome),
  'party rings': party({ kind: 'rang', participant: 'p', status: 180, early: false }),
  'party answers': party({ kind: 'answered' } as PartyInput),
  'party says a digit': party({ kind: 'digit', digit: '5' } as PartyInput),
  'party is held': party({ kind: 'held', by: 'reInvite' } as PartyInput),
  'party fails': party({ kind: 'failed', status: 486, reason: 'Busy' } as PartyInput),
  'party leaves': party({ kind: 'gone', participant: 'p', why: 'hungUp' }),
};

const PATHS = {
  ringing: { inbound: true, path: [] },
  answering: { inbound: true, path: ['answer'] },
  'talking, called us': { inbound: true, path: ['answer', 'party answers'] },
  calling: { inbound: false, path: [] },
  'talking, called by us': { inbound: false, path: ['party answers'] },
  over: { inbound: true, path: ['party leaves'] },
} as const;
type Situation = keyof typeof PATHS;

async function reach(situation: Situation): Promise<Room> {
  const { inbound, path } = PATHS[situation];
  const at = room({ inbound });
  if (inbound) at.call.opened(5_000, 'PCMA', [], 101);
  for (const name of path) await INPUTS[name]?.(at);
  return at;
}

async function cell(situation: Situation, input: string): Promise<string> {
  const at = await reach(situation);
  at.done.splice(0);
  const result = (await INPUTS[input]?.(at)) as { readonly ok?: boolean } | undefined;
  const refused = result?.ok === false ? ['refused'] : [];
  return [...refused, ...at.done].join(', ') || 'nothing';
}

const CLOSED = 'close c.ua, over';
/** One of each situation in which there are two. */
const LIVE = {
  'party says a digit': 'digit 5 c.ua',
  'party is held': 'callNotify reInvite',
  'party rings': 'callNotify ringing',
  'party answers': 'start duration, connect sip c.ua, callAnswered',
  'party fails': `callFailed, ${CLOSED}`,
  'party leaves': `callHungup hungUp, ${CLOSED}`,
  'cannot be asked': 'nothing',
  ringback: 'refused',
  answer: 'refused',
  'timer ring': 'nothing',
};
const BUSY = {
  'hang up': `drop 486, callHungup hungUpByApplication, ${CLOSED}`,
  'timer duration': `drop 486, callHungup maxDuration, ${CLOSED}`,
};
const BYE = {
  'hang up': `drop undefined, callHungup hungUpByApplication, ${CLOSED}`,
  'timer duration': `drop undefined, callHungup maxDuration, ${CLOSED}`,
};
const NOTHING = Object.fromEntries(Object.keys(INPUTS).map((name) => [name, 'nothing']));
const TABLE: Readonly<Record<Situation, Readonly<Record<string, string>>>> = {
  ringing: {
    ...LIVE,
    ...BUSY,
    ringback: 'ring 180',
    answer: 'accept, connect sip c.ua',
    'timer ring': `drop 480, callHungup notAnswered, ${CLOSED}`,
    'cannot be asked': `drop 480, callHungup callbackFailed, ${CLOSED}`,
  },
  answering: { ...LIVE, ...BUSY },
  'talking, called us': { ...LIVE, ...BUSY },
  calling: { ...LIVE, ...BYE },
  'talking, called by us': { ...LIVE, ...BYE },
  over: { ...NOTHING, ringback: 'refused', answer: 'refused', 'hang up': 'refused' },
};

describe('a call of a cloud user agent', () => {
  it.each(Object.keys(PATHS) as Situation[])('%s: each input has its answer', async (situation) => {
    const walked: Record<string, string> = {};
    for (const input of Object.keys(INPUTS)) walked[input] = await cell(situation, input);
    expect(walked).toEqual(TABLE[situation]);
  });

  it('asks its application once the leg is open, and waits for it', () => {
    const { call, done } = room({ inbound: true });
    call.opened(5_000, 'PCMA', [], 101);
    expect(done).toEqual(['start ring', 'newRemoteCall']);
  });

  it('opens a leg of the other family for an application that speaks it, and closes the one before', async () => {
    const at = await reach('ringing');
    at.done.splice(0);
    await at.call.answer(settled('2001:db8::9'), undefined);
    expect(at.done).toEqual(['open c.ua2', 'close c.ua', 'accept', 'connect sip c.ua2']);
    expect(at.call.leg).toBe('c.ua2');
  });

  it('reports nothing after its end, however it ended', async () => {
    for (const last of ['party leaves', 'party fails', 'hang up', 'timer duration'])
      for (const then of Object.keys(INPUTS)) {
        const at = await reach('talking, called by us');
        await INPUTS[last]?.(at);
        at.done.splice(0);
        await INPUTS[then]?.(at);
        expect(at.done, `${last}, ${then}`).toEqual([]);
      }
  });

  it('reports each ringing status once, and early audio by joining the two', async () => {
    const at = await reach('calling');
    at.done.splice(0);
    for (const status of [100, 180, 180, 183])
      at.call.input({ kind: 'rang', participant: 'p', status, early: status === 183 });
    expect(at.done).toEqual(['callNotify ringing', 'connect sip c.ua', 'callNotify ringing']);
  });
});
