import { z } from 'zod';
import { RECEIVE_LIST, SEND_LIST } from '../../alarm-event/index.ts';
import { dc09Schema } from './dc09.ts';
import { emergencyCallListSchema } from './emergency/call-list.ts';
import { durationMsField } from './field.ts';
import { DEVICE_PROTOCOLS } from './protocol.ts';

type CodedField = 'deviceType' | 'statusCode' | 'location' | 'deviceComponent' | 'systemConfig' | 'audio';

/** A word of the send list or of the receive list: the event is translated both ways. */
const wordOf = (field: CodedField, description: string, example: string) =>
  z
    .enum([...new Set<string>([...SEND_LIST[field], ...RECEIVE_LIST[field]])])
    .optional()
    .meta({ description, example });

/** Values that replace those of every event of the device (provisioning document 2.5). */
const overrideInAlarmEventSchema = z
  .strictObject({
    deviceType: wordOf('deviceType', 'Replaces deviceType', 'fallDetector'),
    statusCode: wordOf('statusCode', 'Replaces statusCode', 'alarm'),
    location: wordOf('location', 'Replaces location', 'kitchen'),
    deviceComponent: wordOf('deviceComponent', 'Replaces deviceComponent', 'button1'),
    systemConfig: wordOf('systemConfig', 'Replaces systemConfig', 'localUnitAndController'),
    audio: z.enum(SEND_LIST.audio).optional().meta({ description: 'Replaces audio', example: 'duplex' }),
    priority: z
      .number()
      .int()
      .min(0)
      .max(9)
      .optional()
      .meta({ description: 'Replaces priority: 0 lowest to 9 highest', example: 9 }),
    controllerId: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Replaces controllerId', example: '12345678' }),
    deviceId: z.string().min(1).optional().meta({ description: 'Replaces deviceId', example: '0042' }),
  })
  .meta({
    id: 'OverrideInAlarmEvent',
    description: 'Values that replace those of the event',
    example: { location: 'kitchen', priority: 9 },
  });

const alarmBridgeServiceSchema = z
  .strictObject({
    heartbeatInterval: durationMsField.optional().meta({
      description:
        'Overrides defaultHeartbeatInterval of the bridge; less than 300000 ms counts as 300000 ms',
      example: 3_600_000,
      'x-unit': 'ms',
    }),
    alarmProtocol: z.enum(DEVICE_PROTOCOLS).optional().meta({
      description: 'Protocol of the device, for bridges with protocol deviceProvisioned',
      example: 'scaip',
    }),
    voiceDestination: z
      .string()
      .optional()
      .meta({ description: 'Destination for calls to the device', example: '+46855512345' }),
    emergencyDestination: z.string().optional().meta({
      description: 'Emergency destination for callEmergencyCenter; overrides that of the bridge',
      example: '+46855511000',
    }),
    emergencyCallList: emergencyCallListSchema.optional().meta({
      description:
        'People who are called instead of emergencyDestination, which must stand beside it; overrides the list of the bridge. Answers 409 while a host of the tenant cannot call from a list',
    }),
    usePredefinedDestination: z
      .boolean()
      .optional()
      .meta({ description: 'true: the device calls the number it is programmed with', example: true }),
    destinationRewrite: z.string().optional().meta({
      description:
        'Destination of calls of the device instead of the called number; $1 inserts the called number',
      example: '+46855511004',
    }),
    overrideInAlarmEvent: overrideInAlarmEventSchema.optional(),
    dc09: dc09Schema.optional(),
  })
  .meta({
    id: 'DeviceAlarmBridgeSettings',
    description: 'Settings of the device in the alarm bridge service',
  });

export const serviceDataSchema = z
  .strictObject({ alarmBridge: alarmBridgeServiceSchema.optional() })
  .meta({ id: 'DeviceServiceData', description: 'Settings of the device, by service' });

export type OverrideInAlarmEvent = z.infer<typeof overrideInAlarmEventSchema>;
