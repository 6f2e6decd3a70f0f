import type { RestAuthenticationEntry } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ProvisioningPort } from './port.ts';

type SigningPort = Pick<ProvisioningPort, 'signingFault'>;
type Signing = Pick<RestAuthenticationEntry, 'type' | 'secret'>;

/** Name of the lists of credentials, in every resource that has one. */
const LIST = 'restAuthentication';

/**
 * Whether every credential of `body` can sign callbacks. Fails with `invalid` and the pointer of the secret: a callback
 * would find out otherwise, during an alarm.
 *
 * Chosen: a credential that `before` already holds is not judged, so that a body that GET gave can be PUT. Rows from
 * before this check keep what they have; `unusableCredentials` finds them at the start of the program.
 */
export function checkCredentials(port: SigningPort, body: unknown, before: unknown): Result<null> {
  const known = new Set(entriesOf(before).map(({ entry }) => nameOf(entry)));
  for (const { path, entry } of entriesOf(body)) {
    if (known.has(nameOf(entry))) continue;
    const fault = port.signingFault(entry);
    if (fault !== undefined) return fail('invalid', `${path}: ${fault}`, path);
  }
  return ok(null);
}

/** Credentials of `body` that cannot sign: the pointer of each secret, and the reason. */
export function unusableIn(
  port: SigningPort,
  body: unknown,
): readonly { readonly path: string; readonly reason: string }[] {
  return entriesOf(body).flatMap(({ path, entry }) => {
    const reason = port.signingFault(entry);
    return reason === undefined ? [] : [{ path, reason }];
  });
}

const nameOf = ({ type, secret }: Signing): string => `${type}\n${secret}`;

/** Every credential, wherever its list is: a new place of the contract is judged without a line here. */
function entriesOf(node: unknown, path = ''): { readonly path: string; readonly entry: Signing }[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const here = `${path}/${name}`;
    if (name !== LIST) return entriesOf(value, here);
    if (!Array.isArray(value)) return [];
    return value.map((entry: Signing, index) => ({
      path: `${here}/${index}/secret`,
      // A row from before the default was stored has no type.
      entry: { type: entry.type ?? 'RS256', secret: entry.secret },
    }));
  });
}
