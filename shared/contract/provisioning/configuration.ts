import { z } from 'zod';
import { alarmBridgeResponseSchema } from './alarm-bridge.ts';
import { alarmEventMapperResponseSchema } from './alarm-event-mapper.ts';
import { cloudSipUaResponseSchema } from './cloud-sip-ua.ts';
import { deviceResponseSchema } from './device.ts';
import { isRecord, successField } from './field.ts';
import { mediaServiceResponseSchema, recordingServiceResponseSchema } from './mediaservice.ts';
import { notificationSettingsSchema } from './notification-settings.ts';
import { protocolProfileSchema } from './protocol-profile.ts';
import { trunkResponseSchema } from './trunk.ts';

const listOf = (schema: z.ZodType, description: string) => z.array(schema).meta({ description, example: [] });
const workingOnly = (schema: z.ZodType, description: string) =>
  z
    .array(schema)
    .optional()
    .meta({ description: `${description}; working set only`, example: [] });

/** GET of a whole configuration. */
export const configurationAnswerSchema = z
  .strictObject({
    success: successField,
    configuration: z
      .strictObject({
        alarmbridges: listOf(alarmBridgeResponseSchema, 'Alarm bridges'),
        alarmeventmappers: listOf(alarmEventMapperResponseSchema, 'Alarm event mappers'),
        cloudsipuas: listOf(cloudSipUaResponseSchema, 'Cloud SIP user agents'),
        trunks: listOf(trunkResponseSchema, 'Trunks'),
        mediaservices: workingOnly(mediaServiceResponseSchema, 'Media services'),
        callrecordings: workingOnly(recordingServiceResponseSchema, 'Recording services'),
        protocolprofiles: workingOnly(protocolProfileSchema, 'Protocol profiles'),
        devices: workingOnly(deviceResponseSchema, 'Devices'),
        notificationsettings: notificationSettingsSchema.optional(),
      })
      .meta({ id: 'Configuration', description: 'Whole configuration of the tenant; secrets are masked' }),
  })
  .meta({ id: 'ConfigurationAnswer', description: 'A whole configuration' });

const row = z.looseObject({}).meta({
  id: 'RestoredRow',
  description: 'Resource as in GET of the configuration; the check is that of its own PUT',
});
const rows = (description: string) =>
  z
    .array(row)
    .max(100_000)
    .optional()
    .meta({ description: `${description}; absent: unchanged`, example: [] });

/**
 * PUT of a whole configuration: what GET gave, with or without its envelope. A list that is given replaces all rows of
 * its kind. Rows are checked one by one in the core, by the schemas of their own requests.
 */
export const configurationRequestSchema = z.preprocess(
  (value) => (isRecord(value) && isRecord(value.configuration) ? opened(value) : value),
  z
    .strictObject({
      alarmbridges: rows('Alarm bridges'),
      alarmeventmappers: rows('Alarm event mappers'),
      cloudsipuas: rows('Cloud SIP user agents'),
      trunks: rows('Trunks'),
      mediaservices: rows('Media services'),
      callrecordings: rows('Recording services'),
      protocolprofiles: rows('Protocol profiles'),
      devices: rows('Devices'),
      notificationsettings: row.optional(),
    })
    .meta({
      id: 'ConfigurationRequest',
      description: 'Whole configuration as GET returned it; <secret> keeps the stored secret',
      example: {
        trunks: [{ id: '01j9z3n6t2', name: 'Carrier north', hosts: [{ uri: 'sip:192.0.2.10:5060' }] }],
      },
    }),
);

/** Drops the members beside `configuration` that the answer of GET has; anything else stays, to be refused. */
function opened({ configuration, success: _, ...others }: Record<string, unknown>): unknown {
  return isRecord(configuration) ? { ...others, ...configuration } : configuration;
}

const ids = (description: string) =>
  z
    .array(z.string())
    .max(1000)
    .optional()
    .meta({
      description: `Ids of provisory ${description}; when no list is given, all of them`,
      example: [],
    });
const moved = (description: string) =>
  z.array(z.string()).meta({ description: `Ids of ${description} now in the working set`, example: [] });

export const promotionSchema = z
  .strictObject({
    alarmbridges: ids('alarm bridges'),
    alarmeventmappers: ids('alarm event mappers'),
    cloudsipuas: ids('cloud SIP user agents'),
    trunks: ids('trunks'),
  })
  .meta({
    id: 'Promotion',
    description: 'Resources that move from the provisory into the working set',
    example: {},
  });

export const promotedSchema = z
  .strictObject({
    success: successField,
    alarmbridges: moved('alarm bridges'),
    alarmeventmappers: moved('alarm event mappers'),
    cloudsipuas: moved('cloud SIP user agents'),
    trunks: moved('trunks'),
  })
  .meta({ id: 'Promoted', description: 'The resources were moved as one revision' });
