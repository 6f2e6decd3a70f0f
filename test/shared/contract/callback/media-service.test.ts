import { describe, expect, it } from 'vitest';
import {
  callDecisionSchema,
  ivrCommandSchema,
  MEDIA_ALARM_ERRORS,
  platformAlarmSchema,
} from '#shared/contract/callback/index.ts';
import { MEDIA_OPERATION_SCHEMAS } from '#shared/contract/runtime/index.ts';

describe('a command of the IVR', () => {
  it.each([
    { phrases: [{ format: 'cloudtts', cloudTTSParameters: { Text: 'Hi', TextType: 'ssml' } }] },
    { phrases: [{ format: 'file', fileName: 'a.wav', repeat: 3, repeatPause: 0.5, volume: -6 }] },
    {
      phrases: [
        { format: 'url', url: 'https://x.example/a.mp3' },
        { format: 'silence', duration: 100 },
      ],
    },
    {
      phrases: [
        { format: 'tone', frequency: 440, duration: 100, level: -20 },
        { format: 'dtmf', digits: '1#' },
      ],
    },
    { backgroundPrompt: { format: 'file', fileName: 'a.wav', repeatPause: 5 }, getIVRCommandAfter: 2.5 },
    {
      dtmf: {
        maxDigits: 4,
        minDigits: 1,
        finishOnKey: '#*',
        pattern: '^\\d+$',
        bargeIn: false,
        clearBuffer: true,
      },
    },
    { record: { fileName: 'a.mp3', maxDuration: 10, silenceTimeout: 2, finishOnKey: '#', beep: true } },
    { echo: true, hangup: false, somethingNew: 1 },
  ])('may say %j', (said) => {
    expect(ivrCommandSchema.safeParse(said).error).toBeUndefined();
  });

  it.each([
    { phrases: [{ format: 'tone', frequency: 20, duration: 100 }] },
    { phrases: [{ format: 'dtmf', digits: '1x' }] },
    { phrases: [{ format: 'file' }] },
    { phrases: Array(201).fill({ format: 'silence', duration: 1 }) },
    { phrases: [{ format: 'silence', duration: 1, repeat: 0 }] },
    { record: { maxDuration: 1 } },
    { getIVRCommandAfter: '5' },
  ])('may not say %#', (said) => {
    expect(ivrCommandSchema.safeParse(said).success).toBe(false);
  });
});

describe('a decision', () => {
  it.each([
    {
      action: 'call',
      destAddr: 'sip:1@x.example',
      xHeaders: { 'X-A': ['b', 'c'] },
      contactParameters: { a: null },
    },
    { action: 'connect', participantId: 'p', replyId: 'r' },
    { action: 'joinconferenceconnection', connectionId: 'c' },
    { action: 'ivr', sessionReferenceId: 'text' },
    { action: 'drop', dropCode: 699 },
  ])('may be %j', (said) => {
    expect(callDecisionSchema.safeParse(said).error).toBeUndefined();
  });

  it.each([
    [{ action: 'call' }, 'destAddr'],
    [{ action: 'connect' }, 'participantId'],
    [{ action: 'joinconferenceconnection' }, 'connectionId'],
    [{ action: 'call', destAddr: '1', xHeaders: { Via: 'x' } }, 'xHeaders'],
    [{ action: 'call', destAddr: '1', pHeaders: { 'X-A': 'x' } }, 'pHeaders'],
    [{ action: 'drop', dropCode: 399 }, 'dropCode'],
    [{ action: 'call', destAddr: '1', greeting: { playMode: 'never' } }, 'greeting'],
  ])('may not be %j', (said, path) => {
    expect(callDecisionSchema.safeParse(said).error?.issues[0]?.path[0]).toBe(path);
  });
});

it('every alarm of a media service is one of the platform', () => {
  for (const [type, errors] of Object.entries(MEDIA_ALARM_ERRORS))
    for (const error of errors)
      expect(platformAlarmSchema.safeParse({ type, error, domain: 'a.test', time: 1 }).error).toBeUndefined();
});

it('operations refuse what they do not know', () => {
  for (const schema of Object.values(MEDIA_OPERATION_SCHEMAS)) {
    const read = schema.safeParse({ replyID: 'x' });
    expect(read.error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
  }
});
