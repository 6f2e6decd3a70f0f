import { formSaid, type StringSending, type Tone } from '../tone/index.ts';
import { encodeGroupAlarm, type GroupAlarm } from './group.ts';
import type { TtProfile } from './profile.ts';

/* Tones of a unit, or of the controller of a scheme, in its call besides the frame. */

interface Unit {
  readonly profile: TtProfile;
  /** Its frame. */
  readonly string: StringSending;
}

/** `Chosen:` a pause of 230 ms ends a group; centres that read it late still hear two. */
export const GROUP_PAUSE_MS = 400;

export const short = ({ profile: { commands } }: Unit, digits: string): readonly Tone[] => [
  { digits, onMs: commands.shortMs, offMs: commands.shortMs },
];

/** `Chosen:` a centre that has taken the frame in sequential tones hears the rest of the unit in them, too; it is echoed in its own. */
export function asTaken(unit: Unit, digits: string): readonly Tone[] {
  const { stmf } = unit.string.setting;
  return stmf !== undefined && formSaid(unit.string) === 'stmf'
    ? [{ stmf: true, digits, times: stmf }]
    : short(unit, digits);
}

/** The waiting units, a group of 8 each. */
export const groupsOf = (unit: Unit & { readonly unnamed: readonly GroupAlarm[] }): readonly Tone[] =>
  unit.unnamed.flatMap((alarm, place) => [
    ...(place === 0 ? [] : [{ silenceMs: GROUP_PAUSE_MS }]),
    ...asTaken(unit, encodeGroupAlarm(alarm)),
  ]);
