import type { IvrCommand } from '#sdk/js/src/contract/api.codes.ts';
import { end, enterIvr, say } from '#sdk/js/src/flow/index.ts';
import { serve } from '../kit.ts';

/*
 * A queue of the platform itself: callers wait with music and hear their place, agents are called as they become free, and alarms come
 * first. `queue` beside this file does the same by hand, for one operator.
 */

const AGENTS = ['operator', 'expert'];
/** Callers that are taken before all others, as an alarm would be. */
const URGENT = process.argv.slice(3);

const wait = (callingParty: string): IvrCommand => ({
  phrases: [say('Please wait for an agent, or press one.')],
  enqueue: {
    queue: 'support',
    agents: AGENTS,
    priority: URGENT.includes(callingParty) ? 'alarm' : 'ordinary',
    ringTime: 20,
    wrapUpTime: 5,
    maxLength: 20,
    maxWait: 600,
    music: { format: 'tone', frequency: 440, duration: 400, repeatPause: 2, level: -30 },
    announcement: {
      phrases: [say('You are number {position}. An agent is free in about {minutes} minutes.')],
      interval: 30,
    },
  },
  // A caller that does not want to wait presses a key.
  dtmf: { maxDigits: 1, firstDigitTimeout: 3_600_000 },
});

/** Sentence for a caller whom no agent has taken. */
const SORRY = {
  full: 'Too many callers are waiting.',
  maxWait: 'You have waited long.',
  noAgents: 'No agent can be reached.',
  digits: 'We call you back.',
} as const;

const callers = new Map<string, string>();

await serve({
  newCall: ({ sessionId, callingParty }) => {
    callers.set(sessionId, callingParty);
    return enterIvr();
  },
  getIvrCommand: ({ sessionId, lastCommandResult }) => {
    const { queue } = lastCommandResult ?? {};
    if (queue === undefined) {
      console.log(`waits ${sessionId}`);
      return wait(callers.get(sessionId) ?? '');
    }
    console.log(`${sessionId} was not served: ${queue.reason} after ${queue.waited} s`);
    return end([say(SORRY[queue.reason])]);
  },
  callAnswered: ({ sessionId, queue }) => {
    if (queue !== undefined) console.log(`${queue.agent} serves ${sessionId} after ${queue.waited} s`);
  },
  // An agent that was not reached is told of without a question; the caller waits on.
  callEvent: ({ remainingParticipantId, sipStatus }) => {
    if (remainingParticipantId === undefined && sipStatus !== undefined)
      console.log(`an agent was not reached: ${sipStatus}`);
    return { action: 'drop' };
  },
  sessionCompleted: ({ sessionId }) => {
    callers.delete(sessionId);
  },
});
