import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { protocolNamed } from '../../alarm/protocol/index.ts';
import type { Tone } from '../../alarm/protocol/tone/index.ts';
import { encodeCommand, TT92_PROFILE, TTNEW_PROFILE } from '../../alarm/protocol/tt/index.ts';
import type { CommandParameters } from '../../alarm/session/index.ts';

/** What decides how a command is said. */
export interface CommandContext {
  readonly protocol: string;
  /** The unit stands behind a controller. */
  readonly grouped: boolean;
  /** The last digit that set the direction of speech. */
  readonly direction?: string;
}

/** `hangUp`: the protocol has no word for it but the end of the call. */
export type CommandTones =
  | { readonly kind: 'tones'; readonly tones: readonly Tone[]; readonly direction?: string }
  | { readonly kind: 'hangUp' };

type Encoded = Result<CommandTones, Failure<'commandNotSupported' | 'badTones'>>;

const DEFAULT_TONE_MS = 80;
const TONES = /^[0-9A-D*#]{1,64}$/i;

/** A device command of the API as tones of the device's protocol (protocols 13). BS 8521 has a machine of its own. */
export function commandTones(
  command: DeviceCommand,
  parameters: CommandParameters | undefined,
  { protocol, grouped, direction }: CommandContext,
): Encoded {
  if (command === 'sendTones') return asGiven(parameters);
  if (protocol === 'tt92' || protocol === 'ttnew') {
    const profile = protocol === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE;
    const context = { name: protocol, grouped } as const;
    const said = direction === 'C' || direction === '*' ? ({ ...context, direction } as const) : context;
    const made = encodeCommand(command, said, profile);
    return made.ok ? ok({ kind: 'tones', tones: made.value, ...directionOf(command) }) : made;
  }
  const entry = protocolNamed(protocol);
  if (entry !== undefined) {
    const made = entry.commandTone(command, direction === undefined ? {} : { direction });
    if (!made.ok) return made;
    const { digits, ms, pauseMs } = made.value;
    const set = entry.isDirection(digits) ? { direction: digits } : {};
    return ok({ kind: 'tones', tones: [{ digits, onMs: ms, offMs: pauseMs }], ...set });
  }
  if (command === 'clearDown') return ok({ kind: 'hangUp' });
  return fail(
    'commandNotSupported',
    `${protocol} has no tones for ${command}; it takes clearDown and sendTones`,
  );
}

function asGiven({ toneString, duration }: CommandParameters = {}): Encoded {
  if (toneString === undefined || !TONES.test(toneString))
    return fail('badTones', 'parameters.toneString must be 1 to 64 of 0-9, A-D, * and #');
  const ms = duration ?? DEFAULT_TONE_MS;
  return ok({ kind: 'tones', tones: [{ digits: toneString.toUpperCase(), onMs: ms, offMs: ms }] });
}

const directionOf = (command: DeviceCommand): { readonly direction?: string } =>
  command === 'speak' ? { direction: 'C' } : command === 'listen' ? { direction: '*' } : {};
