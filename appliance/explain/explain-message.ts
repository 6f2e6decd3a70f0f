import { bs8521Alarm, isBs8521Alarm, receivedForm } from '#shared/alarm-event/index.ts';
import { contentFault, readContent } from '#shared/contract/profile/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { lacsFrom } from '../alarm/profile/index.ts';
import { decodeLacs, lacsEvent } from '../alarm/protocol/lacs/index.ts';
import { decodeAtm, meaningOf } from '../alarm/protocol/nowip/index.ts';
import type { Explained } from './explained.ts';

const NOT_CHECKED = { policy: 'none', result: 'notChecked' } as const;

/** A message of NOW-IP (`ATM`): alarm, sign of life, command or answer. */
export function explainNowIp(body: Uint8Array): Result<Explained> {
  const atm = decodeAtm(body);
  if (!atm.ok) return fail('Malformed', `no NOW-IP: ${atm.error.reason}`);
  const { raw: _, warnings, ...head } = atm.value;
  const meaning = meaningOf(atm.value);
  if (!meaning.ok) return fail('Malformed', `no NOW-IP: ${meaning.error.reason}`);
  const said = meaning.value;
  const fields = { ...head, meaning: said.kind, ...('fields' in said ? said.fields : {}) };
  const event =
    said.kind === 'alarm' && isBs8521Alarm(said.fields) ? receivedForm(bs8521Alarm(said.fields)) : null;
  return ok({ protocol: 'nowip', fields, check: NOT_CHECKED, alarmEvent: event, warnings: [...warnings] });
}

/**
 * A body of LACS. Its elements are the customer's to name: the content of a protocol profile says where each field stands. Without
 * one the root is shown, and no event.
 *
 * @param content of a protocol profile of kind xml that extends lacs
 */
export function explainLacs(body: Uint8Array, content: unknown): Result<Explained> {
  const fault = content === undefined ? undefined : contentFault('xml', 'lacs', content);
  if (fault !== undefined) return fail('Malformed', `no profile of LACS: ${fault.reason}`);
  const profile = lacsFrom(readContent('lacs', content));
  const read = decodeLacs(body, profile);
  if (!read.ok) return fail('Malformed', `no LACS by this profile: ${read.error.reason}`);
  const { root, fields, warnings } = read.value;
  const isKnown = content !== undefined;
  return ok({
    protocol: 'lacs',
    fields: { root, ...fields },
    check: NOT_CHECKED,
    alarmEvent: isKnown ? receivedForm(lacsEvent(read.value, '', profile).event) : null,
    warnings: [...warnings, ...(isKnown ? [] : ['noProfile: name the profile of the receiver by --profile'])],
  });
}
