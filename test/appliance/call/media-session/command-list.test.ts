import { describe, expect, it } from 'vitest';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const menu = (fields: object = {}) => ({ phrases: [silence], dtmf: { maxDigits: 1 }, ...fields });
const asks = (told: Telling) => told.all.filter(({ kind }) => kind === 'ask').length;
const last = (told: Telling) => {
  const { ask } = told.request;
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};
/** The play is heard to its end, after two seconds. */
function heard(told: Telling): void {
  told.atMs += 2_000;
  told.played(told.one('play').play);
}
function pressed(told: Telling, digit: string): void {
  const { play } = told.one('play');
  told.press(digit);
  told.atMs += 2_000;
  told.played(play, ['interrupted']);
}
const paused = (told: Telling) => {
  const { timer } = told.one('startTimer');
  told.atMs += 1_000;
  told.input({ kind: 'timer', timer });
};

describe('a list of commands', () => {
  it('is executed in its order, without a request in between', () => {
    const told = inIvr();
    const before = asks(told);
    told.answer([{ phrases: [silence] }, { phrases: [silence, silence] }]);
    heard(told);
    expect(told.one('play').phrases).toHaveLength(2);
    expect(asks(told)).toBe(before);
    heard(told);
    expect(last(told)?.lastCommandResult).toEqual({
      phrases: 'completed',
      steps: [{ command: 0 }, { command: 1 }],
    });
  });

  it('goes on as next says: by the digits, by the reason, by default', () => {
    const told = inIvr();
    told.answer([
      menu({ name: 'menu', next: { 1: 'one', firstDigitTimeout: 'menu', default: 'ask' } }),
      { phrases: [silence], name: 'two' },
      { phrases: [silence, silence], name: 'one', next: { default: 'menu' } },
    ]);
    pressed(told, '1');
    expect(told.one('play').phrases).toHaveLength(2);
    heard(told);
    expect(told.one('play').phrases).toHaveLength(1);
    heard(told);
    told.atMs += 10_000;
    told.input({ kind: 'timer', timer: told.one('startTimer').timer });
    pressed(told, '9');
    expect(last(told)).toMatchObject({
      dtmfParams: { dtmfMatch: '9' },
      lastCommandResult: {
        steps: [
          { command: 0, name: 'menu', dtmfParams: { dtmfMatch: '1', reason: 'maxDigits' } },
          { command: 2, name: 'one' },
          { command: 0, name: 'menu', dtmfParams: { dtmfMatch: '', reason: 'firstDigitTimeout' } },
          { command: 0, name: 'menu', dtmfParams: { dtmfMatch: '9', reason: 'maxDigits' } },
        ],
      },
    });
  });

  it('goes to error when a phrase was not played', () => {
    const told = inIvr();
    told.answer([
      { phrases: [silence], next: { error: 'sorry', default: 'ask' } },
      { phrases: [silence, silence], name: 'sorry' },
    ]);
    told.atMs += 2_000;
    told.played(told.one('play').play, ['error']);
    expect(told.one('play').phrases).toHaveLength(2);
  });

  it('ends with the command that hangs up', () => {
    const told = inIvr();
    told.answer([{ phrases: [silence], hangup: true }, { phrases: [silence] }]);
    heard(told);
    expect(told.request.ask.callback).toBe('callEvent');
  });

  it('is over when it is interrupted', () => {
    const told = inIvr();
    told.answer([{ phrases: [silence] }, { phrases: [silence] }]);
    const [refers = ''] = told.session.connections.keys();
    told.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers } });
    told.answer({ phrases: [silence] });
    heard(told);
    expect(last(told)?.lastCommandResult).toEqual({ phrases: 'completed' });
  });

  it('that goes round for ever is no load, and asks after 100 commands', () => {
    const told = inIvr();
    const before = asks(told);
    told.answer([{ name: 'round', next: { default: 'round' } }]);
    let rounds = 0;
    while (asks(told) === before && rounds++ < 200) paused(told);
    expect(rounds).toBe(100);
    expect(last(told)?.lastCommandResult?.reason).toContain('100 commands');
    expect(last(told)?.lastCommandResult?.steps).toHaveLength(100);
  });

  it.each([
    ['a name that no command has', [{ next: { default: 'gone' } }]],
    ['a name twice', [{ name: 'a' }, { name: 'a' }]],
    ['no command', []],
    ['a command that cannot be', [{}, { phrases: 1 }]],
  ])('with %s is no answer', (_, list) => {
    const told = inIvr();
    told.answer(list);
    expect(told.one('alarm')).toMatchObject({ error: 'IVR command failed', reason: expect.any(String) });
  });
});
