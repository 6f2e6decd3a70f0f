import { describe, expect, it } from 'vitest';
import { queueInSession } from '#appliance/call/media-session/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const music = { format: 'tone', frequency: 440, duration: 1_000 };
const enqueue = { queue: 'support', agents: ['anna', 'bo'] };
const caller = 's-p1';
const callers = (story: Telling) => queueInSession(story.session).callers;
const agents = (story: Telling) => queueInSession(story.session).agents;
const next = (story: Telling) => {
  const { ask } = story.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};
const timer = (story: Telling, name: string) => {
  const [connection] = story.session.connections.keys();
  return story.input({ kind: 'timer', timer: `${name} ${connection}` });
};
/** The caller waits, and an agent is being called. */
function ringing(command: object = { enqueue }): { session: Telling; agent: string } {
  const story = inIvr();
  story.answer(command);
  story.input({ kind: 'agentFree', participant: caller, agent: 'anna' });
  return { session: story, agent: story.one('dial').participant };
}

describe('the IVR command enqueue', () => {
  it('waits after the phrases, with music, until an agent answers', () => {
    const story = inIvr();
    story.answer({ phrases: [silence], enqueue: { ...enqueue, music, ringTime: 15 } });
    expect(callers(story)).toEqual([]);
    story.played(story.one('play').play);
    expect(callers(story)).toMatchObject([{ participant: caller, command: enqueue }]);
    story.input({ kind: 'agentFree', participant: caller, agent: 'anna' });
    expect(story.one('dial')).toMatchObject({
      destAddr: 'anna',
      words: { maxRingTime: 15 },
      near: caller,
    });
    const { participant } = story.one('dial');
    expect(agents(story)).toEqual([{ participant, caller, agent: 'anna', talking: false }]);
    story.input({ kind: 'rang', participant, status: 180, early: false });
    expect(story.one('report').report).toMatchObject({ callback: 'callNotify', remote: caller });
    story.atMs = 9_000;
    story.input({ kind: 'answered', participant });
    expect(story.of('report').at(-1)?.report).toMatchObject({
      callback: 'callAnswered',
      caller,
      callee: participant,
      queue: { queue: 'support', agent: 'anna', waited: 9 },
    });
    expect(callers(story)).toEqual([]);
    expect(agents(story)).toMatchObject([{ talking: true }]);
    // The call is one like all others: who remains is asked about.
    story.input({ kind: 'gone', participant, why: 'hungUp' });
    expect(story.one('ask').ask).toMatchObject({ callback: 'callEvent', remaining: caller });
    expect(agents(story)).toEqual([]);
  });

  it('an agent that does not answer leaves the caller in its queue, and is reported', () => {
    const { session: story, agent } = ringing();
    story.input({ kind: 'failed', participant: agent, status: 486, reason: 'Busy Here' });
    expect(story.one('report').report).toMatchObject({ event: 'calledPartyDrop', sipStatus: 486 });
    expect(story.of('ask')).toEqual([]);
    expect(callers(story)).toHaveLength(1);
    expect(agents(story)).toEqual([]);
  });

  it('a caller that hangs up while an agent rings: the agent is let go, and the session is over', () => {
    const { session: story, agent } = ringing();
    story.input({ kind: 'gone', participant: caller, why: 'hungUp' });
    expect(callers(story)).toEqual([]);
    expect(story.session.ended).toBe(false);
    story.input({ kind: 'agentWithdrawn', participant: caller, agent: 'anna' });
    expect(story.one('drop').participant).toBe(agent);
    expect(story.session.ended).toBe(true);
  });

  it('an agent that answers a caller that has left is let go', () => {
    const { session: story, agent } = ringing();
    story.input({ kind: 'gone', participant: caller, why: 'hungUp' });
    story.input({ kind: 'answered', participant: agent });
    expect(story.one('drop').participant).toBe(agent);
    expect(story.session.ended).toBe(true);
  });

  it('an agent that answers after the application has interrupted the wait is let go, and the caller is not', () => {
    const { session: story, agent } = ringing();
    story.input({ kind: 'operation', id: 'op', ask: { kind: 'interrupt', refers: caller } });
    story.input({ kind: 'answered', participant: agent });
    expect(story.of('drop').map(({ participant }) => participant)).toEqual([agent]);
    expect(story.session.parties.has(caller)).toBe(true);
  });

  it.each(['full', 'maxWait', 'noAgents'] as const)('ends with the reason %s', (reason) => {
    const story = inIvr();
    story.answer({ enqueue });
    story.atMs = 61_000;
    story.input({ kind: 'queueOver', participant: caller, reason });
    expect(next(story)?.lastCommandResult).toEqual({ queue: { queue: 'support', reason, waited: 61 } });
    expect(callers(story)).toEqual([]);
  });

  it('a list goes on by the reason', () => {
    const story = inIvr();
    story.answer([
      { enqueue, next: { noAgents: 'sorry', default: 'ask' } },
      { name: 'sorry', phrases: [silence], getIVRCommandAfter: 60 },
    ]);
    story.atMs = 2_000;
    story.input({ kind: 'queueOver', participant: caller, reason: 'noAgents' });
    expect(story.one('play').phrases).toEqual([silence]);
  });

  it('a key that makes an answer takes the caller out', () => {
    const { session: story } = ringing({ enqueue, dtmf: { maxDigits: 1, firstDigitTimeout: 3_600_000 } });
    story.atMs = 2_000;
    story.press('1');
    expect(next(story)).toMatchObject({
      dtmfParams: { dtmfMatch: '1' },
      lastCommandResult: { queue: { reason: 'digits', waited: 2 } },
    });
    expect(callers(story)).toEqual([]);
  });

  it('the end of the wait is the end of the wait for keys; half an answer is kept', () => {
    const story = inIvr();
    story.answer({ enqueue, dtmf: { maxDigits: 2, firstDigitTimeout: 3_600_000 } });
    story.press('7');
    story.atMs = 2_000;
    story.input({ kind: 'queueOver', participant: caller, reason: 'noAgents' });
    expect(next(story)).toMatchObject({ lastCommandResult: { queue: { reason: 'noAgents' } } });
    expect(next(story)?.dtmfParams).toBeUndefined();
    story.answer({ dtmf: { maxDigits: 2 } });
    story.press('8');
    expect(next(story)?.dtmfParams).toMatchObject({ dtmfMatch: '78' });
  });

  it('unpressed keys keep no caller from waiting', () => {
    const story = inIvr();
    story.answer({ enqueue, dtmf: { maxDigits: 1 } });
    story.atMs = 10_000;
    timer(story, 'digit');
    expect(story.of('ask')).toEqual([]);
    expect(callers(story)).toHaveLength(1);
  });

  it('says the place at once and then at each interval', () => {
    const story = inIvr();
    const Text = 'You are number {position}, for {minutes} minutes. {other}';
    const phrases = [{ format: 'cloudtts', cloudTTSParameters: { Text } }, silence];
    story.answer({ enqueue: { ...enqueue, announcement: { phrases, interval: 20 } } });
    expect(story.one('placeInQueue').participant).toBe(caller);
    story.input({ kind: 'queuePlace', participant: caller, position: 3, waitMs: 61_000 });
    const { play, phrases: said } = story.one('play');
    expect(said[0]).toMatchObject({
      cloudTTSParameters: { Text: 'You are number 3, for 2 minutes. {other}' },
    });
    story.played(play);
    expect(story.of('startTimer')).toMatchObject([{ ms: 20_000 }]);
    timer(story, 'queue');
    expect(story.one('placeInQueue').participant).toBe(caller);
    story.input({ kind: 'queuePlace', participant: caller, position: 1, waitMs: 0 });
    const second = story.one('play').play;
    story.atMs = 30_000;
    story.input({ kind: 'queueOver', participant: caller, reason: 'maxWait' });
    expect(story.one('stop').play).toBe(second);
    story.played(second, ['interrupted']);
    expect(next(story)?.lastCommandResult).toEqual({
      queue: { queue: 'support', reason: 'maxWait', waited: 30 },
    });
  });

  it('changes nothing for a caller that waits no longer', () => {
    const story = inIvr();
    story.answer({ enqueue });
    story.atMs = 2_000;
    story.input({ kind: 'queueOver', participant: caller, reason: 'maxWait' });
    for (const late of [
      { kind: 'queueOver', participant: caller, reason: 'full' },
      { kind: 'agentFree', participant: caller, agent: 'anna' },
      { kind: 'agentWithdrawn', participant: caller, agent: 'anna' },
      { kind: 'queuePlace', participant: caller, position: 1, waitMs: 0 },
    ] as const)
      expect(story.input(late)).toEqual([]);
  });
});
