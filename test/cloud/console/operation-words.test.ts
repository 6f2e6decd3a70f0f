import './english.ts';
import { describe, expect, it } from 'vitest';
import { contactWords } from '#cloud/console/component/wording/host-words.ts';
import { drainEffect, stepWords } from '#cloud/console/component/wording/operation-words.ts';
import { lineOf } from '#cloud/console/page/host/log-line.ts';

const host = { hostId: 'a', services: { sip: 'ok', media: 'ok' }, calls: 1, roles: ['vip'] };
const how = { stays: false, force: false, minutes: 60 };

describe('the preview of a drain', () => {
  it('is named before it is done', () => {
    expect(drainEffect(host, ['b'], how)).toEqual([
      '2 services (sip, media) move to b.',
      '1 call running; it is finished first.',
      'The address of the site moves to b.',
      'New calls and alarms go to b.',
      'If it is not through after 60 min, an alarm says why, and it goes on serving what is left.',
    ]);
  });
  it('says what ends by force, and what stays', () => {
    const effect = drainEffect({ ...host, calls: 2, roles: [] }, ['b', 'c'], {
      ...how,
      stays: true,
      force: true,
    });
    expect(effect).toEqual([
      '2 services (sip, media) pause here and stay assigned to a.',
      '2 calls running; ordinary calls that still run after 60 min are ended, calls of alarms never.',
      'New calls and alarms go to b or c.',
    ]);
  });
  it('leaves the choice to labels and memory where there are several', () => {
    const one = { ...host, services: { sip: 'ok' }, calls: 0 };
    expect(drainEffect(one, ['b', 'c'], how).slice(0, 2)).toEqual([
      '1 service (sip) moves to b or c, as labels and free memory decide.',
      'No call is running.',
    ]);
  });
  it('is, for the last host, that the site takes no alarms', () => {
    const [first, second] = drainEffect(host, [], how);
    expect(first).toBe(
      'a is the only host of its site that takes alarms: while it is drained, the site takes none.',
    );
    expect(second).toBe('2 services (sip, media) pause here and stay assigned to a.');
  });
});

describe('the steps of an operation', () => {
  it('say what moves where, what is left and why it stands still', () => {
    const steps = [
      { step: 'cordon', state: 'done' },
      {
        step: 'services',
        state: 'done',
        services: [
          { name: 'sip', state: 'moved', to: 'b' },
          { name: 'media', state: 'paused' },
        ],
        vip: 'b',
      },
      {
        step: 'calls',
        state: 'blocked',
        calls: { ordinary: 1, alarm: 2 },
        blocked: { code: 'callsLeft', message: '' },
      },
      { step: 'flush', state: 'waiting', lanes: { alarm: 0, svc: 1 } },
    ];
    expect(stepWords({ steps })).toEqual([
      { title: 'Turn new ordinary calls away', state: 'done', facts: [] },
      {
        title: 'Move its services',
        state: 'done',
        facts: ['sip has moved to b', 'media: paused', 'The address of the site is at b'],
      },
      {
        title: 'Let calls end',
        state: 'blocked',
        facts: ['1 call and 2 calls of alarms left', 'It stands still: callsLeft'],
      },
      { title: 'Deliver the waiting events', state: 'waiting', facts: ['0 alarms and 1 report left'] },
    ]);
  });
  it('are shown for commissioning and for the end', () => {
    const steps = [
      {
        step: 'checks',
        state: 'blocked',
        checks: [
          { name: 'clock', ok: true },
          { name: 'ports', ok: false, message: '5060 is taken' },
        ],
      },
      { step: 'wipe', state: 'done', wiped: ['journal'], left: ['/mnt/recordings'] },
    ];
    expect(stepWords({ steps }).map(({ facts }) => facts)).toEqual([
      ['clock: well', 'ports: 5060 is taken'],
      ['removed: journal', 'not removed: /mnt/recordings'],
    ]);
  });
  it('are shown as they are for a newer host', () => {
    expect(stepWords({ steps: [{ step: 'defrost', state: 'running', minutes: 3 }] })).toEqual([
      { title: 'defrost', state: 'running', facts: ['minutes: 3'] },
    ]);
  });
});

describe('contact', () => {
  it.each([
    [undefined, 'steady'],
    [{ unstable: false, losses: 0, suppressed: 0 }, 'steady'],
    [{ unstable: false, losses: 1, suppressed: 0 }, 'lost once lately'],
    [
      { unstable: true, losses: 6, suppressed: 2 },
      'unstable: lost 6 times lately; 2 of them without notification',
    ],
  ])('%j', (contact, words) => {
    expect(contactWords(contact)).toBe(words);
  });
});

describe('a line of a log', () => {
  it('is taken apart', () => {
    const line = JSON.stringify({
      time: '2026-01-02T03:04:05.678Z',
      level: 'warn',
      text: 'gone',
      uid: 'x',
      n: 2,
    });
    expect(lineOf(line)).toMatchObject({ level: 'warn', text: 'gone', rest: 'uid=x n=2' });
    expect(lineOf(line).time).not.toBe('');
  });
  it.each(['no JSON', '[1]', 'null', '{"time'])('%s is shown as it came', (line) => {
    expect(lineOf(line)).toEqual({ time: '', level: '', text: line, rest: '' });
  });
});
