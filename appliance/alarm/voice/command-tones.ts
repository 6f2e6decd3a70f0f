import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ProfileTables } from '../profile/index.ts';
import {
  answersWithData,
  BS8521_PROFILE,
  type Bs8521Profile,
  commandFor,
  encodeCommand as encodeBs8521,
} from '../protocol/bs8521/index.ts';
import { controlTone, isDirection, SCAIP_PROFILE, type ScaipProfile } from '../protocol/scaip/index.ts';
import type { Tone } from '../protocol/tone/index.ts';
import { encodeCommand, TT92_PROFILE, TTNEW_PROFILE, type TtProfile } from '../protocol/tt/index.ts';
import type { CommandParameters } from '../session/index.ts';

export interface CommandProfiles {
  readonly scaip: () => ScaipProfile;
  readonly tt92: () => TtProfile;
  readonly ttnew: () => TtProfile;
  readonly bs8521?: () => Bs8521Profile;
}

/** As they are spoken at a receiver that names this profile. */
export const commandProfiles = (
  profiles: Pick<ProfileTables, 'scaip' | 'tt92' | 'ttnew'>,
  named: string | undefined,
): CommandProfiles => ({
  scaip: () => profiles.scaip(named),
  tt92: () => profiles.tt92(named),
  ttnew: () => profiles.ttnew(named),
});

const BUILT_IN: CommandProfiles = {
  scaip: () => SCAIP_PROFILE,
  tt92: () => TT92_PROFILE,
  ttnew: () => TTNEW_PROFILE,
};

/** Facts that decide how a command is said. */
export interface CommandContext {
  readonly protocol: string;
  /** How long its tones are; absent: as built in. */
  readonly profiles?: CommandProfiles;
  /** The unit stands behind a controller. */
  readonly grouped: boolean;
  /** The last digit that set the direction of speech. */
  readonly direction?: string;
}

/** Confirmation of a device that has understood a command. */
export interface CommandEcho {
  /** Matches the digits that it has said since. */
  readonly pattern: RegExp;
  /** From the end of the tones, ms. */
  readonly waitMs: number;
  readonly tries: number;
  /** Said to it then. */
  readonly acknowledge?: readonly Tone[];
}

/** `hangUp`: the protocol has no word for it but the end of the call. */
export type CommandTones =
  | {
      readonly kind: 'tones';
      readonly tones: readonly Tone[];
      readonly direction?: string;
      /** Absent: the protocol confirms nothing. */
      readonly echo?: CommandEcho;
    }
  | { readonly kind: 'hangUp' };

type Encoded = Result<CommandTones, Failure<'commandNotSupported' | 'badTones'>>;

const DEFAULT_TONE_MS = 80;
const LEAST_PAUSE_MS = 40;
/** Chosen: 701 and 702 are said so often to a unit of TT that does not echo them. */
const ECHO_TRIES = 3;
const TONES = /^[0-9A-D*#]{1,64}$/i;

/**
 * A device command of the API as tones of the device's protocol (protocols 13). BS 8521 has a machine of its own where the
 * device has called; to one that we call, its commands go one by one.
 */
export function commandTones(
  command: DeviceCommand,
  parameters: CommandParameters | undefined,
  { protocol, profiles = BUILT_IN, grouped, direction }: CommandContext,
): Encoded {
  if (command === 'sendTones') return asGiven(parameters);
  if (protocol === 'tt92' || protocol === 'ttnew') {
    const context = { name: protocol, grouped } as const;
    const said = direction === 'C' || direction === '*' ? ({ ...context, direction } as const) : context;
    const profile = profiles[protocol]();
    const made = encodeCommand(command, said, profile);
    if (!made.ok) return made;
    const echoed = grouped ? undefined : ECHOED[command];
    const { echoWaitMs: waitMs } = profile.commands;
    const echo = echoed && { pattern: new RegExp(`${echoed}$`), waitMs, tries: ECHO_TRIES };
    return ok({ kind: 'tones', tones: made.value, ...directionOf(command), ...(echo && { echo }) });
  }
  if (protocol === 'scaip') {
    const made = controlTone(command, profiles.scaip(), direction === undefined ? {} : { direction });
    if (!made.ok) return made;
    const { digits, ms, pauseMs } = made.value;
    const set = isDirection(digits) ? { direction: digits } : {};
    return ok({ kind: 'tones', tones: [{ digits, onMs: ms, offMs: pauseMs }], ...set });
  }
  if (protocol === 'bs8521') return inBs8521(command, profiles.bs8521?.() ?? BS8521_PROFILE);
  if (command === 'clearDown') return ok({ kind: 'hangUp' });
  return fail(
    'commandNotSupported',
    `${protocol} has no tones for ${command}; it takes clearDown and sendTones`,
  );
}

function inBs8521(command: DeviceCommand, profile: Bs8521Profile): Encoded {
  const found = commandFor(command);
  if (!found.ok) return found;
  const { ackWaitMs: waitMs, max: tries } = profile.commands;
  const echo: CommandEcho = answersWithData(found.value)
    ? { pattern: /(?:^|\D)A?\d{4,12}#$|^B$/, waitMs, tries, acknowledge: [{ digit: 'B', ms: 80 }] }
    : { pattern: /B$/, waitMs, tries };
  return ok({ kind: 'tones', tones: encodeBs8521(found.value, profile), echo });
}

/** Units of TT that stand alone echo what switches their speech. */
const ECHOED: Readonly<Partial<Record<DeviceCommand, string>>> = {
  switchToDuplex: '701',
  switchToSimplex: '702',
};

function asGiven({ toneString, duration }: CommandParameters = {}): Encoded {
  if (toneString === undefined || !TONES.test(toneString))
    return fail('badTones', 'parameters.toneString must be 1 to 64 of 0-9, A-D, * and #');
  const ms = duration ?? DEFAULT_TONE_MS;
  return ok({
    kind: 'tones',
    tones: [{ digits: toneString.toUpperCase(), onMs: ms, offMs: Math.max(ms, LEAST_PAUSE_MS) }],
  });
}

const directionOf = (command: DeviceCommand): { readonly direction?: string } =>
  command === 'speak' ? { direction: 'C' } : command === 'listen' ? { direction: '*' } : {};
