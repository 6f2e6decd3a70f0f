import { describe, expect, it } from 'vitest';
import { RECORD_RESULTS, type RecordKind } from '#shared/contract/session-record/index.ts';
import { recorderRoom } from './recorder-room.ts';

/** The entry `sessionEnded`, and the result; `spoken`: both parties heard each other. */
const ENDINGS: readonly [RecordKind, Readonly<Record<string, unknown>>, string, 'spoken'?][] = [
  ['alarm', { outcome: 'handled' }, 'done'],
  ['alarm', { outcome: 'cleared' }, 'done'],
  ['alarm', { outcome: 'callCleared' }, 'done', 'spoken'],
  ['alarm', { outcome: 'notHandled' }, 'failed'],
  ['alarm', { outcome: 'deviceHungUp' }, 'unanswered'],
  ['alarm', { outcome: 'deviceHungUp' }, 'done', 'spoken'],
  ['alarm', { outcome: 'unreached' }, 'unanswered'],
  ['alarm', { outcome: 'voiceMissing' }, 'unanswered'],
  ['alarm', { outcome: 'deviceGone' }, 'unanswered'],
  ['alarm', { outcome: 'notStored' }, 'failed'],
  ['alarm', { outcome: 'interrupted' }, 'interrupted'],
  ['alarmSent', { outcome: 'sent' }, 'done'],
  ['alarmSent', { outcome: 'failed' }, 'failed'],
  ['alarmSent', { outcome: 'the centre has cleared the call' }, 'done'],
  ['call', { outcome: 'refused', reason: '404 nobody has this number' }, 'refused'],
  [
    'call',
    { outcome: 'ended', answered: false, protocol: 'SIP', cause: 486, reason: 'SIP 486 Busy' },
    'refused',
  ],
  [
    'call',
    { outcome: 'ended', answered: false, protocol: 'SIP', cause: 408, reason: 'SIP 408' },
    'unanswered',
  ],
  ['call', { outcome: 'ended', answered: false, protocol: 'SIP', cause: 500, reason: 'SIP 500' }, 'failed'],
  [
    'call',
    { outcome: 'ended', answered: false, protocol: 'Q.850', cause: 16, reason: 'Q.850 16' },
    'unanswered',
  ],
  ['call', { outcome: 'ended', answered: true, protocol: 'Q.850', cause: 16, reason: 'Q.850 16' }, 'done'],
  ['call', { outcome: 'moved' }, 'done'],
  ['mediaService', { outcome: 'drop' }, 'refused'],
  ['mediaService', { outcome: 'drop' }, 'done', 'spoken'],
  ['mediaService', { outcome: 'maxDuration' }, 'done', 'spoken'],
  ['mediaService', { outcome: 'callingPartyDrop' }, 'unanswered'],
  ['mediaService', { outcome: 'notAnswered' }, 'unanswered'],
  ['mediaService', { outcome: 'newCallEventError' }, 'failed'],
  ['mediaService', { outcome: 'ivrCommandError' }, 'failed'],
  ['mediaService', { outcome: 'mediaServerError' }, 'failed'],
  ['cloudUserAgent', { outcome: 'hungUp', answered: true }, 'done'],
  ['cloudUserAgent', { outcome: 'hungUp', answered: false }, 'unanswered'],
  ['cloudUserAgent', { outcome: 'callFailed', reason: '408 no answer' }, 'unanswered'],
  ['cloudUserAgent', { outcome: 'callFailed', reason: '486 Busy' }, 'refused'],
  ['cloudUserAgent', { outcome: 'callbackFailed' }, 'failed'],
  ['cloudUserAgent', { outcome: 'mediaLost', answered: true }, 'failed'],
  [
    'recording',
    { outcome: 'ended', answered: true, protocol: 'Q.850', cause: 16, reason: 'Q.850 16' },
    'done',
  ],
  [
    'recording',
    { outcome: 'ended', answered: false, protocol: 'SIP', cause: 603, reason: 'SIP 603' },
    'refused',
  ],
  ['message', { outcome: 'done' }, 'done'],
  ['message', { outcome: 'refused', reason: '404 no receiver' }, 'refused'],
  ['message', { outcome: 'failed', reason: '503 not stored' }, 'failed'],
];

describe('every ending of a session', () => {
  it.each(ENDINGS)('%s, %j: %s %s', (kind, detail, result, spoken) => {
    const room = recorderRoom();
    const trace = room.session({ kind, sessionId: 's' });
    if (spoken !== undefined) trace.add('voiceJoined', { leg: '2' });
    trace.add('sessionEnded', detail);
    room.after(300);
    const [record] = room.records.all();
    expect(record?.result).toBe(result);
    // A sentence in words, with the detail behind it.
    expect(record?.reason).toMatch(/^[A-Z][a-z]* [a-z]+/);
    if (typeof detail.reason === 'string') expect(record?.reason).toContain(detail.reason);
  });

  it('a call to an alarm bridge that brought no alarm failed, however well it was answered', () => {
    const room = recorderRoom();
    const trace = room.session({ kind: 'call', sessionId: 's', protocol: 'bs8521' });
    trace.add('sessionEnded', { outcome: 'ended', answered: true, reason: 'Q.850 16 Normal call clearing' });
    room.after(300);
    expect(room.records.all()).toMatchObject([{ result: 'failed', reason: /^The call brought no alarm: / }]);
  });

  it.each([
    ['has accepted the alarm when it speaks', true, 'sip:operator@care.example'],
    ['has accepted nothing before it speaks', false, undefined],
  ])('a destination that is called %s', (_, speaks, accepted) => {
    const room = recorderRoom();
    const trace = room.session({ kind: 'alarm', sessionId: 's' });
    trace.add('voiceJoining', { destination: 'sip:operator@care.example', direction: 'duplex' });
    if (speaks) trace.add('voiceJoined', { leg: '2' });
    trace.add('sessionEnded', { outcome: 'deviceHungUp' });
    room.after(300);
    const [record] = room.records.all();
    expect(record?.acceptedBy).toBe(accepted);
    expect(record).not.toHaveProperty('called');
  });

  it('every result is that of some ending, but for one that goes on', () => {
    const said = new Set(ENDINGS.map(([, , result]) => result));
    expect([...said, 'running'].toSorted()).toEqual([...RECORD_RESULTS].toSorted());
  });
});
