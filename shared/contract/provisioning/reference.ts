import { z } from 'zod';
import type { AlarmBridge } from './alarm-bridge.ts';
import type { AlarmEventMapper } from './alarm-event-mapper.ts';
import {
  isBuiltInProfile,
  PROFILE_KINDS,
  type ProfileKind,
  type ProtocolProfile,
} from './protocol-profile.ts';

/** A row that another row names. A name without its row would leave alarms without their way. */
export interface RowReference {
  /** JSON pointer to the field that names it. */
  readonly path: string;
  /** As the path of the API spells it. */
  readonly entity: 'alarmeventmapper' | 'protocolprofile';
  readonly id: string;
  /** The kinds of a profile that fit. */
  readonly kinds: readonly ProfileKind[];
}

/** Entities that name others, each with the body it has. */
interface Referring {
  readonly alarmbridge: Pick<AlarmBridge, 'alarmEventMapperId' | 'protocolProfile'>;
  readonly alarmeventmapper: Pick<AlarmEventMapper, 'protocolProfile' | 'targetEndpoint'>;
  readonly protocolprofile: Pick<ProtocolProfile, 'name' | 'kind' | 'extends'>;
}

/** A bridge or mapper speaks by these; a mapping of SIA codes is named by its own field. */
const SPOKEN_BY = PROFILE_KINDS.filter((kind) => kind !== 'siaMapping');

const read: { readonly [Entity in keyof Referring]: (body: Referring[Entity]) => RowReference[] } = {
  alarmbridge: ({ alarmEventMapperId, protocolProfile }) => [
    ...mapper('/alarmEventMapperId', alarmEventMapperId),
    ...profile('/protocolProfile', protocolProfile, SPOKEN_BY),
  ],
  alarmeventmapper: ({ protocolProfile, targetEndpoint }) => [
    ...profile('/protocolProfile', protocolProfile, SPOKEN_BY),
    ...profile('/targetEndpoint/siaMapping', targetEndpoint?.siaMapping, ['siaMapping']),
  ],
  protocolprofile: ({ kind, extends: origin }) => profile('/extends', origin, [kind]),
};

function mapper(path: string, id: string | undefined): RowReference[] {
  return id === undefined ? [] : [{ path, entity: 'alarmeventmapper', id, kinds: [] }];
}

/** None for a built-in profile: it is there in every program. */
function profile(path: string, id: string | undefined, kinds: readonly ProfileKind[]): RowReference[] {
  if (id === undefined || kinds.some((kind) => isBuiltInProfile(id, kind))) return [];
  return [{ path, entity: 'protocolprofile', id, kinds }];
}

/** The tenant's own rows that this one names; none for an entity that names no other. */
export function referencesOf(entity: string, body: unknown): readonly RowReference[] {
  if (!Object.hasOwn(read, entity)) return [];
  return read[entity as keyof Referring](body as never);
}

/** An object that names another one, in a list of those that do. */
export const referrerSchema = z
  .strictObject({
    entity: z.enum(['alarmbridge', 'alarmeventmapper', 'protocolprofile']).meta({
      description: 'Kind of the object, as the paths of the API spell it',
      example: 'alarmbridge',
    }),
    id: z.string().meta({ description: 'Id of the object', example: '01j9z3n6t2v4q8w5x7y1b3c5d7' }),
    name: z.string().meta({ description: 'Name of the object', example: 'SCAIP alarms' }),
    path: z.string().meta({ description: 'JSON pointer to its field', example: '/alarmEventMapperId' }),
    draft: z.boolean().meta({ description: 'true: a draft, which no host uses', example: false }),
  })
  .meta({
    id: 'Referrer',
    description: 'Object of the configuration that names another one',
    example: {
      ...{ entity: 'alarmbridge', id: '01j9z3n6t2v4q8w5x7y1b3c5d7', name: 'SCAIP alarms' },
      ...{ path: '/alarmEventMapperId', draft: false },
    },
  });

export type Referrer = z.output<typeof referrerSchema>;
