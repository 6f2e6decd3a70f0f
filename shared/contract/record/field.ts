import { z } from 'zod';

export const time = z.number().int().nonnegative();

/** Epoch milliseconds in a query. */
export const timeText = z
  .string()
  .regex(/^\d{1,15}$/, { message: 'must be epoch milliseconds' })
  .transform(Number);
