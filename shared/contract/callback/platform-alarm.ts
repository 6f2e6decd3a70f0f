import { z } from 'zod';
import { receivedAlarmEventSchema } from './received-event.ts';

/** Every platform alarm says what, for whom, when, under which trace and where. */
const head = {
  domain: z.string().meta({ description: 'Tenant' }),
  time: z.number().int().meta({ description: 'Epoch ms' }),
  traceId: z.string().optional().meta({ description: 'Trace the alarm belongs to' }),
  siteId: z.string().optional().meta({ description: 'Site that observed the condition' }),
  late: z.literal(true).optional().meta({ description: 'The event was sent after an outage' }),
};

const alarm = <const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  description: string,
  shape: Shape,
) =>
  z
    .object({ type: z.literal(type).meta({ description: 'Kind of alarm' }), ...head, ...shape })
    .meta({ id: schemaName(type), description });

/** `authError` is AuthErrorAlarm, `serviceAlarm` is ServiceAlarm. */
function schemaName(type: string): string {
  return `${type.charAt(0).toUpperCase()}${type.slice(1).replace(/Alarm$/, '')}Alarm`;
}

const text = (description: string) => z.string().meta({ description });
const optionalText = (description: string) => z.string().optional().meta({ description });

const monitoringDetails = z
  .object({
    message: optionalText('Description of the event and of the remedy'),
    value: z.union([z.string(), z.number()]).optional().meta({ description: 'Measured value' }),
    threshold: z.union([z.string(), z.number()]).optional().meta({ description: 'Limit' }),
    condition: optionalText('Comparison of value and limit'),
    status: z.enum(['raised', 'cleared']).optional().meta({ description: 'Begin or end of the alarm' }),
    service: optionalText('Service concerned'),
    severity: z.enum(['info', 'warning', 'major', 'critical']).optional().meta({ description: 'Severity' }),
    siteId: optionalText('Site'),
    hostId: optionalText('Host'),
  })
  .meta({ id: 'MonitoringDetails', description: 'Observation of a probe' });

/** The fields of an alarm of the media service (media document 6); which error goes with which type: `MEDIA_ALARM_ERRORS`. */
const mediaAlarm = {
  error: text('Description of the failure'),
  errorDetails: z.record(z.string(), z.unknown()).optional().meta({ description: 'Facts' }),
  sessionId: optionalText('Call session'),
  participantId: optionalText('Participant'),
  user: optionalText('User of the participant'),
  callId: optionalText('Call-ID'),
  status: z.number().int().optional().meta({ description: 'SIP or HTTP status' }),
};

/** Reasons of a serviceAlarm; the device side goes on, a person must look. */
export const SERVICE_ALARM_ERRORS = [
  'alarmNotSent',
  'analogueVoiceNumberMissing',
  'auditRecordingFailed',
  'callListTestFailed',
  'callLost',
  'credentialUnusable',
  'dc09Rejected',
  'dc09Unreadable',
  'destinationUnreached',
  'digestFallback',
  'emergencyCallListInvalid',
  'emergencyDestinationMissing',
  'emergencyUnanswered',
  'mappingRulesFailed',
  'noReceiver',
  'possibleRepeats',
  'scaipRejected',
  'storageDamaged',
  'storeFailed',
  'unknownUnitFlood',
  'voiceCallMissing',
  'voiceFromOtherAddress',
] as const;

