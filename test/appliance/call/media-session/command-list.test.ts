import { describe, expect, it } from 'vitest';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const menu = (fields: object = {}) => ({ phrases: [silence], dtmf: { maxDigits: 1 }, ...fields });
const asks = (story: Telling) => story.all.filter(({ kind }) => kind === 'ask').length;
const last = (story: Telling) => {
  const { ask } = story.request;
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};
/** The play is heard to its end, after two seconds. */
function received(story: Telling): void {
  story.atMs += 2_000;
  story.played(story.one('play').play);
}
function pressed(story: Telling, digit: string): void {
  const { play } = story.one('play');
  story.press(digit);
  story.atMs += 2_000;
  story.played(play, ['interrupted']);
}
const paused = (story: Telling) => {
  const { timer } = story.one('startTimer');
  story.atMs += 1_000;
  story.input({ kind: 'timer', timer });
};

describe('a list of commands', () => {
  it('is executed in its order, without a request in between', () => {
    const story = inIvr();
    const before = asks(story);
    story.answer([{ phrases: [silence] }, { phrases: [silence, silence] }]);
    received(story);
    expect(story.one('play').phrases).toHaveLength(2);
    expect(asks(story)).toBe(before);
    received(story);
    expect(last(story)?.lastCommandResult).toEqual({
      phrases: 'completed',
      steps: [{ command: 0 }, { command: 1 }],
    });
  });

  it('goes on as next says: by the digits, by the reason, by default', () => {
    const story = inIvr();
    story.answer([
      menu({ name: 'menu', next: { 1: 'one', firstDigitTimeout: 'menu', default: 'ask' } }),
      { phrases: [silence], name: 'two' },
      { phrases: [silence, silence], name: 'one', next: { default: 'menu' } },
    ]);
    pressed(story, '1');
    expect(story.one('play').phrases).toHaveLength(2);
    received(story);
    expect(story.one('play').phrases).toHaveLength(1);
    received(story);
    story.atMs += 10_000;
    story.input({ kind: 'timer', timer: story.one('startTimer').timer });
    pressed(story, '9');
    expect(last(story)).toMatchObject({
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
    const story = inIvr();
    story.answer([
      { phrases: [silence], next: { error: 'sorry', default: 'ask' } },
      { phrases: [silence, silence], name: 'sorry' },
    ]);
    story.atMs += 2_000;
    story.played(story.one('play').play, ['error']);
    expect(story.one('play').phrases).toHaveLength(2);
  });

  it('ends with the command that hangs up', () => {
    const story = inIvr();
    story.answer([{ phrases: [silence], hangup: true }, { phrases: [silence] }]);
    received(story);
    expect(story.request.ask.callback).toBe('callEvent');
  });

  it('is over when it is interrupted', () => {
    const story = inIvr();
    story.answer([{ phrases: [silence] }, { phrases: [silence] }]);
    const [refers = ''] = story.session.connections.keys();
    story.input({ kind: 'operation', id: 'o', ask: { kind: 'interrupt', refers } });
    story.answer({ phrases: [silence] });
    received(story);
    expect(last(story)?.lastCommandResult).toEqual({ phrases: 'completed' });
  });

  it('that goes round for ever is no load, and asks after 100 commands', () => {
    const story = inIvr();
    const before = asks(story);
    story.answer([{ name: 'round', next: { default: 'round' } }]);
    let rounds = 0;
    while (asks(story) === before && rounds++ < 200) paused(story);
    expect(rounds).toBe(100);
    expect(last(story)?.lastCommandResult?.reason).toContain('100 commands');
    expect(last(story)?.lastCommandResult?.steps).toHaveLength(100);
  });

  it.each([
    ['a name that no command has', [{ next: { default: 'gone' } }]],
    ['a name twice', [{ name: 'a' }, { name: 'a' }]],
    ['no command', []],
    ['a command that cannot be', [{}, { phrases: 1 }]],
  ])('with %s is no answer', (_, list) => {
    const story = inIvr();
    story.answer(list);
    expect(story.one('alarm')).toMatchObject({ error: 'IVR command failed', reason: expect.any(String) });
  });
});
