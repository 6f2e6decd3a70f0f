import { GROUND, type Row } from './row.ts';

/** The rows of alarms behind their protocols: sessions, receivers, speech, sending. */
export const ALARM_ROWS: readonly Row[] = [
  {
    folders: ['appliance/alarm/handshake'],
    may: GROUND,
    reason: 'statistics of handshakes need the handshakes only',
  },
  {
    folders: ['appliance/alarm/profile'],
    may: [...GROUND, 'appliance/alarm/protocol'],
    typesOf: ['appliance/replica'],
    reason: 'a profile changes the tables of protocols that it names',
  },
  {
    folders: ['appliance/alarm/receiving'],
    may: [
      ...GROUND,
      'appliance/alarm/heartbeat',
      'appliance/alarm/profile',
      'appliance/alarm/protocol',
      'appliance/alarm/receiver',
      'appliance/alarm/session',
      'appliance/delivery',
    ],
    typesOf: ['appliance/replica', 'appliance/sip'],
    reason: 'an alarm is received, stored and delivered without any call',
  },
  {
    folders: ['appliance/alarm/receiving/adapter'],
    may: [
      ...GROUND,
      'appliance/alarm/protocol',
      'appliance/alarm/receiving',
      'appliance/registration/device-place.ts',
      'appliance/sip/endpoint',
    ],
    typesOf: [
      'appliance/alarm/profile',
      'appliance/alarm/receiver',
      'appliance/delivery',
      'appliance/registration',
      'appliance/replica',
      'appliance/sip',
    ],
    reason: 'an adapter answers its devices; the session that it feeds knows no protocol',
  },
  {
    folders: ['appliance/alarm/history'],
    may: ['shared', 'appliance/alarm/receiver', 'appliance/alarm/receiving', 'appliance/delivery/callback'],
    typesOf: ['appliance/delivery'],
    reason: 'a draft is tried on stored alarms by the parts that received them, without an engine',
  },
  {
    folders: [
      'appliance/alarm/voice',
      'appliance/alarm/nowip',
      'appliance/alarm/audit',
      'appliance/alarm/people',
      'appliance/alarm/emergency-data',
    ],
    may: [
      ...GROUND,
      'appliance/alarm',
      'appliance/call/control',
      'appliance/call/session',
      'appliance/delivery',
      'appliance/media',
    ],
    typesOf: ['appliance/call/sound', 'appliance/replica'],
    reason: 'speech joins an alarm with a call; it is where the two engines meet',
  },
  {
    folders: ['appliance/alarm/stream'],
    may: [...GROUND, 'appliance/alarm', 'appliance/call/sound', 'appliance/delivery'],
    typesOf: ['appliance/media', 'appliance/replica'],
    reason: 'a program hears the call of an alarm; it knows the call as the alarm sees it, and no SIP',
  },
  {
    folders: ['appliance/alarm/sending'],
    may: [
      ...GROUND,
      'appliance/alarm',
      'appliance/call/control',
      'appliance/call/message',
      'appliance/call/session',
      'appliance/delivery',
      'appliance/registration/device-place.ts',
      'appliance/sip',
    ],
    typesOf: [
      'appliance/call/trunk',
      'appliance/media',
      'appliance/operation',
      'appliance/registration',
      'appliance/replica',
    ],
    reason: 'an event goes on to a receiver by every way that an alarm can come',
  },
  {
    folders: ['appliance/alarm/sending/order'],
    may: ['shared', 'appliance/alarm/protocol', 'appliance/alarm/sender'],
    typesOf: [
      'appliance/alarm/profile',
      'appliance/alarm/receiver',
      'appliance/call/session',
      'appliance/delivery',
      'appliance/replica',
      'appliance/sip/auth',
    ],
    reason: 'the contents and the target of an order are decided without a network and without a session',
  },
];
