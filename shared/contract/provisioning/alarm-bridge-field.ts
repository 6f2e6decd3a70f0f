import { z } from 'zod';
import { customEventMapSchema } from './event-map.ts';
import { durationMsField, httpsUrlField, regexField } from './field.ts';
import { FALLBACK_PROTOCOLS } from './protocol.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';
import { toneSettingsSchema } from './tone-settings.ts';

const flag = (initial: boolean, description: string) => z.boolean().default(initial).meta({ description });
const text = (description: string) => z.string().optional().meta({ description });

/**
 * Fields of an alarm bridge, whatever its protocol (provisioning document 2.1).
 *
 * Chosen: a field that means something to one protocol only is accepted beside every protocol, so that the
 * protocol of a bridge can be changed by a patch of one property.
 * Chosen: `defaultHeartbeatInterval` gets no default here although the document names 300000: setting it is
 * what switches supervision on.
 */
export const alarmBridgeField = {
  protocolMode: z.enum(['dtmf']).optional().meta({ description: 'tt92: DTMF only, without STMF' }),
  name: z.string().min(1).max(200).meta({ description: 'Name given by the customer' }),
  destinationMatch: regexField.min(1).meta({
    description: 'RE2 expression; calls and messages to a destination it finds are handled by this bridge',
    example: '^scaip$',
  }),
  order: z
    .number()
    .default(1000)
    .meta({ description: 'Of several bridges that match, the lowest order wins, then the lowest id' }),
  description: text('Description'),
  enforceSpeakListen: z.enum(['no', 'speak', 'listen']).optional().meta({
    description: 'Command given by the service once speech is joined; absent or no: none',
  }),
  defaultHeartbeatInterval: durationMsField.min(300_000).optional().meta({
    description: 'ms; setting it switches heartbeat supervision on for every device of this bridge',
  }),
  customEventMap: customEventMapSchema.optional(),
  customerSiteId: z
    .string()
    .regex(/^[a-zA-Z0-9_\-.]+$/)
    .optional()
    .meta({ description: 'Prefix of the device identity, and a field of newAlarmbridgeEvent' }),
  auditRecording: flag(false, 'Record alarm sessions for audit'),
  analogueVoiceNumber: text('Number given to devices that can only make gsm or tel calls'),
  useVoiceBridge: flag(false, 'Voice bridge'),
  dataRequestInterval: durationMsField
    .default(1600)
    .meta({ description: 'bs8521: time between data request tones, ms' }),
  alarmEventMapperId: text('Alarm event mapper used by this bridge'),
  useVPNConnection: flag(false, 'No NAT traversal in the SIP server, private media addresses'),
  fallbackAlarmProtocol: z
    .enum(FALLBACK_PROTOCOLS)
    .optional()
    .meta({ description: 'Asked once more when nothing else answered' }),
  callbackTimeout: durationMsField
    .default(15_000)
    .meta({ description: 'Longest wait for the answer to a callback, ms' }),
  toneSettings: toneSettingsSchema.optional(),
  controlCommandsEnabled: flag(
    true,
    'Stay in the media path after speech is joined; needed for devicecommand',
  ),
  arcDisconnectClearsCall: flag(true, 'A hang-up of the ARC first sends clear-down to the device'),
  callbackName: text('Name of the callback'),
  callbackDescription: text('Description of the callback'),
  callbackBaseUrl: httpsUrlField.optional().meta({
    description: 'Callbacks go to this URL plus their path',
    example: 'https://arc.example/callback',
  }),
  restAuthentication: restAuthenticationSchema.optional(),
  resolveDeviceFromDeviceCLI: flag(false, 'Find the device by its deviceCLI and the calling number'),
  defaultEmergencyDestination: text('Emergency destination of devices that name none'),
  enforceIvrDestination: flag(false, 'Calls may be routed to another media service of the platform'),
  lacsCallback: text('Callback number in the answer of LACS'),
  protocolProfile: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Protocol profile of the tenant, or a built-in one, used instead of the default' }),
} as const;

/** Fields only the service sets. */
export const alarmBridgeServiceField = {
  id: z.string().meta({ description: 'Unique id, made by the service', readOnly: true }),
  callbackId: z
    .string()
    .optional()
    .meta({ description: 'Id of the callback resource, made by the service', readOnly: true }),
} as const;
