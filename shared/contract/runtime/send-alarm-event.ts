import { z } from 'zod';
import { SEND_LIST } from '../../alarm-event/index.ts';

/** The values of `protocol`; a provisioned receiver may have any protocol a mapper can send. */
const DIRECT_SEND_PROTOCOLS = ['bs8521', 'scaip'] as const;

const text = (max: number, description: string, example: string) =>
  z.string().min(1).max(max).meta({ description, example });

/** A user part or number as it is written into a SIP address of ours. */
const sipUser = (description: string, example: string) =>
  z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9+\-_.!~*'()&=$,;?/%:#]+$/, 'must be a number or the user part of a SIP address')
    .meta({ description, example });

const called = (description: string, example: string) =>
  z
    .string()
    .max(512)
    .regex(
      /^(sips?:[^\s<>"]+|(tel|gsm):\+?[0-9*#.()-]+(;[^\s<>"]+)?|\+?[0-9A-Za-z*#._~-]+(@[^\s<>"@]+)?)$/,
      'must be a number, a SIP URI (sip:user@host) or a tel URI',
    )
    .meta({ description, example });

const word = <const Words extends readonly [string, ...string[]]>(words: Words, description: string) =>
  z.enum(words).meta({ description, example: words[0] });

const toneType = z.enum(['2833', 'inaudio']);

/** Field alarmEvent (runtime API document 2.1). */
const sentAlarmEventSchema = z
  .strictObject({
    eventType: z.literal('common').default('common').meta({ description: 'The only kind of event' }),
    deviceType: word(SEND_LIST.deviceType, 'Kind of device').default('unknown'),
    controllerId: text(
      64,
      'Controller; bs8521: 12 digits without deviceId, 8 digits with deviceId',
      '55667788',
    ),
    deviceId: text(64, 'Unit behind the controller; bs8521: 4 digits', '0042').optional(),
    deviceComponent: word(SEND_LIST.deviceComponent, 'Part of the device').optional(),
    systemConfig: word(SEND_LIST.systemConfig, 'Scheme of the controller').optional(),
    location: word(SEND_LIST.location, 'Place').optional(),
    callerId: text(
      256,
      'Caller id of the target protocol (crd of SCAIP)',
      'sip:unit-17@care.example',
    ).optional(),
    audio: z.enum(SEND_LIST.audio).optional().meta({
      description: 'Speech after the event; absent: duplex with alarmVoiceCallbackDestination, none without',
      example: 'duplex',
    }),
    priority: z.number().int().min(0).max(9).default(0).meta({ description: '0 lowest to 9 highest' }),
    customerSiteId: z
      .string()
      .regex(/^[a-zA-Z0-9_.-]+$/, 'must be letters, digits and _ - .')
      .optional()
      .meta({ description: 'Prefix of controllerId:deviceId in the search for the device' }),
    statusCode: word(SEND_LIST.statusCode, 'Event code; absent: alarm').optional(),
  })
  .meta({
    id: 'SentAlarmEvent',
    description: 'Alarm event to be sent, in words that hold for every protocol',
    example: {
      eventType: 'common',
      controllerId: '55667788',
      deviceId: '0042',
      deviceType: 'fallDetector',
      statusCode: 'alarm',
      location: 'bedRoom',
      audio: 'duplex',
      priority: 9,
    },
  });

/** BS 8521-1 6.4, as the API document puts it; `at` names the event in the document that is checked. */
export function bs8521IdentityFault({
  controllerId,
  deviceId,
}: {
  readonly controllerId: string;
  readonly deviceId?: string | undefined;
}): { readonly field: 'controllerId' | 'deviceId'; readonly reason: string } | undefined {
  const length = deviceId === undefined ? 12 : 8;
  const whose = deviceId === undefined ? 'without' : 'with';
  if (!new RegExp(`^[0-9]{${length}}$`).test(controllerId))
    return { field: 'controllerId', reason: `must be ${length} digits ${whose} deviceId (bs8521)` };
  if (deviceId !== undefined && !/^[0-9]{4}$/.test(deviceId))
    return { field: 'deviceId', reason: 'must be 4 digits (bs8521)' };
  return undefined;
}

/** POST /alarmbridge/{domain}/sendalarmevent (runtime API document 4.3). */
export const sendAlarmEventSchema = z
  .strictObject({
    traceId: z
      .string()
      .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters')
      .optional()
      .meta({ description: 'Trace id instead of the generated one', example: 'order-4711' }),
    sipFrom: sipUser('User part of From: the calling number', 'unit-17').optional(),
    toneHandler: z.literal('transparent').optional().meta({
      description: 'transparent: tones of the receiver reach the device as they are, not as its commands',
    }),
    toneSettings: z
      .strictObject({
        calleeDtmfSendType: toneType.optional().meta({ description: 'Towards the receiver' }),
        callerDtmfSendType: toneType.optional().meta({ description: 'Towards the device' }),
        dtmfSendType: toneType.default('inaudio').meta({ description: 'Towards both' }),
      })
      .optional()
      .meta({ description: 'Format of tones: in the audio or as RFC 2833 packets', example: {} }),
    protocolParameters: z
      .strictObject({
        resendAlarmInterval: z
          .number()
          .int()
          .min(100)
          .max(60_000)
          .optional()
          .meta({ description: 'Pause before an unacknowledged string is sent again, ms', 'x-unit': 'ms' }),
        sendAlarmStringDelay: z
          .number()
          .int()
          .min(0)
          .max(10_000)
          .optional()
          .meta({ description: 'Pause between data request and string, ms', 'x-unit': 'ms' }),
      })
      .optional()
      .meta({ description: 'Settings of analogue protocols', example: { sendAlarmStringDelay: 200 } }),
    alarmEvent: sentAlarmEventSchema,
    eventReceiver: text(
      256,
      'Matched to destinationMatch of a receiver, whose event sender supplies protocol and destination',
      'north',
    ).optional(),
    callbackSipFrom: sipUser('User part of From in the voice call to the device', '+46855511000').optional(),
    protocol: z
      .enum(DIRECT_SEND_PROTOCOLS)
      .optional()
      .meta({ description: 'Protocol of the event when no eventReceiver is named', example: 'scaip' }),
    alarmVoiceCallbackDestination: called(
      'Destination that is called for speech with the receiver, normally the device',
      'sip:unit-17@care.example',
    ).optional(),
    destAddr: z
      .string()
      .max(512)
      .regex(/^sips?:[^\s<>"]+$/, 'must be a SIP URI: sip:destination@domain')
      .optional()
      .meta({
        description: 'Target of the event when no eventReceiver is named',
        example: 'sip:alarm@arc.example',
      }),
    username: text(128, 'User of the SIP authentication', 'carillon').optional(),
    password: text(1_024, 'Password of the SIP authentication', '<PASSWORD>').optional(),
    defaultEmergencyDestination: called(
      'Destination when the receiver requests a call and names no number (CRE 61)',
      '+46855511001',
    ).optional(),
  })
  .superRefine((said, context) => {
    const refuse = (path: readonly string[], message: string) =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (said.eventReceiver === undefined) {
      if (said.protocol === undefined) refuse(['protocol'], 'is mandatory without eventReceiver');
      if (said.destAddr === undefined) refuse(['destAddr'], 'is mandatory without eventReceiver');
    }
    if ((said.username === undefined) !== (said.password === undefined))
      refuse(
        [said.username === undefined ? 'username' : 'password'],
        'is mandatory, because username and password belong together',
      );
    const isBs8521 = said.eventReceiver === undefined && said.protocol === 'bs8521';
    const fault = isBs8521 ? bs8521IdentityFault(said.alarmEvent) : undefined;
    if (fault !== undefined) refuse(['alarmEvent', fault.field], fault.reason);
  })
  .meta({
    id: 'SendAlarmEvent',
    description: 'Alarm event for a receiver',
    example: {
      alarmEvent: {
        controllerId: '55667788',
        deviceId: '0042',
        deviceType: 'fallDetector',
        statusCode: 'alarm',
      },
      eventReceiver: 'north',
      alarmVoiceCallbackDestination: 'sip:unit-17@care.example',
    },
  });

/** The immediate answer of sendalarmevent; the outcome comes by alarmSent or alarmSendFailure. */
export const sendAlarmEventAnswerSchema = z
  .object({
    success: z.literal(true).meta({ description: 'The event is stored and is being sent' }),
    traceId: z.string().meta({ description: 'Trace id in every callback and alarm of this event' }),
    sessionId: z.string().meta({ description: 'Sending session' }),
    message: z.string().meta({ description: 'Description as text' }),
    replyId: z
      .string()
      .optional()
      .meta({ description: 'For devicecommand and hangupalarmcall on this session' }),
  })
  .meta({ id: 'SendAlarmEventAnswer', description: 'The event was accepted' });

export type SendAlarmEventRequest = z.output<typeof sendAlarmEventSchema>;
export type SentAlarmEvent = z.output<typeof sentAlarmEventSchema>;
export type SendAlarmEventAnswer = z.output<typeof sendAlarmEventAnswerSchema>;
