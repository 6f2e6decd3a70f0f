import { fail, ok, type Result } from '#shared/result.ts';
import type { DigitSending, MediaFault } from '../../control/index.ts';
import { DIGITS } from '../../dtmf/index.ts';
import type { Leg } from './leg.ts';
import { areEvents } from './phrase.ts';
import { Player } from './player.ts';

/** The sender of these digits on a leg, or why they cannot be sent. */
export function digitPlayer(leg: Leg, sending: DigitSending): Result<Player, MediaFault> {
  const { mode, onMs, offMs } = sending;
  const digits = sending.digits.toUpperCase();
  const wrong = [...digits].find((digit) => !DIGITS.includes(digit));
  if (wrong !== undefined) return fail('Refused', `"${wrong}" is no digit; 0 to 9, A to D, * and # are.`);
  if (mode === 'rfc4733' && !areEvents(digits, leg.eventDigits))
    return fail('Refused', 'The peer takes no telephone-events for these digits; send them in band.');
  const outlet = { events: leg.events, eventDigits: () => leg.eventDigits };
  const phrases = [{ kind: 'digits', digits, onMs, offMs } as const];
  return ok(new Player({ phrases, over: 'instead' }, outlet, mode));
}
