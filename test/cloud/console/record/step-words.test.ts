import '../english.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import type { Step } from '#cloud/console/component/trace/lane.ts';
import { detailOf, STEP_WORDS } from '#cloud/console/page/record/step-words.ts';
import { DEVICE_COMMANDS } from '#shared/alarm-event/index.ts';
import { emergencyProgressSchema } from '#shared/contract/callback/index.ts';

const APPLIANCE = join(import.meta.dirname, '../../../../appliance');

const said = (kind: string, detail: Step['detail']): string =>
  detailOf({ at: 0, hostId: 'gw-1', party: 'host', direction: 'own', kind, detail }, [], (words) =>
    i18n._(words),
  );

describe('the facts of a step', () => {
  it('stand on one line behind their names, with their units', () => {
    expect(said('stored', { eventId: '01k', tookMs: 6.73 })).toBe('event id 01k · 6.7 ms');
    expect(said('promptPlayed', { fileName: 'hello.wav', levelDbm0: -7 })).toBe(
      'file hello.wav · level -7 dBm0',
    );
    expect(said('promptPlayed', { levelDbm0: -7.234 })).toBe('level -7.2 dBm0');
  });

  it('have no name where the heading says it, and are left out where they are not so', () => {
    expect(said('callbackSent', { url: 'https://app', attempt: 1, late: false })).toBe(
      'https://app · attempt 1',
    );
    expect(said('sipAnswered', { status: 200, reason: 'OK', callId: 'x' })).toBe('200 · OK');
  });

  it('are a name alone where they are so', () => {
    expect(said('callbackSent', { attempt: 2, late: true })).toBe('attempt 2 · late');
  });

  it('name the event as people say it, and what the console does not know as the trace spells it', () => {
    expect(
      said('eventUnderstood', { eventType: 'common', statusCode: 'alarmManual', moonPhase: 'full' }),
    ).toBe('status Alarm by hand · moon phase full');
  });

  it.each([
    [
      'eventUnderstood',
      { audio: 'duplex', kind: 'first' },
      'speech in both directions · first event of the session',
    ],
    [
      'deviceIdentified',
      { deviceId: '4711', authType: 'credentials' },
      '4711 · User and password (SIP digest)',
    ],
    ['deviceIdentified', { deviceId: '4711', known: false }, '4711 · not provisioned'],
    [
      'receiverMatched',
      { protocol: 'bs8521', rule: 'destinationMatch 46*' },
      'BS 8521 · destination match 46*',
    ],
    ['alarmQueued', { alarmString: 'A1#', way: 'backup' }, 'content A1# · backup address'],
    [
      'alarmSendFailure',
      { warning: 'noRoute', reason: 'the call ended' },
      'cannot be reached · the call ended',
    ],
    ['alarmSending', { protocol: 'voicecall' }, 'voice call'],
    ['alarmRaised', { type: 'serviceAlarm', error: 'callLost' }, 'A call was lost'],
    ['alarmRaised', { type: 'unknownDevice' }, 'An event came from an unknown device'],
    ['deviceCommand', { command: 'volumeUp', by: 'receiver' }, 'Louder · asked by the receiver'],
    ['deviceCommand', { command: 'danceAlong' }, 'danceAlong'],
    ['handshake', { result: 'retried', saidAs: '2833' }, 'understood after repeats · tones as RTP events'],
    ['eventUnderstood', { systemConfig: 'localUnitAndController' }, 'system Local unit and controller'],
    ['sessionEnded', { reason: 'SIP 404 nobody here is 4711' }, 'SIP 404 no user here has the name 4711'],
    ['streamed', { event: 'STREAMFAILED' }, 'broke off'],
    ['emergencyProgress', { step: 'ringing', round: 2, isTest: true }, 'rings · round 2 · test call'],
    ['callbackSent', { url: 'https://app', attempt: 0 }, 'https://app · from the outbox of the host'],
    ['sessionEnded', { outcome: 'sent' }, 'sent'],
    ['sessionEnded', { outcome: 'the device has hung up' }, 'the device has hung up'],
    [
      'furtherEnd',
      { result: 'interrupted', counts: 'gw-2' },
      'Interrupted · the record of this host counts: gw-2',
    ],
  ])('say the values of %s in words: %o', (kind, detail, words) => {
    expect(said(kind, detail)).toBe(words);
  });

  it('are the members of an object, and the elements of a list', () => {
    const via = { analogueVoiceNumber: '+468', throughBridge: true };
    expect(said('decided', { kind: 'emergency', destination: 'sip:arc@x', via })).toBe(
      'the device is joined with the emergency destination · sip:arc@x · number for analogue devices +468 · through the voice bridge',
    );
    expect(said('handshake', { checkMethods: ['a', 'b'], levels: [] })).toBe('check methods a, b');
    expect(said('later', { parts: [{ round: 1 }, { round: 2 }] })).toBe('parts round 1, round 2');
  });

  it('have words for every command to a device, and every step of a call list', () => {
    const left = DEVICE_COMMANDS.filter((command) => said('deviceCommand', { command }) === command);
    expect(left).toEqual([]);
    const { step } = emergencyProgressSchema.shape;
    expect(step.options.filter((each) => said('emergencyProgress', { step: each }) === each)).toEqual([]);
  });
});

describe('a note', () => {
  it.each([
    ['receiver and device hear each other', 'receiver and device hear each other'],
    ['the call goes to cloudsipua 17 as 4711', 'the call goes to cloud user agent 17 as 4711'],
    [
      'a1.2: the ACK was not sent: its connection is closed, and sip:x takes no other one, as behind NAT',
      'a1.2: the ACK was not sent: its connection is closed, and sip:x takes no other one, as behind NAT',
    ],
    ['timer ignored in asking: not running', '“timer” ignored in state “asking”: its timer is not running'],
    ['speech: endOfSpeech by whisper, 300 ms of speech', 'speech: endOfSpeech, whisper, 300 ms'],
    ['the moon rose: 7', 'the moon rose: 7'],
    ['constructor', 'constructor'],
  ])('is said in words: %s', (text, words) => {
    expect(said('note', { text })).toBe(words);
  });
});

it('every kind of step that a host writes has words', () => {
  const source = readFileSync(join(APPLIANCE, 'kernel/session-trace.ts'), 'utf8');
  const [type = ''] = /export type TraceKind =[^;]*;/.exec(source.replaceAll(/\/\*\*[^*]*\*\//g, '')) ?? [];
  const kinds = [...type.matchAll(/\| '(\w+)'/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(30);
  expect([...kinds, 'furtherEnd'].filter((kind) => STEP_WORDS[kind] === undefined)).toEqual([]);
});
