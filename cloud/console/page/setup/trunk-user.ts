import { dialledForms, leavesBy } from '#shared/matching/index.ts';
import type { Values } from '../../component/form/schema.ts';

/** Kinds of resources whose calls may leave by a trunk. */
type DiallingKind = 'receiver' | 'sender' | 'mediaService';

/** A resource as the API answers it. */
export type Dialling = Values & { readonly id: string; readonly name?: string };

/** A field whose calls may leave by a trunk. */
export interface TrunkUser {
  readonly kind: DiallingKind;
  readonly id: string;
  readonly name: string;
  /** JSON pointer of the field. */
  readonly path: string;
  /** The number or address that is called. */
  readonly destination: string;
}

type Call = Pick<TrunkUser, 'path' | 'destination'> & { readonly trunkGroupId?: string | undefined };

interface CallList {
  readonly steps?: readonly { readonly entries?: readonly { readonly destination: string }[] }[];
}
interface Target {
  readonly destAddr?: string;
  readonly defaultVoiceDestination?: string;
  readonly terminatingTrunkGroupId?: string;
}

/** Everything that a resource calls by itself, and the trunk group that it names for it. */
const CALLS: Readonly<Record<DiallingKind, (resource: Dialling) => readonly Call[]>> = {
  receiver: ({ defaultEmergencyDestination, emergencyCallList }) => [
    ...called('/defaultEmergencyDestination', defaultEmergencyDestination),
    ...(((emergencyCallList ?? {}) as CallList).steps?.flatMap(({ entries = [] }, step) =>
      entries.flatMap(({ destination }, entry) =>
        called(`/emergencyCallList/steps/${step}/entries/${entry}/destination`, destination),
      ),
    ) ?? []),
  ],
  sender: ({ targetEndpoint, unknownAlarmEventVoiceDestination }) => {
    const { destAddr, defaultVoiceDestination, terminatingTrunkGroupId } = (targetEndpoint ?? {}) as Target;
    return [
      ...called('/targetEndpoint/destAddr', destAddr),
      ...called('/targetEndpoint/defaultVoiceDestination', defaultVoiceDestination),
      ...called('/unknownAlarmEventVoiceDestination', unknownAlarmEventVoiceDestination),
    ].map((call) => ({ ...call, trunkGroupId: terminatingTrunkGroupId }));
  },
  mediaService: ({ emergencyDestination }) => called('/emergencyDestination', emergencyDestination),
};

const called = (path: string, destination: unknown): readonly Call[] =>
  typeof destination === 'string' && destination !== '' ? [{ path, destination }] : [];

/** A number, as a destination of the configuration names it. */
const NUMBER = /^\+?[0-9*#(). -]+$/;

/**
 * The fields of these resources whose calls may leave by the trunk, judged by the function of the hosts. A device may name a trunk
 * group for its calls besides.
 */
export function trunkUsers(
  trunk: Values,
  resources: Readonly<Record<DiallingKind, readonly Dialling[]>>,
): readonly TrunkUser[] {
  const leaving = { direction: 'both', hosts: [], ...trunk } as unknown as Parameters<typeof leavesBy>[0];
  return (Object.keys(CALLS) as DiallingKind[]).flatMap((kind) =>
    resources[kind].flatMap((resource) =>
      CALLS[kind](resource).flatMap(({ path, destination, trunkGroupId }) => {
        const [number = ''] = dialledForms(destination);
        const { id, name = id } = resource;
        return NUMBER.test(number) && leavesBy(leaving, number, trunkGroupId)
          ? [{ kind, id, name, path, destination }]
          : [];
      }),
    ),
  );
}
