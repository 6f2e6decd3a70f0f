import type { MediaPhrase } from '#shared/contract/callback/index.ts';
import type { MediaRequest } from '#shared/contract/runtime/index.ts';
import type { RunningCalls } from '../../../operation/index.ts';
import type { Operation } from '../../media-session/index.ts';

/** The result of an operation. */
export type OperationOutcome = Awaited<NonNullable<ReturnType<RunningCalls['operate']>>>;

type Request = Exclude<MediaRequest, { readonly operation: 'placeivrcall' }>;

/** Which session is meant: named in the body, else by the replyId. */
export const sessionOf = (
  { body }: Request,
  reply: { readonly session: string; readonly refers?: string } | undefined,
): string | undefined => ('sessionId' in body ? body.sessionId : undefined) ?? reply?.session;

/** Which participant is meant, named in the body or else by the replyId. */
export const participantOf = ({ body }: Request, refers: string | undefined): string | undefined =>
  ('participantId' in body ? body.participantId : undefined) ?? refers;

interface Named {
  readonly id: string;
  readonly name: string;
}

export const onlyOf = <S>(services: readonly S[]): S | undefined =>
  services.length === 1 ? services[0] : undefined;

/** Why no media service is meant. */
export function unnamed(services: readonly Named[], id: string | undefined): string {
  const known = services.slice(0, MOST_NAMED).map((each) => `${each.id} (${each.name})`);
  if (known.length === 0) return 'The call is not placed: the tenant has no media service. Make one first.';
  const these = `${known.join(', ')}${services.length > MOST_NAMED ? ', …' : ''}`;
  return id === undefined
    ? `The call is not placed: the tenant has ${services.length} media services. Name one with mediaserviceId: ${these}.`
    : `The call is not placed: the tenant has no media service ${id}. Name one of ${these}.`;
}

/** Chosen: a sentence with more names is not read. */
const MOST_NAMED = 10;

/** A request of the API as the session takes it. `refers`: what the replyId was about. */
export function operationOf({ operation, body }: Request, refers = ''): Operation {
  switch (operation) {
    case 'hangupparticipant':
      return { kind: 'hangUp', participant: body.participantId };
    case 'hangupremoteparticipant':
      return { kind: 'hangUpRemote', participant: body.participantId };
    case 'interruptivrcommand': {
      const [what = '', request] = refers.split(' ');
      return {
        kind: 'interrupt',
        refers: what,
        ...(request !== undefined && { request: Number(request) }),
      };
    }
    case 'splitconnection':
      return { kind: 'split', connection: body.connectionId };
    case 'createconferenceconnection': {
      const { beep = false, maxParticipants, recordingFileName } = body;
      return {
        kind: 'createConference',
        beep,
        ...(maxParticipants !== undefined && { maxParticipants }),
        ...(recordingFileName !== undefined && { recordingFileName }),
      };
    }
    case 'leaveconference':
      return { kind: 'leaveConference', participant: body.participantId, connection: body.connectionId };
    case 'conferenceparticipant': {
      const { participantId: participant, connectionId: connection, mute, hold, whisperTo } = body;
      return {
        kind: 'conferenceParticipant',
        participant,
        connection,
        ...(mute !== undefined && { mute }),
        ...(hold !== undefined && { hold }),
        ...(whisperTo !== undefined && { whisperTo }),
      };
    }
    case 'startrecording': {
      const { connectionId: connection, recordingFileName: fileName, recordingChannels: channels } = body;
      const { overwrite = false } = body;
      return {
        kind: 'startRecording',
        connection,
        fileName,
        ...(channels && { channels }),
        ...(overwrite && { overwrite }),
      };
    }
    case 'say': {
      const { text: Text, language: LanguageCode, voice: VoiceId } = body;
      const voice = {
        ...(LanguageCode !== undefined && { LanguageCode }),
        ...(VoiceId !== undefined && { VoiceId }),
      };
      return announcementOf(body, [{ format: 'cloudtts', cloudTTSParameters: { Text, ...voice } }]);
    }
    case 'play':
      return announcementOf(body, body.phrases);
    case 'startstream':
      return { kind: 'startStream', connection: body.connectionId, target: body.streamTarget };
    case 'stopstream':
      return { kind: 'stopStream', connection: body.connectionId, stream: body.streamId };
    case 'stoprecording':
      return { kind: 'stopRecording', connection: body.connectionId };
    case 'pauserecording':
      return { kind: 'pauseRecording', connection: body.connectionId };
    case 'resumerecording':
      return { kind: 'resumeRecording', connection: body.connectionId };
  }
}

const announcementOf = (
  {
    connectionId: connection,
    participantId: participant,
    playMode: over,
  }: Extract<Request, { readonly operation: 'say' | 'play' }>['body'],
  phrases: readonly MediaPhrase[],
): Operation => ({
  kind: 'announce',
  ...{ connection, phrases, over },
  ...(participant !== undefined && { participant }),
});
