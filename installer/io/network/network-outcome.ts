import type { NetworkOutcome } from '#shared/contract/feed/index.ts';
import { layout } from '../../plan/index.ts';
import { run } from '../host/host-program.ts';
import { AS_APPLIANCE } from './wanted-release.ts';

/** Whole or not at all. */
const WRITE = 'umask 077; rm -rf "$0.part" && cat >"$0.part" && mv -fT "$0.part" "$0"';

/**
 * Leaves for the appliance what became of its request, with the rights of the appliance: a link in its folder leads no further than
 * it could go itself. False: it could not be written, the folder of state may be full. `before`: words that take those rights.
 */
export async function leaveOutcome(
  outcome: NetworkOutcome,
  place: string = layout.networkOutcome,
  before: readonly string[] = AS_APPLIANCE,
): Promise<boolean> {
  const input = `${JSON.stringify(outcome)}\n`;
  return (await run([...before, 'sh', '-c', WRITE, place], { input })).code === 0;
}
