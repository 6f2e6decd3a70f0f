import { compilePattern } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { allItems, type ConfigurationSet, countItems, type Reader } from '../../store/index.ts';
import type { ResourceName } from './resource-kind.ts';

/** Kinds that are chosen by `destinationMatch`. */
const MATCHED: readonly ResourceName[] = ['alarmBridge', 'cloudSipUa', 'mediaService', 'recordingService'];

/** Patterns of one tenant; each may be tried on every call (control plane 12). */
const PATTERNS = 2_000;

/** A pattern up to here costs about what its text does. */
const LIGHT = 100;

/** Instructions of all patterns of a tenant that are no light ones: what one call costs at most. */
const HEAVY_INSTRUCTIONS = 50_000;

interface Where {
  readonly tenant: string;
  readonly set: ConfigurationSet;
}

/** To be asked once rows are written. `body`: the only one; without it all are weighed. Fails with `conflict` when a set has more patterns than calls can be tried on. */
export async function checkRoom(from: Reader, where: Where, body?: unknown): Promise<Result<null>> {
  let patterns = 0;
  for (const name of MATCHED) patterns += await countItems(from, name, where);
  if (patterns > PATTERNS)
    return fail(
      'conflict',
      `The resource is not stored: the tenant has ${PATTERNS} bridges, user agents and services, the most that it can have. Let one expression match several destinations.`,
    );
  return body === undefined ? await checkWeight(from, where) : ok(null);
}

/** To be asked once a row is written: only a heavy pattern makes a difference. Fails with `conflict`. */
export const checkPattern = async (from: Reader, where: Where, body: unknown): Promise<Result<null>> =>
  heavyInstructions(body) === 0 ? ok(null) : await checkWeight(from, where);

async function checkWeight(from: Reader, where: Where): Promise<Result<null>> {
  let instructions = 0;
  for (const name of MATCHED)
    for (const { body } of await allItems(from, name, where)) instructions += heavyInstructions(body);
  if (instructions <= HEAVY_INSTRUCTIONS) return ok(null);
  return fail(
    'conflict',
    `/destinationMatch: the expressions of the tenant compile to more than ${HEAVY_INSTRUCTIONS} instructions together; ` +
      'use smaller counts of repetition.',
    '/destinationMatch',
  );
}

/** Only a counted repetition makes a program longer than its text. */
function heavyInstructions(body: unknown): number {
  const { destinationMatch } = body as { readonly destinationMatch?: string };
  if (!destinationMatch?.includes('{')) return 0;
  const compiled = compilePattern(destinationMatch);
  return compiled.ok && compiled.value.instructions > LIGHT ? compiled.value.instructions : 0;
}
