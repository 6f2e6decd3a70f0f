import { z } from 'zod';
import { addressText, deviceIdText } from '../feed/index.ts';
import { time } from './field.ts';

/** POST /provisioning/personaldata/{domain}. */
export const personalDataRequestSchema = z
  .strictObject({
    kind: z
      .enum(['export', 'erasure'])
      .meta({ description: 'export: collect the data; erasure: remove the data', example: 'export' }),
    deviceId: deviceIdText.optional().meta({
      description: 'Present or former id of the device; alternative to `address`',
      example: 'flat-12',
    }),
    address: addressText.optional().meta({
      description: 'Telephone number or SIP address of a person; alternative to `deviceId`',
      example: '+46701234567',
    }),
    keepDevice: z.boolean().default(false).meta({
      description: 'Erasure by deviceId: the device stays in service, and only its history is erased',
    }),
    reason: z.string().max(500).optional().meta({ description: 'Reason for the audit log, without names' }),
  })
  .refine(({ deviceId, address }) => (deviceId === undefined) !== (address === undefined), {
    message: 'must name either a device or an address',
    path: ['deviceId'],
  })
  .meta({ id: 'PersonalDataRequest', description: 'Subject and kind of the job' });
export type PersonalDataRequest = z.output<typeof personalDataRequestSchema>;

const counts = z.record(z.string(), z.number().int());
const state = z.enum(['pending', 'done']);

const days = (of: string, example: number) =>
  z.number().int().meta({ description: of, 'x-unit': 'days', example });

/** GET /provisioning/retention/{domain}: how long each class of data is kept, at the control plane and by default at hosts. */
export const retentionSchema = z
  .strictObject({
    calls: days('Deliveries and reports about calls, services and hosts', 90),
    alarms: days('Alarms, their events and sessions', 730),
    recordings: days('Recordings, counted from their end', 30),
    audit: days('Changes, reads, exports and erasures with their authors', 730),
    logs: days('Traces, and notes that only help to find a fault', 14),
  })
  .meta({ id: 'Retention', description: 'Days for which each class of data is kept' });

export const personalDataJobSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the job' }),
    kind: z.enum(['export', 'erasure']).meta({ description: 'Kind of the job' }),
    state: state.meta({ description: 'done: the control plane and every host have finished' }),
    deviceId: z.string().optional().meta({ description: 'Device; absent after the erasure' }),
    address: z.string().optional().meta({ description: 'Number or address; absent after the erasure' }),
    subjectHash: z
      .string()
      .meta({ description: 'Name in the audit log: SHA-256 of `<subjectSalt> <name>`, hex' }),
    subjectSalt: z.string().optional().meta({
      description:
        'Salt that later proves, together with the name, the subject of an audit entry; absent after the erasure, so keep it',
    }),
    keepDevice: z.boolean().meta({ description: 'The device stays in service' }),
    report: counts.meta({ description: 'Rows of the control plane by kind: found, removed or kept' }),
    hosts: z
      .array(
        z.strictObject({
          siteId: z.string().meta({ description: 'Site' }),
          hostId: z.string().meta({ description: 'Host' }),
          state: state.meta({ description: 'pending: the control plane asks the host again' }),
          reason: z.string().optional().meta({ description: 'Cause of the wait' }),
          report: counts.meta({ description: 'Rows of the host by kind' }),
          at: time.meta({ description: 'Last attempt, epoch ms' }),
        }),
      )
      .meta({ description: 'Hosts that may have a copy' }),
    createdAt: time.meta({ description: 'Epoch ms' }),
    endedAt: time.optional().meta({ description: 'Epoch ms' }),
  })
  .meta({ id: 'PersonalDataJob', description: 'Export or erasure of the data of a device or a person' });
export type PersonalDataJobShown = z.output<typeof personalDataJobSchema>;

const rows = z.array(z.record(z.string(), z.unknown()));

export const personalDataDocumentSchema = z
  .strictObject({
    success: z.literal(true),
    complete: z.boolean().meta({ description: 'false: at least one host has not sent its part yet' }),
    deviceId: z.string().optional().meta({ description: 'Device' }),
    address: z.string().optional().meta({ description: 'Number or address' }),
    collectedAt: time.meta({ description: 'Epoch ms' }),
    cloud: z
      .record(z.string(), rows)
      .meta({ description: 'Data of the control plane by kind; secrets are masked' }),
    hosts: z
      .array(
        z.strictObject({
          siteId: z.string().meta({ description: 'Site' }),
          hostId: z.string().meta({ description: 'Host' }),
          complete: z.boolean().meta({ description: 'The data of this host is complete' }),
          rows: z.record(z.string(), rows).meta({ description: 'Data of the host by kind' }),
        }),
      )
      .meta({ description: 'Data of the hosts' }),
  })
  .meta({ id: 'PersonalDataDocument', description: 'All data of a device or a person' });
