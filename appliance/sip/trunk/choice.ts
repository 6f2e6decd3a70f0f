import { leavesBy } from '#shared/matching/index.ts';
import type { Trunk } from './trunk.ts';

/**
 * The trunks a call may leave by, best first. With a group: the trunks of that group. Without: those that name no
 * group. A longer number prefix goes before a shorter one, as in every routing table; else the order of the list.
 * Chosen: a group that no trunk bears gives none, rather than letting the call leave by the trunk of another group.
 */
export function trunksFor(
  trunks: readonly Trunk[],
  dialled: string,
  trunkGroupId: string | undefined,
): readonly Trunk[] {
  return trunks
    .filter((trunk) => leavesBy(trunk, dialled, trunkGroupId))
    .sort((a, b) => (b.numberPrefix?.length ?? 0) - (a.numberPrefix?.length ?? 0));
}
