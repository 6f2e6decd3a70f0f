import { fail, ok, type Result } from '#shared/result.ts';
import { type ConfigurationSet, countItems, type Reader } from '../store/index.ts';
import type { ResourceName } from './resource-kind.ts';

/** Kinds that are chosen by `destinationMatch`. */
const MATCHED: readonly ResourceName[] = ['alarmBridge', 'cloudSipUa', 'mediaService', 'recordingService'];

/** Patterns of one tenant; each may be tried on every call (control plane 12). */
const PATTERNS = 2_000;

/** To be asked once the rows are written. Fails with `conflict` when a set has more patterns than calls can be tried on. */
export async function checkRoom(
  from: Reader,
  where: { readonly tenant: string; readonly set: ConfigurationSet },
): Promise<Result<null>> {
  let patterns = 0;
  for (const name of MATCHED) patterns += await countItems(from, name, where);
  if (patterns <= PATTERNS) return ok(null);
  return fail(
    'conflict',
    `A tenant may have ${PATTERNS} bridges, user agents and services; let one expression match several destinations.`,
  );
}
