import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { EVENT_WORDS } from '../wording/event-words.ts';
import { PROTOCOL_NAMES } from '../wording/protocol-name.ts';

/** Names that every language has alike stand as texts. */
type Word = MessageDescriptor | string;

const ENCRYPTION = {
  negotiated: msg`where the other side offers it`,
  alwaysWithTLS: msg`always where the signalling is encrypted`,
  always: msg({ context: 'encryption', message: 'always' }),
  never: msg({ context: 'encryption', message: 'never' }),
};
const PROTOCOLS = {
  ...PROTOCOL_NAMES,
  multiprotocol: msg`several: the tones of a device are tried out`,
  deviceProvisioned: msg`that of the device`,
  call: msg`a call alone`,
  voicecall: msg`a call alone`,
  api: msg`events that an application sends`,
  callback: msg`an HTTPS request`,
  'sia-dcs': 'SIA DC-09 (SIA-DCS)',
  'adm-cid': 'SIA DC-09 (ADM-CID)',
};
const CODECS = { PCMA: 'PCMA (G.711 A-law)', PCMU: 'PCMU (G.711 µ-law)' };
const TONES = { 2833: msg`as events (RFC 4733)`, inaudio: msg`in the sound` };

/** Words for the values of a choice, by the name of its field, wherever it stands. */
export const CHOICE_WORDS: Readonly<Record<string, Readonly<Record<string, Word>>>> = {
  protocol: PROTOCOLS,
  alarmProtocol: PROTOCOLS,
  fallbackAlarmProtocol: PROTOCOLS,
  srtp: ENCRYPTION,
  protocolMode: { dtmf: msg`DTMF only` },
  enforceSpeakListen: {
    no: msg({ context: 'command', message: 'no command' }),
    speak: msg`speak to the device`,
    listen: msg`listen to the device`,
  },
  voiceCallSource: {
    any: msg`any address`,
    strict: msg`strict: the address of the alarm alone`,
  },
  calleeDtmfSendType: TONES,
  callerDtmfSendType: TONES,
  dtmfSendType: TONES,
  dataRequestType: { standard: msg`one tone of the protocol`, combined: msg`tone pair, then STMF` },
  alarmHandling: {
    forward: msg`forward to the other centre`,
    callback: msg`callback to the application of the receiver`,
    voiceOnly: msg`the call alone`,
    drop: msg`acknowledge, and send nothing`,
  },
  emergencyFallback: {
    error: msg`after an error of the application`,
    always: msg`always, without asking the application`,
  },
  accept: { key: msg`by the key 1`, answer: msg`by answering` },
  audio: { none: msg({ context: 'speech', message: 'none' }), simplex: 'Simplex', duplex: 'Duplex' },
  kind: {
    tone: msg`tones in a call`,
    xml: msg`XML in a SIP message`,
    ip: msg`frames over IP`,
    codes: msg`table of codes`,
    siaMapping: msg`events to SIA codes`,
  },
  digestAlgorithm: { auto: msg`SHA-256, and MD5 where needed`, md5: 'MD5', sha256: 'SHA-256' },
  codecLimit: CODECS,
  preferredCodec: CODECS,
  direction: { in: msg`calls that arrive`, out: msg`calls that leave`, both: msg`both ways` },
  otherwise: { default: msg`the usual way` },
  deviceType: EVENT_WORDS,
  statusCode: EVENT_WORDS,
  location: EVENT_WORDS,
  deviceComponent: {
    switch1: msg`Switch 1`,
    switch2: msg`Switch 2`,
    button1: msg`Button 1`,
    button2: msg`Button 2`,
    button3: msg`Button 3`,
    automatic1: msg`Automatic 1`,
    automatic2: msg`Automatic 2`,
    module1: msg`Module 1`,
    module2: msg`Module 2`,
    module3: msg`Module 3`,
    module4: msg`Module 4`,
    module5: msg`Module 5`,
    unspecified: msg`not specified`,
  },
  systemConfig: {
    localUnitAndController: msg`Local unit and controller`,
    groupedSupervisorOffDuty: msg`Group, supervisor off duty`,
    groupedSupervisorOnDuty: msg`Group, supervisor on duty`,
    groupedSupervisorOnDutyArc: msg`Group, supervisor on duty, and an alarm centre`,
  },
  transport: { udp: 'UDP', tcp: 'TCP', tls: 'TLS' },
  type: { RS256: 'RS256', RS512: 'RS512', ES256: 'ES256', EdDSA: 'EdDSA', HS256: 'HS256' },
};

/** The words for the values of this field in the language of the person. */
export const choiceWordsOf = (
  field: string,
  say: (sentence: MessageDescriptor) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(CHOICE_WORDS[field] ?? {}).map(([value, word]) => [
      value,
      typeof word === 'string' ? word : say(word),
    ]),
  );
