import { fail, ok, type Result } from '#shared/result.ts';
import { hostsOf, type Tx } from '../../store/index.ts';

/** Ability of a host that calls people from a list. */
const LIST_ABILITY = 'list.1';

const BRIDGE_POINTER = '/emergencyCallList';
const DEVICE_POINTER = '/serviceData/alarmBridge/emergencyCallList';

interface Said {
  readonly emergencyCallList?: unknown;
  readonly serviceData?: { readonly alarmBridge?: { readonly emergencyCallList?: unknown } | undefined };
}

/** Where a body has a list of people; undefined: it has none. */
export function listPointer(body: unknown): string | undefined {
  const { emergencyCallList, serviceData } = body as Said;
  if (emergencyCallList !== undefined) return BRIDGE_POINTER;
  return serviceData?.alarmBridge?.emergencyCallList === undefined ? undefined : DEVICE_POINTER;
}

/**
 * Whether every host of the tenant calls people from a list. Fails with `conflict`: an older program calls the one destination
 * beside it, or refuses the device. A host that was never seen counts once it is.
 */
export async function checkLists(tx: Tx, tenant: string, bodies: readonly unknown[]): Promise<Result<null>> {
  const pointer = bodies.map(listPointer).find((found) => found !== undefined);
  if (pointer === undefined) return ok(null);
  const older = (await hostsOf(tx, tenant)).filter(
    ({ status }) => status.connectivity !== 'never' && !(status.facts.cap ?? []).includes(LIST_ABILITY),
  );
  const [first] = older;
  if (first === undefined) return ok(null);
  const others = older.length > 1 ? ` and ${older.length - 1} others` : '';
  return fail(
    'conflict',
    `${pointer}: the host ${first.host.hostId} of the site ${first.host.siteId}${others} cannot call people from a list. Update the program of every host first.`,
    pointer,
  );
}
