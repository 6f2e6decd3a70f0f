import { describe, expect, it } from 'vitest';
import { queueInSession } from '#appliance/call/media-session/index.ts';
import { inIvr, type Telling } from './world.ts';

const silence = { format: 'silence', duration: 10 };
const music = { format: 'tone', frequency: 440, duration: 1_000 };
const enqueue = { queue: 'support', agents: ['anna', 'bo'] };
const caller = 's-p1';
const callers = (told: Telling) => queueInSession(told.session).callers;
const agents = (told: Telling) => queueInSession(told.session).agents;
const next = (told: Telling) => {
  const { ask } = told.one('ask');
  return ask.callback === 'getIvrCommand' ? ask : undefined;
};
const timer = (told: Telling, name: string) => {
  const [connection] = told.session.connections.keys();
  return told.input({ kind: 'timer', timer: `${name} ${connection}` });
};
/** The caller waits, and an agent is being called. */
function ringing(command: object = { enqueue }): { told: Telling; agent: string } {
  const told = inIvr();
  told.answer(command);
  told.input({ kind: 'agentFree', participant: caller, agent: 'anna' });
  return { told, agent: told.one('dial').participant };
}

describe('the IVR command enqueue', () => {
  it('waits after the phrases, with music, until an agent answers', () => {
    const told = inIvr();
    told.answer({ phrases: [silence], enqueue: { ...enqueue, music, ringTime: 15 } });
    expect(callers(told)).toEqual([]);
    told.played(told.one('play').play);
    expect(callers(told)).toMatchObject([{ participant: caller, command: enqueue }]);
    told.input({ kind: 'agentFree', participant: caller, agent: 'anna' });
    expect(told.one('dial')).toMatchObject({ destAddr: 'anna', words: { maxRingTime: 15 }, near: caller });
    const { participant } = told.one('dial');
    expect(agents(told)).toEqual([{ participant, caller, agent: 'anna', talking: false }]);
    told.input({ kind: 'rang', participant, status: 180, early: false });
    expect(told.one('report').report).toMatchObject({ callback: 'callNotify', remote: caller });
    told.atMs = 9_000;
    told.input({ kind: 'answered', participant });
    expect(told.of('report').at(-1)?.report).toMatchObject({
      callback: 'callAnswered',
      caller,
      callee: participant,
      queue: { queue: 'support', agent: 'anna', waited: 9 },
    });
    expect(callers(told)).toEqual([]);
    expect(agents(told)).toMatchObject([{ talking: true }]);
    // The call is one like all others: who remains is asked about.
    told.input({ kind: 'gone', participant, why: 'hungUp' });
    expect(told.one('ask').ask).toMatchObject({ callback: 'callEvent', remaining: caller });
    expect(agents(told)).toEqual([]);
  });

  it('an agent that does not answer leaves the caller in its queue, and is reported', () => {
    const { told, agent } = ringing();
    told.input({ kind: 'failed', participant: agent, status: 486, reason: 'Busy Here' });
    expect(told.one('report').report).toMatchObject({ event: 'calledPartyDrop', sipStatus: 486 });
    expect(told.of('ask')).toEqual([]);
    expect(callers(told)).toHaveLength(1);
    expect(agents(told)).toEqual([]);
  });

  it('a caller that hangs up while an agent rings: the agent is let go, and the session is over', () => {
    const { told, agent } = ringing();
    told.input({ kind: 'gone', participant: caller, why: 'hungUp' });
    expect(callers(told)).toEqual([]);
    expect(told.session.ended).toBe(false);
    told.input({ kind: 'agentWithdrawn', participant: caller, agent: 'anna' });
    expect(told.one('drop').participant).toBe(agent);
    expect(told.session.ended).toBe(true);
  });

  it('an agent that answers a caller that has left is let go', () => {
    const { told, agent } = ringing();
    told.input({ kind: 'gone', participant: caller, why: 'hungUp' });
    told.input({ kind: 'answered', participant: agent });
    expect(told.one('drop').participant).toBe(agent);
    expect(told.session.ended).toBe(true);
  });

  it('an agent that answers after the application has interrupted the wait is let go, and the caller is not', () => {
    const { told, agent } = ringing();
    told.input({ kind: 'operation', id: 'op', ask: { kind: 'interrupt', refers: caller } });
    told.input({ kind: 'answered', participant: agent });
    expect(told.of('drop').map(({ participant }) => participant)).toEqual([agent]);
    expect(told.session.parties.has(caller)).toBe(true);
  });

  it.each(['full', 'maxWait', 'noAgents'] as const)('ends with the reason %s', (reason) => {
    const told = inIvr();
    told.answer({ enqueue });
    told.atMs = 61_000;
    told.input({ kind: 'queueOver', participant: caller, reason });
    expect(next(told)?.lastCommandResult).toEqual({ queue: { queue: 'support', reason, waited: 61 } });
    expect(callers(told)).toEqual([]);
  });

  it('a list goes on by the reason', () => {
    const told = inIvr();
    told.answer([
      { enqueue, next: { noAgents: 'sorry', default: 'ask' } },
      { name: 'sorry', phrases: [silence], getIVRCommandAfter: 60 },
    ]);
    told.atMs = 2_000;
    told.input({ kind: 'queueOver', participant: caller, reason: 'noAgents' });
    expect(told.one('play').phrases).toEqual([silence]);
  });

  it('a key that makes an answer takes the caller out', () => {
    const { told } = ringing({ enqueue, dtmf: { maxDigits: 1, firstDigitTimeout: 3_600_000 } });
    told.atMs = 2_000;
    told.press('1');
    expect(next(told)).toMatchObject({
      dtmfParams: { dtmfMatch: '1' },
      lastCommandResult: { queue: { reason: 'digits', waited: 2 } },
    });
    expect(callers(told)).toEqual([]);
  });

  it('the end of the wait is the end of the wait for keys; half an answer is kept', () => {
    const told = inIvr();
    told.answer({ enqueue, dtmf: { maxDigits: 2, firstDigitTimeout: 3_600_000 } });
    told.press('7');
    told.atMs = 2_000;
    told.input({ kind: 'queueOver', participant: caller, reason: 'noAgents' });
    expect(next(told)).toMatchObject({ lastCommandResult: { queue: { reason: 'noAgents' } } });
    expect(next(told)?.dtmfParams).toBeUndefined();
    told.answer({ dtmf: { maxDigits: 2 } });
    told.press('8');
    expect(next(told)?.dtmfParams).toMatchObject({ dtmfMatch: '78' });
  });

  it('unpressed keys keep no caller from waiting', () => {
    const told = inIvr();
    told.answer({ enqueue, dtmf: { maxDigits: 1 } });
    told.atMs = 10_000;
    timer(told, 'digit');
    expect(told.of('ask')).toEqual([]);
    expect(callers(told)).toHaveLength(1);
  });

  it('says the place at once and then at each interval', () => {
    const told = inIvr();
    const Text = 'You are number {position}, for {minutes} minutes. {other}';
    const phrases = [{ format: 'cloudtts', cloudTTSParameters: { Text } }, silence];
    told.answer({ enqueue: { ...enqueue, announcement: { phrases, interval: 20 } } });
    expect(told.one('placeInQueue').participant).toBe(caller);
    told.input({ kind: 'queuePlace', participant: caller, position: 3, waitMs: 61_000 });
    const { play, phrases: said } = told.one('play');
    expect(said[0]).toMatchObject({
      cloudTTSParameters: { Text: 'You are number 3, for 2 minutes. {other}' },
    });
    told.played(play);
    expect(told.of('startTimer')).toMatchObject([{ ms: 20_000 }]);
    timer(told, 'queue');
    expect(told.one('placeInQueue').participant).toBe(caller);
    told.input({ kind: 'queuePlace', participant: caller, position: 1, waitMs: 0 });
    const second = told.one('play').play;
    told.atMs = 30_000;
    told.input({ kind: 'queueOver', participant: caller, reason: 'maxWait' });
    expect(told.one('stop').play).toBe(second);
    told.played(second, ['interrupted']);
    expect(next(told)?.lastCommandResult).toEqual({
      queue: { queue: 'support', reason: 'maxWait', waited: 30 },
    });
  });

  it('changes nothing for a caller that waits no longer', () => {
    const told = inIvr();
    told.answer({ enqueue });
    told.atMs = 2_000;
    told.input({ kind: 'queueOver', participant: caller, reason: 'maxWait' });
    for (const late of [
      { kind: 'queueOver', participant: caller, reason: 'full' },
      { kind: 'agentFree', participant: caller, agent: 'anna' },
      { kind: 'agentWithdrawn', participant: caller, agent: 'anna' },
      { kind: 'queuePlace', participant: caller, position: 1, waitMs: 0 },
    ] as const)
      expect(told.input(late)).toEqual([]);
  });
});
