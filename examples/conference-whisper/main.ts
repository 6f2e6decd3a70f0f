import { end, enterIvr, say } from '#sdk/js/src/flow/index.ts';
import { client, domain, serve } from '../kit.ts';

/* Three parties: a caller, the operator, and an expert whom the operator alone hears (whisper). */

interface Room {
  readonly connectionId: string;
  readonly replyId: string;
  /** Participant by the name of the party. */
  readonly members: Map<string, string>;
}
/** Conferences by the session of their caller; the sessions of the others carry its id. */
const rooms = new Map<string, Promise<Room>>();

interface Reference {
  readonly room?: string;
  readonly party?: string;
}
const referenceOf = (body: object): Reference =>
  (body as { sessionReferenceId?: Reference }).sessionReferenceId ?? {};

/** Makes the conference of a caller and calls the two others into it. */
async function open(sessionId: string, replyId: string): Promise<Room> {
  const { connectionId } = await client.call('postMediaserviceByDomainCreateconferenceconnection', {
    domain,
    body: { sessionId, replyId, beep: true },
  });
  for (const party of ['operator', 'expert'])
    await client.call('postMediaserviceByDomainPlaceivrcall', {
      domain,
      body: { destAddr: party, maxRingTime: 20, sessionReferenceId: { room: sessionId, party } },
    });
  return { connectionId: String(connectionId), replyId, members: new Map() };
}

/** Once both are there, the expert is heard by the operator alone; `null` would let all hear it again. */
async function whisper({ connectionId, replyId, members }: Room): Promise<void> {
  const [participantId, whisperTo] = [members.get('expert'), members.get('operator')];
  if (participantId === undefined || whisperTo === undefined) return;
  await client.call('postMediaserviceByDomainConferenceparticipant', {
    domain,
    body: { connectionId, replyId, participantId, whisperTo },
  });
  console.log('the expert whispers to the operator');
}

await serve({
  newCall: () => enterIvr(),
  getIvrCommand: ({ lastCommandResult }) =>
    lastCommandResult === undefined ? end([say('You join the conference.')]) : end(),
  // The IVR has left: its participant joins the conference.
  callEvent: async (body) => {
    const { sessionId, replyId, event, remainingParticipantId } = body;
    if (remainingParticipantId === undefined) return { action: 'drop' };
    const { room: of = sessionId, party = 'caller' } = referenceOf(body);
    const opened = rooms.get(of) ?? open(sessionId, replyId);
    rooms.set(of, opened);
    const room = await opened;
    console.log(`${party} joins (${event})`);
    return { action: 'joinconferenceconnection', connectionId: room.connectionId };
  },
  // A participant is in the conference: from now on its audio can be set.
  callAnswered: async ({ sessionId, connectionId, callingPartyNumber = '', callerParticipantId = '' }) => {
    const room = await rooms.get(sessionId);
    if (room?.connectionId !== connectionId) return;
    room.members.set(callingPartyNumber, callerParticipantId);
    await whisper(room);
  },
  sessionCompleted: ({ sessionId }) => void rooms.delete(sessionId),
});
