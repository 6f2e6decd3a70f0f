import { z } from 'zod';
import { httpsUrlField, ignoring } from './field.ts';
import { restAuthenticationSchema } from './rest-authentication.ts';

/** Where a tenant's platform alarms and unclaimed SIP messages go. */
export const notificationSettingsSchema = z
  .strictObject({
    alarmEventsRestEndpoint: httpsUrlField.optional().meta({
      description: 'URL that receives the platform alarms',
      example: 'https://arc.example/platform-alarm',
    }),
    restAuthentication: restAuthenticationSchema.optional(),
    alarmFromEdge: z.boolean().default(true).meta({
      description: 'true: a site posts its own alarms while the cloud is not reachable',
      example: false,
    }),
    messageCallbackBaseUrl: httpsUrlField.optional().meta({
      description:
        'Base URL for a SIP MESSAGE that matches no alarm bridge; the message is posted to /message below it',
      example: 'https://arc.example/callback',
    }),
    personStatements: z.enum(['accepted', 'refused']).optional().meta({
      description:
        'refused: hosts take no request of a person who is signed in to the control plane, only tokens of the tenant; without it accepted',
      example: 'refused',
    }),
    recordNumbers: z.enum(['whole', 'lastFour', 'hashed']).optional().meta({
      description:
        'Numbers in the records of sessions that leave a site: whole, their last four characters, or hashed; without it whole',
      example: 'lastFour',
    }),
    recordSalt: z.string().min(8).max(128).optional().meta({
      description: 'Text that is hashed with each number; without it the domain',
      example: 'a long random text',
    }),
    emergencyCallsAtOnce: z.number().int().min(10).max(500).optional().meta({
      description:
        'Calls to people of emergency lists that ring or are answered at once, on each host; further ones wait until one ends. Hosts of a site do not share the figure: two hosts may call twice as many people at once. Without it 120',
      example: 60,
      'x-unit': 'calls',
    }),
    callbackCopies: z.boolean().optional().meta({
      description:
        'true: a developer with the scope listen may follow masked copies of the callbacks; without it no copy leaves a site',
      example: true,
    }),
  })
  .meta({
    id: 'NotificationSettings',
    description: 'Notification settings of the tenant',
    example: { alarmEventsRestEndpoint: 'https://arc.example/platform-alarm' },
  });

export const notificationSettingsRequestSchema = ignoring(['success', 'id'], notificationSettingsSchema);

/** As a site receives them, with secrets; properties a newer cloud may add are dropped. */
export const replicatedNotificationSettingsSchema = notificationSettingsSchema.strip();

export type NotificationSettings = z.output<typeof notificationSettingsSchema>;
