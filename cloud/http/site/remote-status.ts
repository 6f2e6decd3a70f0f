import { errorAnswerSchema } from '#shared/contract/provisioning/index.ts';
import type { RemoteFailure } from '../../site/index.ts';

const failed = (description: string) => ({
  description,
  content: { 'application/json': { schema: errorAnswerSchema } },
});

/** The statuses of a request to a host in addition to the usual ones. */
export const remoteFailures = {
  502: failed('The host refused'),
  503: failed('The host has no management connection'),
  504: failed('The host did not answer in time'),
} as const;

export const REMOTE_STATUS = {
  notFound: 404,
  forbidden: 403,
  conflict: 409,
  invalid: 400,
  unknownOperation: 400,
  tooManyRequests: 429,
  hostRefused: 502,
  hostUnreachable: 503,
  hostSilent: 504,
} as const satisfies { readonly [C in RemoteFailure['code'] | 'tooManyRequests']: number };
