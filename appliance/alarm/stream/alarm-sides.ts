import type { AlarmStreamTarget } from '#shared/contract/runtime/index.ts';
import type { Channel } from '../../call/sound/index.ts';
import type { LegId, StreamTrack } from '../../media/control/index.ts';

/** The legs of an alarm call at one moment. */
export interface Audible {
  readonly device: LegId;
  /** Undefined: the device is alone on the line. */
  readonly people: LegId | undefined;
  /** The device may hear a program now. */
  readonly listens: boolean;
}

type Side = NonNullable<AlarmStreamTarget['channels']>[number];

/** The sides in the order of the channels. */
const sidesOf = ({ channels, bidirectional }: AlarmStreamTarget): readonly Side[] =>
  channels ?? (bidirectional ? ['mixed'] : ['inbound', 'outbound']);

const present = (legs: readonly (LegId | undefined)[]): Channel => legs.filter((leg) => leg !== undefined);

/** The legs that each channel hears. */
export const channelsOf = (target: AlarmStreamTarget, { device, people }: Audible): readonly Channel[] =>
  sidesOf(target).map((side) =>
    present([side === 'outbound' ? undefined : device, side === 'inbound' ? undefined : people]),
  );

export const tracksOf = (target: AlarmStreamTarget): readonly StreamTrack[] =>
  sidesOf(target).map((side) => (side === 'outbound' ? side : 'inbound'));

/** The track on which the device is heard; undefined: it is not. */
export const digitTrackOf = (target: AlarmStreamTarget): StreamTrack | undefined =>
  sidesOf(target).every((side) => side === 'outbound') ? undefined : 'inbound';

/** The legs that hear a program that speaks. People come first: the first leg sets the pace, and tones hold up that of a device. */
export const hearersOf = (
  { bidirectional, hearers }: AlarmStreamTarget,
  { device, people, listens }: Audible,
): Channel =>
  bidirectional
    ? present([
        hearers.includes('people') ? people : undefined,
        hearers.includes('device') && listens ? device : undefined,
      ])
    : [];
