import { z } from 'zod';
import { addressText, deviceIdText } from '../feed/index.ts';
import { time } from './field.ts';

/** POST /provisioning/personaldata/{domain}. */
export const personalDataRequestSchema = z
  .strictObject({
    kind: z
      .enum(['export', 'erasure'])
      .meta({ description: 'export: collect everything; erasure: remove it', example: 'export' }),
    deviceId: deviceIdText
      .optional()
      .meta({ description: 'Device, as it is or was provisioned; or `address`', example: 'flat-12' }),
    address: addressText.optional().meta({
      description: 'Telephone number or SIP address of a person; or `deviceId`',
      example: '+46701234567',
    }),
    keepDevice: z.boolean().default(false).meta({
      description:
        'Of an erasure by deviceId: the device stays in service, only what is known of its past goes',
    }),
    reason: z.string().max(500).optional().meta({ description: 'Why, for the audit log; no names' }),
  })
  .refine(({ deviceId, address }) => (deviceId === undefined) !== (address === undefined), {
    message: 'name a device or an address, one of them',
    path: ['deviceId'],
  })
  .meta({ id: 'PersonalDataRequest', description: 'Whose data, and what is to be done with it' });
export type PersonalDataRequest = z.output<typeof personalDataRequestSchema>;

const counts = z.record(z.string(), z.number().int());
const state = z.enum(['pending', 'done']);

export const personalDataJobSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the job' }),
    kind: z.enum(['export', 'erasure']).meta({ description: 'What is done' }),
    state: state.meta({ description: 'done: the control plane and every host have done it' }),
    deviceId: z.string().optional().meta({ description: 'Device; gone once it is erased' }),
    address: z.string().optional().meta({ description: 'Number or address; gone once it is erased' }),
    subjectHash: z
      .string()
      .meta({ description: 'What the audit log calls it: SHA-256 of `<subjectSalt> <name>`, hex' }),
    subjectSalt: z.string().optional().meta({
      description:
        'Proves later, with the name, what the audit log speaks of; gone once it is erased: keep it',
    }),
    keepDevice: z.boolean().meta({ description: 'The device stays in service' }),
    report: counts.meta({ description: 'Rows of the control plane by kind: found, removed, or kept' }),
    hosts: z
      .array(
        z.strictObject({
          siteId: z.string().meta({ description: 'Site' }),
          hostId: z.string().meta({ description: 'Host' }),
          state: state.meta({ description: 'pending: it is asked again' }),
          reason: z.string().optional().meta({ description: 'Why it waits' }),
          report: counts.meta({ description: 'Rows of the host by kind' }),
          at: time.meta({ description: 'Last attempt, epoch ms' }),
        }),
      )
      .meta({ description: 'Every host that may have a copy' }),
    createdAt: time.meta({ description: 'Epoch ms' }),
    endedAt: time.optional().meta({ description: 'Epoch ms' }),
  })
  .meta({ id: 'PersonalDataJob', description: 'Export or erasure of the data of a device or a person' });
export type PersonalDataJobShown = z.output<typeof personalDataJobSchema>;

const rows = z.array(z.record(z.string(), z.unknown()));

export const personalDataDocumentSchema = z
  .strictObject({
    success: z.literal(true),
    complete: z.boolean().meta({ description: 'false: a host has not sent its part yet' }),
    deviceId: z.string().optional().meta({ description: 'Device' }),
    address: z.string().optional().meta({ description: 'Number or address' }),
    collectedAt: time.meta({ description: 'Epoch ms' }),
    cloud: z
      .record(z.string(), rows)
      .meta({ description: 'What the control plane has, by kind; secrets masked' }),
    hosts: z
      .array(
        z.strictObject({
          siteId: z.string().meta({ description: 'Site' }),
          hostId: z.string().meta({ description: 'Host' }),
          complete: z.boolean().meta({ description: 'All of it is here' }),
          rows: z.record(z.string(), rows).meta({ description: 'What the host has, by kind' }),
        }),
      )
      .meta({ description: 'What the hosts have' }),
  })
  .meta({ id: 'PersonalDataDocument', description: 'Everything that is known of a device or a person' });
