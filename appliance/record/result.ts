import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { TraceEntry } from '../kernel/session-trace.ts';
import type { Draft } from './draft.ts';

type Result = Exclude<SessionRecord['result'], 'running'>;
type End = { readonly result: Result; readonly reason?: string };
type Ending = (draft: Draft, reason: string | undefined) => End;

const done =
  (sentence: string): Ending =>
  () => ({ result: 'done', reason: sentence });
const ended =
  (result: Result, sentence: string): Ending =>
  (_, reason) => ({ result, reason: reason === undefined ? sentence : `${sentence}: ${reason}` });

/** Endings of an alarm session. */
const ALARM: Readonly<Record<string, Ending>> = {
  handled: done('The application took the alarm'),
  cleared: done('A person cleared the alarm'),
  callCleared: done('A person spoke with the device and cleared the call'),
  notHandled: ended('failed', 'The alarm was not handled; the device tries its next receiver'),
  deviceHungUp: (draft) =>
    draft.times.voiceJoined === undefined
      ? { result: 'unanswered', reason: 'The device hung up before a person spoke with it' }
      : { result: 'done', reason: 'The device hung up after a person spoke with it' },
  unreached: ended('unanswered', 'No destination answered; the device was hung up without clear-down'),
  unanswered: ended(
    'unanswered',
    'No person of the emergency list accepted the alarm; the device was not cleared',
  ),
  voiceMissing: ended('unanswered', 'The call of the device did not come'),
  deviceGone: ended('unanswered', 'The device did not confirm the answer'),
  notStored: ended('failed', 'The event could not be stored'),
  interrupted: ended('interrupted', 'The program ended in the middle of the session'),
};

/** Endings of an event that is sent on; every other word is how its speech ended. */
const SENDING: Readonly<Record<string, Ending>> = {
  sent: done('The receiver took the event'),
  failed: ({ reason }) => ({
    result: 'failed',
    reason: `No receiver took the event${reason === undefined ? '' : `: ${reason}`}`,
  }),
};

/** Endings of a session of a media service; every other word is that of an ordinary end. */
const SERVICE: Readonly<Record<string, Ending>> = {
  drop: (draft) =>
    isSpoken(draft)
      ? { result: 'done', reason: 'The application ended the session' }
      : { result: 'refused', reason: 'The application dropped the call' },
  notAnswered: ended('unanswered', 'The called party did not answer'),
  newCallEventError: ended('failed', 'The application gave no usable answer to the call'),
  callEventError: ended('failed', 'The application gave no usable answer to an event'),
  ivrCommandError: ended('failed', 'The application gave no usable command'),
  mediaServerError: ended('failed', 'The audio of the session was lost'),
  defect: ended('failed', 'A defect ended the session'),
  mediaLost: ended('failed', 'The audio of the session was lost'),
  invalidSdp: ended('failed', 'The audio of the session could not be agreed'),
  noAudio: ended('failed', 'No audio could be opened'),
  callbackFailed: ended('failed', 'The application did not answer the call'),
  callFailed: (draft, reason = '') =>
    REFUSALS.has(Number.parseInt(reason, 10))
      ? { result: 'refused', reason: `The called party refused the call: ${reason}` }
      : ended('unanswered', 'The called party did not answer')(draft, reason || undefined),
};

const MESSAGE: Readonly<Record<string, Ending>> = {
  done: done('The message was taken'),
  refused: ended('refused', 'The message was refused'),
  failed: ended('failed', 'The message was not delivered'),
};

/** Statuses by which the called party, or this product, says no. */
const REFUSALS: ReadonlySet<number> = new Set([
  401, 403, 404, 407, 410, 484, 485, 486, 488, 600, 603, 604, 606,
]);

/** The result of a session and its reason, from the entry `sessionEnded`. */
export function endOf(
  draft: Draft,
  { outcome, reason, protocol, cause, answered }: TraceEntry['detail'],
): End {
  const word = typeof outcome === 'string' ? outcome : '';
  const why = typeof reason === 'string' && reason !== '' ? reason : undefined;
  switch (draft.kind) {
    case 'alarm':
      return ALARM[word]?.(draft, why) ?? { result: 'done', reason: `The session ended: ${word}` };
    case 'alarmSent':
      return SENDING[word]?.(draft, why) ?? { result: 'done', reason: `The speech ended: ${word}` };
    case 'message':
      return (MESSAGE[word] ?? ended('failed', 'The message was not delivered'))(draft, why);
    case 'mediaService':
    case 'cloudUserAgent':
      return SERVICE[word]?.(draft, why) ?? serviceEnd(draft, answered === true, word);
    default:
      return callEnd(draft, { word, why, answered: answered === true, protocol, cause });
  }
}

const isSpoken = ({ times, answer }: Draft): boolean =>
  times.voiceJoined !== undefined || (answer !== undefined && answer.status < 300);

function serviceEnd(draft: Draft, answered: boolean, word: string): End {
  return answered || isSpoken(draft) || draft.legs !== undefined
    ? { result: 'done', reason: `The session ended: ${word}` }
    : { result: 'unanswered', reason: `The call ended before it was answered: ${word}` };
}

function callEnd(
  draft: Draft,
  {
    word,
    why,
    answered,
    protocol,
    cause,
  }: { word: string; why: string | undefined; answered: boolean; protocol: unknown; cause: unknown },
): End {
  const text = why ?? 'no reason was given';
  if (word === 'moved') return { result: 'done', reason: 'The call went on in another call' };
  if (word === 'refused') return { result: 'refused', reason: `The call was refused: ${text}` };
  // A call to an alarm bridge is an alarm as soon as one was read.
  if (draft.kind === 'call' && draft.protocol !== undefined && draft.times.voiceJoined === undefined)
    return { result: 'failed', reason: `The call brought no alarm: ${text}` };
  const isGood = protocol === 'SIP' && typeof cause === 'number' && cause < 300;
  if (draft.times.voiceJoined !== undefined || answered || isGood)
    return { result: 'done', reason: `The call ended: ${text}` };
  const status = protocol === 'SIP' && typeof cause === 'number' ? cause : draft.answer?.status;
  if (status !== undefined && REFUSALS.has(status))
    return { result: 'refused', reason: `The call was refused: ${text}` };
  return status !== undefined && status >= 500 && status < 600
    ? { result: 'failed', reason: `The call ended with an error: ${text}` }
    : { result: 'unanswered', reason: `No party answered the call: ${text}` };
}
