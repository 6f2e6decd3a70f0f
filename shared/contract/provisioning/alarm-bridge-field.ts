import { z } from 'zod';
import { emergencyCallListSchema } from './emergency/call-list.ts';
import { customEventMapSchema } from './event-map.ts';
import {
  destinationMatchField,
  durationMsField,
  flagField,
  httpsUrlField,
  nameField,
  orderField,
  profileNameField,
  textField,
} from './field.ts';
import { FALLBACK_PROTOCOLS } from './protocol.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';
import { toneSettingsSchema } from './tone-settings.ts';

/**
 * Fields of an alarm bridge, whatever its protocol (provisioning document 2.1).
 *
 * Chosen: a field that means something to one protocol only is accepted beside every protocol, so that the
 * protocol of a bridge can be changed by a patch of one property.
 * Chosen: `defaultHeartbeatInterval` gets no default here although the document names 300000: setting it is
 * what switches supervision on.
 */
export const alarmBridgeField = {
  protocolMode: z
    .enum(['dtmf'])
    .optional()
    .meta({ description: 'tt92: DTMF only, without STMF', example: 'dtmf' }),
  name: nameField.meta({ description: 'Name given by the customer', example: 'SCAIP alarms' }),
  destinationMatch: destinationMatchField.meta({
    description: 'RE2 expression; this bridge handles calls and messages to a destination that matches',
    example: '^scaip$',
  }),
  order: orderField,
  description: textField('Description', 'Alarm units of the north'),
  enforceSpeakListen: z.enum(['no', 'speak', 'listen']).optional().meta({
    description: 'Command that the service sends when speech is connected; absent or no: none',
    example: 'listen',
  }),
  defaultHeartbeatInterval: durationMsField.min(300_000).optional().meta({
    description: 'Heartbeat interval; when set, every device of this bridge is supervised',
    example: 3_600_000,
    'x-unit': 'ms',
  }),
  customEventMap: customEventMapSchema.optional(),
  customerSiteId: z
    .string()
    .regex(/^[a-zA-Z0-9_\-.]+$/)
    .optional()
    .meta({
      description: 'Prefix of the device identity, and a field of newAlarmbridgeEvent',
      example: 'north',
    }),
  auditRecording: flagField(false, 'Record alarm sessions for audit'),
  analogueVoiceNumber: textField(
    'Number given to devices that can only make gsm or tel calls',
    '+46855511010',
  ),
  useVoiceBridge: flagField(false, 'Voice bridge'),
  dataRequestInterval: durationMsField.default(1600).meta({
    description: 'bs8521: time between data request tones',
    example: 2000,
    'x-unit': 'ms',
  }),
  alarmEventMapperId: textField('Alarm event mapper used by this bridge', '01j9z3n6t2v4q8w5x7y1b3c5d7'),
  useVPNConnection: flagField(false, 'No NAT traversal in the SIP server, private media addresses'),
  fallbackAlarmProtocol: z.enum(FALLBACK_PROTOCOLS).optional().meta({
    description: 'Protocol of a further request when no other protocol has answered',
    example: 'bs8521',
  }),
  callbackTimeout: durationMsField.default(15_000).meta({
    description: 'Longest wait for the answer to a callback',
    example: 5_000,
    'x-unit': 'ms',
  }),
  toneSettings: toneSettingsSchema.optional(),
  controlCommandsEnabled: flagField(
    true,
    'Stay in the media path after speech is connected; needed for devicecommand',
  ),
  voiceCallSource: z.enum(['any', 'strict']).optional().meta({
    description:
      'Voice calls into the alarm of a device of authType deviceid. any, the default: a call from another address than the alarm is taken and raises serviceAlarm voiceFromOtherAddress. strict: it is refused. A device with a password proves itself, and its address does not count',
    example: 'strict',
  }),
  arcDisconnectClearsCall: flagField(true, 'A hang-up of the ARC first sends clear-down to the device'),
  callbackName: textField('Name of the callback', 'Alarm application'),
  callbackDescription: textField('Description of the callback', 'Runs at the alarm centre'),
  callbackBaseUrl: httpsUrlField.optional().meta({
    description: 'Callbacks go to this URL plus their path',
    example: 'https://arc.example/callback',
  }),
  restAuthentication: restAuthenticationSchema.optional(),
  resolveDeviceFromDeviceCLI: flagField(false, 'Find the device by its deviceCLI and the calling number'),
  defaultEmergencyDestination: textField(
    'Emergency destination of devices that name none. With neither, an alarm with voice is refused when the application answers callEmergencyCenter',
    '+46855511000',
  ),
  emergencyCallList: emergencyCallListSchema.optional().meta({
    description:
      'People who are called instead of defaultEmergencyDestination, which must stand beside it. Answers 409 while a host of the tenant cannot call from a list',
  }),
  enforceIvrDestination: flagField(false, 'Calls may be routed to another media service of the platform'),
  lacsCallback: textField('Callback number in the answer of LACS', '+46855511003'),
  protocolProfile: profileNameField.optional().meta({
    description: 'Protocol profile of the tenant or a built-in one, used instead of the default',
    example: 'bs8521-slow',
  }),
} as const;

/** Fields only the service sets. */
export const alarmBridgeServiceField = {
  id: z.string().meta({
    description: 'Unique id, generated by the service',
    readOnly: true,
    example: '01j9z3n6t2v4q8w5x7y1b3c5d7',
  }),
  callbackId: z.string().optional().meta({
    description: 'Id of the callback resource, generated by the service',
    readOnly: true,
    example: '01j9z3n6t2v4q8w5x7y1b3c5d8',
  }),
} as const;
