import { describe, expect, it } from 'vitest';
import type { Decision } from '#appliance/alarm/protocol/index.ts';
import {
  controlTone,
  decodeRequest,
  decodeResponse,
  encodeResponse,
  isDirection,
  SCAIP_PROFILE,
  type ScaipProfileChange,
  scaipProfile,
  voiceAnswer,
  voiceOffer,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { DEVICE_COMMANDS } from '#shared/alarm-event/index.ts';

const asked = (inner = '') => {
  const read = decodeRequest(`<mrq><ref>R1</ref><cid>1</cid><dty>3</dty>${inner}</mrq>`);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};
const via = { throughBridge: false };
const emergency = (destination: string, more: object = {}): Decision => ({
  kind: 'emergency',
  destination,
  direction: 'duplex',
  via,
  ...more,
});
const DESTINATION = 'sip:help@arc.example';

/** The answer without what every answer has. */
function said(decision: Decision, crd = '', change: ScaipProfileChange = {}) {
  const { response, voice, alarms } = voiceAnswer(decision, asked(crd), scaipProfile(change));
  const { mre, cre, tnu, snu } = response;
  return { snu, mre, cre, tnu, voice, alarms: alarms.map(({ error }) => error) };
}

describe('a decision in the words of SCAIP', () => {
  it.each([
    ['drop', { kind: 'noVoice' }, '', { snu: 0, mre: 0, voice: 'none' }],
    [
      'a device without speech',
      emergency(DESTINATION),
      '<crd>no-voice:</crd>',
      { snu: 0, mre: 0, voice: 'none' },
    ],
    ['next receiver', { kind: 'notHandled', reason: 'x' }, '', { snu: 5, mre: 0, voice: 'refused' }],
    [
      'next receiver, device without speech',
      { kind: 'notHandled', reason: 'x' },
      '<crd>no-voice:</crd>',
      { snu: 5, mre: 0, voice: 'refused' },
    ],
    [
      'its own number',
      { kind: 'predefined', direction: 'duplex' },
      '',
      { snu: 0, mre: 1, cre: 61, voice: 'deviceCalls' },
    ],
    [
      'we call',
      { kind: 'callback', minutes: 5, destination: DESTINATION, direction: 'duplex' },
      '',
      { snu: 0, mre: 1, cre: 5, voice: 'weCall' },
    ],
    [
      'we call, at most an hour',
      { kind: 'callback', minutes: 90, destination: DESTINATION, direction: 'duplex' },
      '',
      { snu: 0, mre: 1, cre: 60, voice: 'weCall' },
    ],
    ['IP', emergency(DESTINATION), '', { snu: 0, mre: 1, cre: 62, tnu: [DESTINATION], voice: 'deviceCalls' }],
    [
      'listen',
      emergency(DESTINATION, { direction: 'listen' }),
      '',
      { snu: 0, mre: 2, cre: 62, tnu: [DESTINATION], voice: 'deviceCalls' },
    ],
    [
      'speak',
      emergency(DESTINATION, { direction: 'speak' }),
      '',
      { snu: 0, mre: 3, cre: 62, tnu: [DESTINATION], voice: 'deviceCalls' },
    ],
    [
      'IP before mobile',
      emergency(DESTINATION, { via: { ...via, analogueVoiceNumber: '+46' } }),
      '<crd>gsm:+1</crd><crd>sip:</crd>',
      { snu: 0, mre: 1, cre: 62, tnu: [DESTINATION], voice: 'deviceCalls' },
    ],
    [
      'mobile only',
      emergency(DESTINATION, { via: { ...via, analogueVoiceNumber: 'tel:+46' } }),
      '<crd>tel:</crd>',
      { snu: 0, mre: 1, cre: 62, tnu: ['gsm:+46'], voice: 'deviceCalls' },
    ],
    [
      'a bare number for an IP device',
      emergency('+4685551', { via: { ...via, voiceBridge: 'sip:voice@site.example:5060' } }),
      '',
      { snu: 0, mre: 1, cre: 62, tnu: ['sip:+4685551@site.example:5060'], voice: 'deviceCalls' },
    ],
    [
      'user and host without scheme',
      emergency('help@arc.example'),
      '',
      { snu: 0, mre: 1, cre: 62, tnu: [DESTINATION], voice: 'deviceCalls' },
    ],
    [
      'through the voice bridge',
      emergency(DESTINATION, { via: { throughBridge: true, voiceBridge: 'sip:voice@site.example' } }),
      '',
      { snu: 0, mre: 1, cre: 62, tnu: ['sip:voice@site.example'], voice: 'deviceCalls' },
    ],
  ] as const)('%s', (_, decision, crd, wanted) => {
    expect(said(decision as Decision, crd)).toEqual({
      cre: undefined,
      tnu: undefined,
      alarms: [],
      ...wanted,
    });
  });

  it('gives a mobile device our bridge when no telephone number is set, and says so', () => {
    const decision = emergency(DESTINATION, { via: { ...via, voiceBridge: 'sip:voice@site.example' } });
    expect(said(decision, '<crd>gsm:</crd>')).toMatchObject({
      mre: 1,
      cre: 62,
      tnu: ['sip:voice@site.example'],
      alarms: ['analogueVoiceNumberMissing'],
    });
    expect(said(emergency(DESTINATION), '<crd>gsm:</crd>').tnu).toEqual([DESTINATION]);
  });

  it('offers more numbers, and names the medium, when the profile says so', () => {
    const decision = emergency(DESTINATION, { via: { ...via, analogueVoiceNumber: '+46' } });
    const crd = '<crd>sip:</crd><crd>gsm:</crd>';
    expect(said(decision, crd, { maxTnu: 2 }).tnu).toEqual([DESTINATION, 'gsm:+46']);
    const predefined: Decision = { kind: 'predefined', direction: 'duplex' };
    expect(said(predefined, crd, { voice: { predefinedMedium: 'gsm' } })).toMatchObject({
      cre: 61,
      tnu: ['gsm:'],
    });
    expect(said(predefined, '<crd>sip:</crd>', { voice: { predefinedMedium: 'gsm' } }).tnu).toBeUndefined();
  });
});

describe('the offer of speech', () => {
  it.each([
    ['', {}, { voice: true }],
    ['<cha>1</cha>', {}, { voice: true, callbackMinutes: 5 }],
    ['<cha>1</cha>', { voice: { callbackMinutes: 20 } }, { voice: true, callbackMinutes: 20 }],
    ['<cha>1</cha>', { voice: { callbackWhenAsked: false } }, { voice: true }],
    ['<cha>1</cha><crd>no-voice:</crd>', {}, { voice: false }],
  ] as const)('%s', (inner, change, wanted) => {
    expect(voiceOffer(asked(inner), scaipProfile(change))).toEqual(wanted);
  });
});

describe('a response', () => {
  it('is written in full width and in order', () => {
    const response = { ref: 'A<', snu: 0, mre: 1, cre: 5, tnu: ['sip:a@b?x=1&y=2'], heartbeatMinutes: 60 };
    expect(encodeResponse(response)).toBe(
      '<mrs><ref>A&lt;</ref><snu>0</snu><mre>1</mre><cre>05</cre><tnu>sip:a@b?x=1&amp;y=2</tnu><hbi>60</hbi></mrs>',
    );
  });

  it('is read back', () => {
    const response = {
      ref: 'A1',
      snu: 0,
      mre: 2,
      cre: 62,
      tnu: ['gsm:+1', 'sip:'],
      statusText: 'ok',
      version: '00.90',
    };
    expect(decodeResponse(encodeResponse(response))).toEqual({ ok: true, value: response });
  });

  it('names the version in common only when it is an older one', () => {
    expect(encodeResponse({ ref: '1', snu: 0, version: '02.00' })).not.toContain('cve');
    expect(encodeResponse({ ref: '1', snu: 0, version: '00.90' })).toContain('<cve>00.90</cve>');
  });

  it('has defaults of its own', () => {
    expect(decodeResponse('<mrs><ref>1</ref><snu>004</snu></mrs>')).toEqual({
      ok: true,
      value: { ref: '1', snu: 4, mre: 0, cre: 61 },
    });
  });

  it.each([
    '',
    '<mrq/>',
    '<mrs><snu>0</snu></mrs>',
    '<mrs><ref>1</ref></mrs>',
    '<mrs><ref>1</ref><snu>x</snu></mrs>',
  ])('is malformed: %s', (xml) => {
    expect(decodeResponse(xml)).toMatchObject({ ok: false, error: { code: 'Malformed' } });
  });
});

describe('control tones', () => {
  it.each([
    ['clearDown', '0'],
    ['volumeDown', '1'],
    ['volumeUp', '3'],
    ['switchToDuplex', '4'],
    ['switchToSimplex', '7'],
    ['listen', '7'],
    ['speak', '8'],
    ['releaseDoorLock1', '9'],
    ['releaseDoorLock2', '9'],
    ['releaseSafeLock', '9'],
    ['keepAlive', '4'],
    ['resetSpeechSettings', null],
    ['selectSpeaker1', null],
    ['selectSpeaker2', null],
    ['setVolumeLevel1', null],
    ['setVolumeLevel2', null],
    ['setVolumeLevel3', null],
  ] as const)('%s is %s', (command, digits) => {
    const tone = controlTone(command, SCAIP_PROFILE);
    expect(tone.ok ? tone.value : null).toEqual(digits === null ? null : { digits, ms: 200, pauseMs: 200 });
  });

  it('are there for every command', () => {
    for (const command of DEVICE_COMMANDS) expect(() => controlTone(command, SCAIP_PROFILE)).not.toThrow();
  });

  it('repeat the direction, and send tones as given', () => {
    expect(controlTone('keepAlive', SCAIP_PROFILE, { direction: '8' })).toMatchObject({
      value: { digits: '8' },
    });
    expect(controlTone('sendTones', SCAIP_PROFILE, { toneString: '12#', duration: 20 })).toMatchObject({
      value: { digits: '12#', ms: 20, pauseMs: 40 },
    });
    expect(['0', '4', '7', '8'].map(isDirection)).toEqual([false, true, true, true]);
  });
});
