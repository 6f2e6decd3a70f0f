import { describe, expect, it } from 'vitest';
import {
  fragmentStatus,
  notified,
  type RefereeEffect,
  type ReferState,
  readDtmf,
  referee,
  referrer,
  writeDtmfRelay,
} from '#appliance/sip/dialog/index.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a transfer', () => {
  it('reports to the referrer how the call goes, from 100 to its end', () => {
    let asked: ReferState = referee.initial;
    let asking: ReferState = referrer.initial;
    const received: unknown[] = [];
    const hears = (effects: readonly RefereeEffect[]): void => {
      for (const effect of effects) {
        if (effect.kind === 'respond') {
          asking = referrer.step(asking, { kind: 'answered', status: effect.status }).state;
          continue;
        }
        const state = effect.content.headers?.find(([name]) => name === 'Subscription-State')?.[1];
        const done = referrer.step(asking, notified(state, effect.content.body ?? bytes('')));
        asking = done.state;
        received.push(...done.effects);
      }
    };
    for (const input of [
      { kind: 'accept' },
      { kind: 'progress', status: 180 },
      { kind: 'final', status: 200 },
      { kind: 'final', status: 486 },
    ] as const) {
      const done = referee.step(asked, input);
      asked = done.state;
      hears(done.effects);
    }
    expect(received).toEqual([
      { kind: 'progressed', status: 100 },
      { kind: 'progressed', status: 180 },
      { kind: 'finished', status: 200 },
    ]);
    expect([asked, asking]).toEqual(['Done', 'Done']);
  });

  it('may be declined, forgotten, or reported before its REFER is answered', () => {
    expect(referee.step('Asked', { kind: 'decline', status: 603 })).toMatchObject({ state: 'Done' });
    expect(referrer.step('Asked', { kind: 'answered', status: 603 }).effects).toEqual([
      { kind: 'finished', status: 603 },
    ]);
    expect(referrer.step('Asked', notified('active;expires=60', bytes('SIP/2.0 100 Trying')))).toMatchObject({
      state: 'Trying',
    });
    expect(referrer.step('Trying', { kind: 'expired' }).effects).toEqual([{ kind: 'finished', status: 0 }]);
    expect(referrer.step('Trying', notified('Terminated;reason=giveup', bytes(''))).effects).toEqual([
      { kind: 'finished', status: 0 },
    ]);
    expect(referee.step('Trying', { kind: 'expired' }).effects).toHaveLength(1);
  });

  it.each([
    ['SIP/2.0 200 OK\r\n', 200],
    ['sip/2.0 486', 486],
    ['SIP/2.0 1800 Oops', undefined],
    ['HTTP/1.1 200 OK', undefined],
    ['', undefined],
  ])('reads %j as %s', (body, status) => {
    expect(fragmentStatus(bytes(body))).toBe(status);
  });
});

describe('a digit in INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', { digit: '5', durationMs: 160 }],
    ['Application/DTMF-Relay', 'signal = *\nduration = 90', { digit: '*', durationMs: 90 }],
    ['application/dtmf-relay', 'Signal=11', { digit: '#', durationMs: 0 }],
    ['application/dtmf-relay', 'Signal=d\r\nDuration=999999', { digit: 'D', durationMs: 60_000 }],
    ['application/dtmf', '#\r\n', { digit: '#', durationMs: 0 }],
    ['application/dtmf;x=1', '7', { digit: '7', durationMs: 0 }],
  ])('%s %j', (type, body, digit) => {
    expect(readDtmf(type, bytes(body))).toEqual({ ok: true, value: digit });
  });

  it.each([
    ['application/dtmf-relay', 'Duration=160'],
    ['application/dtmf-relay', 'Signal=55'],
    ['application/dtmf-relay', 'Signal=!'],
    ['application/dtmf-relay', 'Signal=5\r\nDuration=long'],
    ['application/dtmf', ''],
    ['application/dtmf', 'x'.repeat(300)],
  ])('%s %j is a value, not an exception', (type, body) => {
    expect(readDtmf(type, bytes(body)).ok).toBe(false);
  });

  it('is read as it was written', () => {
    for (const digit of '0123456789*#ABCD')
      expect(readDtmf('application/dtmf-relay', writeDtmfRelay({ digit, durationMs: 200 }))).toEqual({
        ok: true,
        value: { digit, durationMs: 200 },
      });
  });
});