/** The alarms that alarmEventsRestEndpoint of the notification settings gets; `type` distinguishes them. */
export const platformAlarmSchema = z
  .discriminatedUnion('type', [
    alarm('authError', 'A device failed to authenticate', {
      deviceId: text('Device by the name that it sent'),
      reason: text('Cause of the failure'),
      method: optionalText('SIP method'),
      requestUri: optionalText('Request URI'),
      sourceIp: optionalText('Source address'),
    }),
    alarm('unknownDevice', 'An event came from a device that is not provisioned', {
      deviceId: text('Identity that was searched for'),
      protocol: text('Protocol of the event'),
      sipFrom: optionalText('User part of From, or calling number'),
      calledParty: optionalText('User part of the request URI, or called number'),
      sourceIp: optionalText('Source address'),
      alarmEvent: receivedAlarmEventSchema.optional(),
    }),
    alarm('deviceHeartbeat', 'A supervised device went offline or came back online', {
      deviceId: text('Device'),
      status: z.enum(['online', 'offline']).meta({ description: 'New state of the device' }),
      expiration: z.number().int().meta({ description: 'Expiry of the last heartbeat, epoch ms' }),
    }),
    alarm('serviceAlarm', 'The configuration or a device needs the attention of a person', {
      error: z.enum(SERVICE_ALARM_ERRORS).meta({ description: 'Description of the fault' }),
      errorDetails: z.record(z.string(), z.unknown()).optional().meta({ description: 'Facts' }),
      sessionId: optionalText('Alarm session'),
      deviceId: optionalText('Device'),
      alarmBridgeId: optionalText('Alarm bridge'),
    }),
    alarm('callbackFailed', 'The application did not accept a callback; the fallback acted', {
      callback: text('Path of the callback'),
      error: text('Cause of the failure'),
      fallback: optionalText('Action of the fallback'),
      status: z.number().int().optional().meta({ description: 'HTTP status, when there was an answer' }),
      sessionId: optionalText('Alarm session'),
      alarmBridgeId: optionalText('Alarm bridge'),
    }),
    alarm('monitoringAlarm', 'A probe of a site found a problem', {
      error: z
        .enum(['noHeartbeatReply', 'serviceStartFailed', 'lowMemory', 'serviceFailure'])
        .meta({ description: 'Observed problem' }),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('newCallEventError', 'newCall got no answer with a valid action', mediaAlarm),
    alarm('callEventError', 'callEvent got no answer with a valid action', mediaAlarm),
    alarm('ivrCommandError', 'An IVR command could not be fetched or executed', mediaAlarm),
    alarm('callError', 'A call of a media service failed', mediaAlarm),
    alarm('sessionError', 'A media service ended a session itself', mediaAlarm),
    alarm('emergencyFallback', 'The emergency destination of a media service was called', mediaAlarm),
    alarm('destinationDown', 'A supervised destination does not answer', {
      destination: text('Destination'),
      reason: optionalText('Cause: the answer of the destination, or that it gave none'),
    }),
    alarm('destinationUp', 'A supervised destination answers again', { destination: text('Destination') }),
    alarm('configRejected', 'A host refused a configuration and keeps the previous one', {
      hostId: optionalText('Host'),
      revision: z.number().int().optional().meta({ description: 'Revision that was refused' }),
      errors: z
        .array(
          z.object({
            code: text('Code of the fault'),
            path: text('Place of the fault'),
            msg: text('Description as text'),
          }),
        )
        .meta({ description: 'Refused entity' }),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('certificateExpiring', 'A certificate ends soon', {
      subject: text('Owner of the certificate'),
      expiresAt: z.number().int().meta({ description: 'Epoch ms' }),
      hostId: optionalText('Host'),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('clockUnsynchronised', 'The clock of a host has no time source', {
      hostId: optionalText('Host'),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('diskPressure', 'The disk of a host fills up', {
      hostId: optionalText('Host'),
      freeBytes: z.number().int().optional().meta({ description: 'Bytes left' }),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('drainBlocked', 'A drain cannot continue by itself; the host continues to serve', {
      hostId: optionalText('Host'),
      errorDetails: monitoringDetails.optional(),
    }),
    alarm('duplicateIdentity', 'Two machines use the identity of one host', {
      hostId: optionalText('Host'),
      errorDetails: monitoringDetails.optional(),
    }),
  ])
  .meta({ id: 'PlatformAlarm', description: 'Alarm of the platform about itself or about devices' });

export type PlatformAlarm = z.output<typeof platformAlarmSchema>;
export type PlatformAlarmType = PlatformAlarm['type'];
export type ServiceAlarmError = (typeof SERVICE_ALARM_ERRORS)[number];
