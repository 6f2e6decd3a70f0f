import { z } from 'zod';

/** Args of `list.test`: the emergency list of an alarm bridge or a device. */
export const callListTestSchema = z.object({
  entity: z.enum(['alarmbridge', 'device']),
  id: z.string().min(1).max(256),
  /** Name of the test: a request with the same one goes on with it. */
  test: z.string().min(1).max(32),
});

/** `data` of its answer. A person who has confirmed counts as `confirmed`; `called`: people of the list. */
export const callListTestStateSchema = z.object({
  state: z.enum(['running', 'done']),
  called: z.number().int().nonnegative(),
  confirmed: z.number().int().nonnegative(),
});

export type CallListTest = z.output<typeof callListTestSchema>;
export type CallListTestState = z.output<typeof callListTestStateSchema>;
