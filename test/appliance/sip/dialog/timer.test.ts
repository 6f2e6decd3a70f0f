import { describe, expect, it } from 'vitest';
import { isTooBrief, timerAnswer, timerOf, timerRequest } from '#appliance/sip/dialog/session-timer.ts';
import { request, response } from './dialog-info.ts';
import { pair, talking, Wire } from './wire.ts';

const settings = { expiresS: 1_800, minSeS: 90 };
const short = { timer: { expiresS: 100, minSeS: 90 } };

describe('a session timer', () => {
  it.each([
    [
      'supported, no request',
      { supported: ['timer'], sessionExpires: { seconds: 600 } },
      '600;refresher=uac',
      false,
    ],
    [
      'supported, wants us',
      { supported: ['timer'], sessionExpires: { seconds: 600, refresher: 'uas' } },
      '600;refresher=uas',
      true,
    ],
    [
      'supported, itself',
      { supported: ['timer'], sessionExpires: { seconds: 600, refresher: 'uac' } },
      '600;refresher=uac',
      false,
    ],
    ['supported, nothing asked', { supported: ['timer'] }, '1800;refresher=uac', false],
    ['unknown to the caller', { supported: [] }, '1800;refresher=uas', true],
    [
      'unknown to the caller, asked for by a proxy',
      { supported: [], sessionExpires: { seconds: 300 } },
      '300;refresher=uas',
      true,
    ],
    ['with a longer Min-SE', { supported: ['timer'], minSe: 4_000 }, '4000;refresher=uac', false],
  ] as const)('%s', (_, parts, field, weRefresh) => {
    const { agreed, headers } = timerAnswer(request(parts), settings);
    expect(headers[0]).toEqual(['Session-Expires', field]);
    expect(headers.some(([name]) => name === 'Require')).toBe(!weRefresh);
    expect(agreed?.weRefresh).toBe(weRefresh);
  });

  it('too brief for us is refused only to who understands it', () => {
    const brief = { sessionExpires: { seconds: 60 } };
    expect(isTooBrief(request({ ...brief, supported: ['timer'] }), settings)).toBe(true);
    expect(isTooBrief(request({ ...brief, supported: [] }), settings)).toBe(false);
    expect(isTooBrief(request({ supported: ['timer'] }), settings)).toBe(false);
  });

  it('is what the 2xx says, and ours to keep when it says nothing', () => {
    const said = (seconds: number, refresher?: 'uac' | 'uas') =>
      timerOf(
        response({ sessionExpires: refresher === undefined ? { seconds } : { seconds, refresher } }),
        settings,
      );
    expect(said(600, 'uas')).toEqual({ seconds: 600, weRefresh: false });
    expect(said(600, 'uac')).toEqual({ seconds: 600, weRefresh: true });
    expect(said(5)).toEqual({ seconds: 90, weRefresh: true });
    expect(timerOf(response(), settings)).toEqual({ seconds: 1_800, weRefresh: true });
  });

  it('keeps interval and refresher in a running session', () => {
    expect(timerRequest(settings, { seconds: 600, weRefresh: false })).toEqual([
      ['Session-Expires', '600;refresher=uas'],
      ['Min-SE', '90'],
    ]);
  });
});

describe('a long call', () => {
  it('is refreshed by UPDATE at half its interval, for as long as it lasts', () => {
    const wire = talking(1, { a: short, b: short });
    const [a, b] = pair(wire);
    wire.pass(1_000_000);
    const updates = wire.sent
      .filter((line) => line.endsWith('a UPDATE'))
      .map((line) => Math.round(Number.parseInt(line, 10) / 1_000));
    expect(updates.slice(0, 3)).toEqual([50, 100, 150]);
    expect(updates).toHaveLength(20);
    expect([a.session.phase, b.session.phase]).toEqual(['Confirmed', 'Confirmed']);
    expect([a.agreed, b.agreed]).toEqual(['a1>b:yes(a1)', 'a1>b:yes(a1)']);
  });

  it('is refreshed by re-INVITE where the peer knows no UPDATE', () => {
    const allow = ['INVITE', 'ACK', 'BYE', 'CANCEL'];
    const wire = talking(1, { a: short, b: { ...short, allow } });
    wire.pass(120_000);
    expect(wire.since(3)).toEqual(['a INVITE', 'b 200 INVITE', 'a ACK', 'a INVITE', 'b 200 INVITE', 'a ACK']);
    const [a, b] = pair(wire);
    expect(a.agreed).toBe(b.agreed);
  });

  it('is ended by the other side before its time is up, when its refresher is lost', () => {
    const wire = talking(1, { a: short, b: short });
    const [, b] = pair(wire);
    wire.drop = (line) => line.startsWith('a');
    wire.pass(200_000);
    expect(b.ended).toBe('expired');
    const bye = wire.sent.find((line) => line.endsWith('b BYE'));
    // 100 s less the smaller of 32 s and a third.
    expect(Math.round(Number.parseInt(bye ?? '', 10) / 1_000)).toBe(68);
  });

  it('is ended by the refresher when its UPDATE times out, as its peer is lost', () => {
    const wire = talking(1, { a: short, b: short });
    const [a] = pair(wire);
    wire.drop = () => true;
    wire.pass(200_000);
    expect([a.ended, a.session.phase]).toEqual(['lost', 'Ended']);
  });

  it('too brief for the callee is called again with a longer interval', () => {
    const wire = new Wire(1, { a: short, b: { timer: { expiresS: 1_800, minSeS: 300 } } });
    wire.a.dial('b');
    wire.pass(1_000);
    expect(wire.lines).toEqual(['a INVITE', 'b 422 INVITE', 'a ACK', 'a INVITE', 'b 200 INVITE', 'a ACK']);
    const [a, b] = pair(wire);
    expect([a.session.timer, b.session.timer]).toEqual([
      { seconds: 300, weRefresh: true },
      { seconds: 300, weRefresh: false },
    ]);
  });
});
