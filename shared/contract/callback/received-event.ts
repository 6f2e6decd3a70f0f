import { z } from 'zod';
import { RECEIVE_LIST } from '../../alarm-event/index.ts';

/** Field alarmEvent of newAlarmbridgeEvent (runtime API document 2.2). */
export const receivedAlarmEventSchema = z
  .object({
    eventType: z.literal('common').meta({ description: 'The only kind of event' }),
    controllerId: z.string().meta({ description: 'Controller, or the unit that is its own controller' }),
    deviceId: z.string().optional().meta({ description: 'Unit behind the controller' }),
    deviceType: z
      .enum([...RECEIVE_LIST.deviceType, 'unknown'])
      .meta({ description: 'Kind of device; unknown: the native code is in sourceAlarmEvent' }),
    statusCode: z.enum(RECEIVE_LIST.statusCode).meta({ description: 'Event code' }),
    location: z.enum(RECEIVE_LIST.location).optional().meta({ description: 'Place' }),
    deviceComponent: z
      .enum(RECEIVE_LIST.deviceComponent)
      .optional()
      .meta({ description: 'Part of the device' }),
    systemConfig: z
      .enum(RECEIVE_LIST.systemConfig)
      .optional()
      .meta({ description: 'Scheme of the controller' }),
    audio: z
      .enum(RECEIVE_LIST.audio)
      .meta({ description: 'Speech that the device requests after the event' }),
    priority: z.number().int().min(0).max(9).meta({ description: '0 lowest to 9 highest' }),
  })
  .meta({
    id: 'ReceivedAlarmEvent',
    description: 'Alarm event in words that hold for every protocol',
    example: {
      eventType: 'common',
      controllerId: '55667788',
      deviceId: '0042',
      deviceType: 'fallDetector',
      statusCode: 'alarm',
      location: 'bedRoom',
      systemConfig: 'localUnitAndController',
      audio: 'duplex',
      priority: 9,
    },
  });

/** Field sourceAlarmEvent: what the device said in its own words. */
export const sourceAlarmEventSchema = z
  .object({
    protocol: z.string().meta({ description: 'Protocol of the device' }),
    raw: z.string().meta({ description: 'Digit string, XML or frame as received' }),
    fields: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parts of the event under their native names' }),
    check: z
      .object({
        policy: z.string().meta({ description: 'verify, warn, ignore or learn' }),
        result: z.string().meta({ description: 'Result of the check' }),
      })
      .meta({ description: 'Check digits or check sum' }),
    warnings: z.array(z.string()).meta({ description: 'Tolerated deviations' }),
  })
  .meta({ id: 'SourceAlarmEvent', description: 'Native event' });
