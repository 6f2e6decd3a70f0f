import type { Towards } from '../../call/control/index.ts';
import { dataBlocksOf, dataType } from './additional-data.ts';
import type { EmergencyFacts } from './emergency-facts.ts';
import { LOCATION_TYPE, locationOf } from './location.ts';

export type { EmergencyFacts } from './emergency-facts.ts';

type EmergencyData = ReturnType<NonNullable<Towards['emergencyData']>>;

/** RFC 7852 5.2: the parts are referred to by fields, and a call does not depend on them. */
const DISPOSITION = 'by-reference;handling=optional';

/**
 * Fields and parts of an emergency INVITE: the location (Geolocation, RFC 6442 4.1) and the blocks of additional data (Call-Info,
 * RFC 7852 5), each referred to by its Content-ID.
 */
export function emergencyData(facts: EmergencyFacts): EmergencyData {
  const location = locationOf(facts);
  const idOf = (name: string): string => `${name}.${facts.id}@${facts.domain}`;
  const blocks = dataBlocksOf(facts);
  return {
    headers: [
      ...(location === undefined
        ? []
        : ([
            ['Geolocation', `<cid:${idOf('location')}>`],
            ['Geolocation-Routing', 'no'],
          ] as const)),
      ...blocks.map(
        ({ name }) => ['Call-Info', `<cid:${idOf(name)}>;purpose=EmergencyCallData.${name}`] as const,
      ),
    ],
    parts: [
      ...(location === undefined
        ? []
        : [{ type: LOCATION_TYPE, id: idOf('location'), disposition: DISPOSITION, content: location }]),
      ...blocks.map((block) => ({
        type: dataType(block),
        id: idOf(block.name),
        disposition: DISPOSITION,
        content: block.content,
      })),
    ],
  };
}
