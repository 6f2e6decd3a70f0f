import { call, createFlow, end, enterIvr, say, tone } from '#sdk/js/src/flow/index.ts';
import { client, domain, serve } from '../kit.ts';

/* A queue for one operator, by the means of an IVR: a caller waits with a tone and its place, and is connected when its turn comes. */

const waiting: string[] = [];
let busyWith: string | undefined;
const replies = new Map<string, string>();
/** Callers who have been connected: the end of their call ends the session. */
const connected = new Set<string>();

const place = (sessionId: string): number => waiting.indexOf(sessionId) + 1;
const isTurn = (sessionId: string): boolean => busyWith === undefined && place(sessionId) === 1;

const flow = createFlow('wait', {
  wait: {
    command: ({ sessionId, replyId }) => {
      replies.set(sessionId, replyId);
      if (isTurn(sessionId)) {
        waiting.shift();
        busyWith = sessionId;
        console.log(`serves ${sessionId}`);
        return end([say('You are connected.')]);
      }
      return {
        phrases: [say(`You are number ${place(sessionId)}.`), tone(440, 500)],
        // The next command comes by itself, and sooner when the turn comes.
        getIVRCommandAfter: 10,
      };
    },
    next: () => 'wait',
  },
});

function free(sessionId: string): void {
  replies.delete(sessionId);
  connected.delete(sessionId);
  if (place(sessionId) > 0) waiting.splice(place(sessionId) - 1, 1);
  if (busyWith !== sessionId) return;
  busyWith = undefined;
  const next = waiting[0];
  const replyId = next === undefined ? undefined : replies.get(next);
  console.log(`free, ${waiting.length} wait`);
  if (next === undefined || replyId === undefined) return;
  // Ends the waiting of the first one at once: its next getIvrCommand comes now.
  const body = { replyId, sessionId: next };
  client
    .call('postMediaserviceByDomainInterruptivrcommand', { domain, body })
    .catch((cause: Error) => console.log(`could not wake ${next}: ${cause.message}`));
}

await serve({
  newCall: ({ sessionId }) => {
    waiting.push(sessionId);
    console.log(`waits ${sessionId}`);
    return enterIvr();
  },
  getIvrCommand: flow,
  // The IVR has left whose turn it is; a later event is the end of the call with the operator.
  callEvent: ({ sessionId, remainingParticipantId }) => {
    if (busyWith !== sessionId || connected.has(sessionId) || remainingParticipantId === undefined)
      return { action: 'drop' };
    connected.add(sessionId);
    return call('operator', { maxRingTime: 30 });
  },
  sessionCompleted: ({ sessionId }) => free(sessionId),
});
