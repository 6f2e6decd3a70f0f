import type { Values } from '../../component/form/schema.ts';

/** Fields that only devices of one authentication have (provisioning document 2.5). */
const OF_AUTHENTICATION: Readonly<Record<string, readonly string[]>> = {
  userid: ['password', 'authorized'],
  credentials: ['ha1', 'digestAlgorithm'],
};

/** Fields that the service sets itself. */
const OF_SERVICE = ['lastConfigured', 'heartbeatStatus', 'heartbeatExpiration', 'success', 'reason'];

/** The fields that a device with this authentication cannot have. */
export const strangeFields = (authType: unknown): readonly string[] =>
  Object.entries(OF_AUTHENTICATION).flatMap(([type, fields]) => (type === authType ? [] : fields));

/**
 * The device as it is written: everything that was stored or typed, without the credential of another authentication.
 * Kind, encryption and settings stay as they are.
 */
export function written(values: Values): Values {
  const left = new Set([...OF_SERVICE, ...strangeFields(values.authType)]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !left.has(name)));
}
