import { receivedForm } from '#shared/alarm-event/index.ts';
import { contentFault, readContent } from '#shared/contract/profile/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { rb2000From } from '../alarm/profile/index.ts';
import { bs8521Protocol } from '../alarm/protocol/bs8521/index.ts';
import { contactIdProtocol } from '../alarm/protocol/contact-id/index.ts';
import { cpcProtocol, p100Protocol, twonProtocol } from '../alarm/protocol/lift/index.ts';
import { openToneProtocol } from '../alarm/protocol/open-tone/index.ts';
import {
  checkFits,
  fittingMethods,
  type ToneFrame,
  type ToneProtocol,
} from '../alarm/protocol/tone/index.ts';
import { ttProtocol } from '../alarm/protocol/tt/index.ts';
import type { Explained } from './explained.ts';

/** In the order in which they are tried; the frame of TT92 and TTNEW is the same. */
const PROTOCOLS: readonly ToneProtocol[] = [
  twonProtocol(),
  ttProtocol('tt92'),
  contactIdProtocol(),
  bs8521Protocol(),
  p100Protocol(),
  cpcProtocol(undefined, true),
];

const MOST_SYMBOLS = 64;

/**
 * A string of RB2000, all of which is the customer's to say.
 *
 * @param content of a protocol profile of kind tone that extends rb2000
 */
export function explainRb2000(text: string, content: unknown): Result<Explained> {
  if (content === undefined)
    return fail(
      'Malformed',
      'no RB2000 without a profile: nothing of its string is public; name the profile of the receiver by --profile',
    );
  const fault = contentFault('tone', 'rb2000', content);
  if (fault !== undefined) return fail('Malformed', `no profile of RB2000: ${fault.reason}`);
  return read(text, [openToneProtocol('rb2000', rb2000From(readContent('rb2000', content)))]);
}

/** A string of DTMF symbols; spaces do not count. Where several protocols can read it, one whose check fits. */
export function explainTone(text: string, only?: string): Result<Explained> {
  return read(
    text,
    PROTOCOLS.filter(({ name }) => only === undefined || name === only),
  );
}

function read(text: string, protocols: readonly ToneProtocol[]): Result<Explained> {
  const line = text.replace(/\s+/g, '').toUpperCase();
  if (!new RegExp(`^[0-9A-D*#]{1,${MOST_SYMBOLS}}$`).test(line))
    return fail('Malformed', `no string of tones: 1 to ${MOST_SYMBOLS} of 0-9, A-D, * and # are wanted`);
  const readings = protocols.flatMap((protocol) => {
    const frame = protocol.read(line);
    return frame.ok ? [{ protocol, frame: frame.value, fits: fitsOf(protocol, frame.value) }] : [];
  });
  const reading = readings.find(({ fits }) => fits) ?? readings[0];
  const [first] = protocols;
  const only = protocols.length === 1 ? first?.name : undefined;
  if (reading === undefined) return fail('Malformed', `no ${only ?? 'protocol that is known'} reads ${line}`);
  const { protocol, frame } = reading;
  const others = readings.filter((other) => other !== reading).map((other) => other.protocol.name);
  return ok({
    protocol: protocol.name,
    fields: frame.fields,
    check: checkOf(protocol, frame),
    alarmEvent: frame.event === null ? null : receivedForm(frame.event),
    warnings: [...frame.warnings, ...(others.length > 0 ? [`alsoReadBy: ${others.join(', ')}`] : [])],
  });
}

const isBlind = ({ profile: { check } }: ToneProtocol): boolean =>
  check.method === 'none' || (check.method === 'table' && check.table === undefined);

const fitsOf = (protocol: ToneProtocol, { checked, check }: ToneFrame): boolean =>
  check !== '' && !isBlind(protocol) && checkFits(protocol.profile.check.method, checked, check);

function checkOf(protocol: ToneProtocol, { checked, check }: ToneFrame): Explained['check'] {
  const { policy, method } = protocol.profile.check;
  if (check === '') return { policy: 'none', result: 'notChecked' };
  const result = isBlind(protocol) ? 'notChecked' : checkFits(method, checked, check) ? 'ok' : 'failed';
  return { policy, result, method, digits: check, methodsThatFit: fittingMethods(checked, check) };
}
