import { describe, expect, it } from 'vitest';
import { BS8521_PROFILE } from '#appliance/alarm/protocol/bs8521/index.ts';
import { encodeAtm, NOWIP_PROFILE } from '#appliance/alarm/protocol/nowip/index.ts';
import { encodeResponse, SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';
import { Attempts, arcHeaders, plainUser } from '#appliance/alarm/sending/attempt/attempts.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { attemptRoom, planOf } from './attempt-room.ts';

const bs8521 = (digits: string) => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return { kind: 'bs8521', fields: read.value };
};
const ALONE = '010012345678000001001000';
const NOWIP = { kind: 'nowip', form: { type: '1', data: ALONE } };
const SCAIP = { kind: 'scaip', form: { ref: 'abcd', xml: '<mrq/>' } };

function room() {
  const base = attemptRoom();
  let nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const flows: ((flow: { readonly remoteAddress: string }) => void)[] = [];
  const attempts = new Attempts(
    {
      clock,
      timers,
      run: () => undefined,
      media: { play: async () => ({ ok: true }), listen: async () => ({ ok: true }) },
      inflate: () => undefined,
      deflate: (bytes: Uint8Array) => bytes,
      random: (length: number) => new Uint8Array(length),
      tenant: () => ({ domain: 'care.example' }),
    } as never,
    {
      calls: { place: () => ({ id: 'call', watchedBy: () => undefined, session: {} }) },
      line: {
        newAttempt: () => ({ callId: 'message' }),
        send: ({ onFlow }: { readonly onFlow?: (flow: { readonly remoteAddress: string }) => void }) => {
          base.done.push('send');
          if (onFlow !== undefined) flows.push(onFlow);
        },
      },
      frames: undefined,
      turn: base.turn,
      deviceLeg: () => undefined,
      profiles: {
        scaip: () => SCAIP_PROFILE,
        nowip: () => NOWIP_PROFILE,
        bs8521: () => BS8521_PROFILE,
        dc09: () => ({ sender: {} }),
        rootOf: () => 'dc09',
      },
      reached: (_plan: unknown, address: string) => void base.done.push(`reached ${address}`),
      post: () => ({}),
    } as never,
  );
  const message = (body: Uint8Array | string, to = 'sip:unit@care.example', from = '192.0.2.30') =>
    attempts.take(
      { body: Buffer.from(body), header: () => undefined, to: { uriText: to } } as never,
      { remoteAddress: from } as never,
    );
  return {
    ...base,
    attempts,
    timers,
    message,
    make: (form: object, id = 's') => {
      const order = { event: { audio: 'none' }, voice: { tones: {} } };
      const attempt = attempts.make(planOf({ form, order }, id), base.user);
      attempt.begin();
      return attempt;
    },
    flowsFrom: (remoteAddress: string) => flows.at(-1)?.({ remoteAddress }),
    at: (ms: number) => {
      nowMs = ms;
      timers.advance(ms);
    },
  };
}

const scaipAnswer = (ref: string) => encodeResponse({ ref, snu: 0 } as never);
const atm = () => encodeAtm({ version: '2', type: 'A', data: '', time: 't', mac: 'm' });

describe('a MESSAGE of a receiver', () => {
  it('answers the SCAIP request of its reference, and no other', () => {
    const at = room();
    at.make(SCAIP);
    at.done.length = 0;
    expect(at.message(scaipAnswer('other'))).toBe(false);
    expect(at.done).toEqual([]);
    expect(at.message(scaipAnswer('abcd'))).toBe(true);
    expect(at.done).toContain('acknowledged s <mrq><ref>abcd</ref></mrq>');
    // The request has its end: a repetition finds no attempt.
    expect(at.message(scaipAnswer('abcd'))).toBe(false);
  });

  it('answers the NOW-IP identity it is for, from where that was sent', () => {
    const at = room();
    at.make(NOWIP);
    expect(at.message(atm())).toBe(false);
    at.flowsFrom('192.0.2.30');
    expect(at.done).toContain('reached 192.0.2.30');
    expect(at.message(atm(), 'sip:other@care.example')).toBe(false);
    expect(at.message(atm(), 'sip:unit@care.example', '192.0.2.99')).toBe(false);
    expect(at.message('nonsense')).toBe(false);
    expect(at.message(atm())).toBe(true);
    expect(at.done).toContain(`acknowledged s ${ALONE}`);
    // It was without speech, and is done.
    expect(at.message(atm())).toBe(false);
  });

  it('finds nothing once its session is forgotten', () => {
    const at = room();
    at.make(SCAIP);
    at.make(NOWIP, 's2');
    at.flowsFrom('192.0.2.30');
    at.attempts.forget('s');
    expect(at.message(scaipAnswer('abcd'))).toBe(false);
    expect(at.message(atm())).toBe(true);
    at.attempts.forget('s2');
    expect(at.message(atm())).toBe(false);
  });
});

describe('a timer', () => {
  it('reaches its own attempt, once, while that is known', () => {
    const at = room();
    at.make(SCAIP);
    at.make({ ...SCAIP, form: { ref: 'efgh', xml: '<mrq/>' } }, 's2');
    at.attempts.forget('s2');
    at.done.length = 0;
    const due = at.timers.nextDueMs ?? 0;
    expect(due).toBeGreaterThan(0);
    at.at(due - 1);
    expect(at.done).toEqual([]);
    at.at(due);
    expect(at.done).toEqual(['send']);
  });
});

describe('an event', () => {
  const scheme = () => planOf({ form: bs8521('110012345678001301000000') });

  it('joins a call of its scheme, and none of another one', () => {
    const at = room();
    at.attempts.make(scheme(), at.user);
    const other = planOf({ form: bs8521('110012345678004301000000') }, 'o');
    const stranger = planOf({ form: bs8521('110099999999004301000000') }, 'x');
    expect(at.attempts.joined(other)).toBeDefined();
    expect(at.attempts.joined(stranger)).toBeUndefined();
  });

  it('joins no call that is over', () => {
    const at = room();
    at.attempts.make(scheme(), at.user).abandon();
    expect(at.attempts.joined(planOf({ form: bs8521('110012345678004301000000') }, 'o'))).toBeUndefined();
  });

  it('fails at once when it has no transport here, and goes on to the next receiver', () => {
    const at = room();
    at.make({ kind: 'dc09', said: {} });
    expect(at.done).toEqual(['failed s noRoute alternate']);
  });
});

describe('the words of a call to a receiver', () => {
  it.each([
    ['sip:unit%20one@care.example', 'unit one'],
    ['sip:unit@care.example', 'unit'],
    ['sip:%zz@care.example', '%zz'],
    ['tel:+46', undefined],
  ])('user of %s is %s', (uri, user) => {
    expect(plainUser(uri)).toBe(user);
  });

  it.each([
    [undefined, []],
    ['4711', [['P-Asserted-Identity', '<sip:4711@care.example>']]],
    ['tel:+46', [['P-Asserted-Identity', '<tel:+46>']]],
  ])('callerId %s is %j', (callerId, fields) => {
    const target = { headers: [], mapper: { callerId } };
    expect(arcHeaders({ target } as never, 'care.example')).toEqual(fields);
  });
});
