import { z } from 'zod';
import { labelField } from '../feed/index.ts';

/** Chosen: whoever works longer opens another window, so that one that was forgotten ends. */
const LONGEST_S = 72 * 3_600;

const startsAt = z.number().int().nonnegative().meta({ description: 'Epoch ms' });
const reason = z.string().min(1).max(500).meta({ description: 'Description of the work for readers' });
const hostId = labelField.optional().meta({ description: 'Absent: the whole site' });

/** POST /site/{domain}/maintenance: for how long alarms that the work itself causes are not reported. */
export const maintenanceRequestSchema = z
  .strictObject({
    siteId: labelField,
    hostId,
    startsAt: startsAt.optional().meta({ description: 'Epoch ms; absent: now' }),
    duration: z
      .number()
      .int()
      .min(60)
      .max(LONGEST_S)
      .default(3_600)
      .meta({ description: 'Seconds; at most 72 hours' }),
    reason,
  })
  .meta({ id: 'MaintenanceRequest', description: 'Maintenance window to open' });

const MAINTENANCE_STATES = ['planned', 'open', 'ended'] as const;

/** Times in epoch milliseconds. */
export const maintenanceSchema = z
  .strictObject({
    windowId: z.string(),
    siteId: labelField,
    hostId,
    state: z.enum(MAINTENANCE_STATES),
    startsAt,
    endsAt: z.number().int(),
    reason,
    madeBy: z.string(),
    endedAt: z.number().int().optional(),
    endedBy: z.string().optional().meta({ description: 'system: the window expired' }),
  })
  .meta({
    id: 'MaintenanceWindow',
    description: 'Time in which alarms of supervision are recorded and not notified',
  });

export const maintenanceAnswerSchema = z
  .strictObject({ success: z.literal(true), window: maintenanceSchema })
  .meta({ id: 'MaintenanceAnswer', description: 'Maintenance window' });

/**
 * A window as the hosts of its site get it (scope `site`, entity `maintenance`): the covered hosts and the time, neither the
 * reason nor the author.
 */
export const replicatedMaintenanceSchema = z.object({
  /** Absent: the whole site. */
  hostId: labelField.optional(),
  startsAt: z.number().int(),
  endsAt: z.number().int(),
});

export type MaintenanceRequest = z.output<typeof maintenanceRequestSchema>;
export type MaintenanceWindow = z.output<typeof maintenanceSchema>;
export type ReplicatedMaintenance = z.output<typeof replicatedMaintenanceSchema>;
