import { z } from 'zod';

export const auditEntrySchema = z
  .strictObject({
    seq: z.number().int().meta({ description: 'Number in the tenant, without gaps' }),
    at: z.number().int().meta({ description: 'Epoch ms' }),
    actor: z.string().meta({ description: 'Actor: person:…, token:…, key:…, host:…' }),
    kid: z.string().optional().meta({ description: 'Key the request was signed with' }),
    address: z.string().meta({ description: 'Source of the request' }),
    requestId: z.string().meta({ description: 'X-Request-Id of the request' }),
    action: z.string().meta({ description: 'create, put, patch, delete, promote, …' }),
    entity: z.string().meta({ description: 'Kind of resource' }),
    entityId: z.string().meta({ description: 'Id of the resource' }),
    detail: z.unknown().meta({ description: 'State before and after the change; secrets are masked' }),
    previous: z.string().meta({ description: 'Hash of the previous entry; empty for the first' }),
    hash: z
      .string()
      .meta({ description: 'SHA-256 over this entry with its tenant and `previous`, RFC 8785' }),
  })
  .meta({ id: 'AuditEntry', description: 'One change, chained to the previous one' });

/** Action of the entry, entity `audit`, that says where the log begins since older entries went. */
export const AUDIT_CUT = 'cut';

export const auditHeadSchema = z
  .strictObject({
    success: z.literal(true),
    seq: z.number().int().meta({ description: 'Number of the newest entry; 0: none' }),
    hash: z.string().meta({ description: 'Hash of that entry' }),
    begin: z
      .strictObject({
        seq: z.number().int().meta({ description: 'Number of the last deleted entry; 0: none' }),
        hash: z.string().meta({ description: 'Hash of that entry; the first entry follows it' }),
      })
      .meta({ description: 'Begin of the log after the retention of older entries' }),
    tenant: z
      .string()
      .meta({ description: 'Id of the tenant, which every hash covers; empty: the platform' }),
  })
  .meta({ id: 'AuditHead', description: 'End of the chain' });

export type AuditEntryShown = z.output<typeof auditEntrySchema>;
