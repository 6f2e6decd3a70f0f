import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type HeaderFields, isToken } from '../message/index.ts';
import type { NamedFields } from './caller-info.ts';

/** The caller fields of a call of ours, by the API's names (media document 2.4). */
export interface CallerRequest {
  /** Asserted to the trunk: a number or a URI. */
  readonly sipPAI?: string | undefined;
  readonly sipRPID?: string | undefined;
  readonly callerPrivacy?: boolean | undefined;
  /** Whom the call was meant for before: a number or a URI. */
  readonly sipDiversion?: string | undefined;
  readonly sipDiversionParameters?: Readonly<Record<string, string | number>> | undefined;
  readonly xHeaders?: NamedFields | undefined;
  readonly pHeaders?: NamedFields | undefined;
  /** Taken over from the call that caused this one, as they stood there. */
  readonly diversionHeaders?: readonly string[] | undefined;
  readonly historyInfo?: readonly string[] | undefined;
  readonly referredBy?: string | undefined;
  readonly subject?: string | undefined;
}

/**
 * The header fields of an INVITE that say who calls and on whose behalf. `host`: domain that bare numbers get. Fails
 * with the name of the field that cannot stand in a message; what an application sent must not become another field.
 */
export function callerFields(
  request: CallerRequest,
  host: string,
): Result<HeaderFields, Failure<'Malformed'>> {
  const address = (text: string): string => (text.includes(':') ? `<${text}>` : `<sip:${text}@${host}>`);
  const fields: [string, string][] = [];
  const pNames = Object.keys(request.pHeaders ?? {}).map((name) => name.toLowerCase());
  if (request.sipPAI !== undefined && !pNames.includes('p-asserted-identity'))
    fields.push(['P-Asserted-Identity', address(request.sipPAI)]);
  if (request.sipRPID !== undefined) {
    const privacy = request.callerPrivacy === true ? 'full' : 'off';
    fields.push([
      'Remote-Party-ID',
      `${address(request.sipRPID)};party=calling;privacy=${privacy};screen=yes`,
    ]);
  }
  // RFC 3325 7: the trunk may know the number and must not pass it on.
  if (request.callerPrivacy === true) fields.push(['Privacy', 'id']);
  if (request.sipDiversion !== undefined) {
    const parameters = Object.entries({ reason: 'unconditional', ...request.sipDiversionParameters });
    const list = parameters.map(([name, value]) => `;${name}=${value}`).join('');
    fields.push(['Diversion', `${address(request.sipDiversion)}${list}`]);
  }
  for (const value of request.diversionHeaders ?? []) fields.push(['Diversion', value]);
  for (const value of request.historyInfo ?? []) fields.push(['History-Info', value]);
  if (request.referredBy !== undefined) fields.push(['Referred-By', request.referredBy]);
  if (request.subject !== undefined) fields.push(['Subject', request.subject]);
  for (const [prefix, named] of [
    ['x-', request.xHeaders],
    ['p-', request.pHeaders],
  ] as const) {
    for (const [name, value] of Object.entries(named ?? {})) {
      if (!name.toLowerCase().startsWith(prefix))
        return fail('Malformed', `"${name}" does not begin with ${prefix.toUpperCase()}`, name);
      for (const one of typeof value === 'string' ? [value] : value) fields.push([name, one]);
    }
  }
  const broken = fields.find(([name, value]) => !isToken(name) || /[\0\r\n]/.test(value));
  return broken === undefined
    ? ok(fields)
    : fail('Malformed', `the value of ${broken[0]} cannot stand in a SIP message`, broken[0]);
}
