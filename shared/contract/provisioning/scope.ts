import { z } from 'zod';

/** `capture` opens the messages of sessions as they were sent, `listen` masked copies of callbacks; no other word contains them. */
export const SCOPES = ['provisioning', 'runtime', 'site', 'read', 'capture', 'listen'] as const;

export type Scope = (typeof SCOPES)[number];

/** Space-separated scopes as keys and tokens carry them; absent means all. */
export const scopeField = z
  .string()
  .refine((text) => text.split(' ').every((word) => SCOPES.some((scope) => scope === word)), {
    message: `must be words of: ${SCOPES.join(', ')}, separated by one space`,
  })
  .meta({ description: 'Rights of the bearer; absent: all', example: 'provisioning read' });
