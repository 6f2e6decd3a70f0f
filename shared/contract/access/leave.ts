import { z } from 'zod';

/** Form of a maker. */
const MAKER = /^(person|key|token):[\x21-\x7e]{1,256}$/;

const transferTo = z
  .string()
  .regex(MAKER, { message: 'must be person:<id>, key:<kid> or token:<id>' })
  .optional()
  .meta({
    description:
      'Successor that takes over all resources of the removed one: person:<id>, key:<kid> or token:<id> without an end. The transfer adds no rights',
  });

/** Query of PUT /provisioning/user/{domain}/{id}. */
export const handOverQuerySchema = z.object({ transferTo });

/** Query of every DELETE of a maker: a person, an API key, an API token. */
export const leaveQuerySchema = z
  .object({
    transferTo,
    revoke: z.enum(['true', 'false']).optional().meta({
      description:
        'true: also removes all resources of the removed one, and the resources of those. Without revoke and transferTo the answer is 409 makerInUse with the list `error.made`',
    }),
  })
  .refine(({ transferTo: to, revoke }) => to === undefined || revoke !== 'true', {
    path: ['revoke'],
    message: 'send either transferTo or revoke=true',
  });

/** Fate of what a maker made, when the maker goes. */
export interface LeaveRequest {
  readonly transferTo?: string | undefined;
  readonly revoke?: boolean | undefined;
}

export const leaveOf = ({ transferTo: to, revoke }: z.output<typeof leaveQuerySchema>): LeaveRequest => ({
  transferTo: to,
  revoke: revoke === 'true',
});
