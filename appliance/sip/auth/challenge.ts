import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { parseAuthField, quoted } from './auth-field.ts';
import { type Algorithm, algorithmOf, digestResponse, type Hash, ha1Of, type StoredHa1 } from './digest.ts';

/** The values of WWW-Authenticate, one per algorithm, best first (RFC 8760 2.4). */
export function challengeValues(
  realm: string,
  nonce: string,
  stale: boolean,
  algorithms: readonly Algorithm[],
): string[] {
  const common = `Digest realm=${quoted(realm)}, nonce=${quoted(nonce)}, qop="auth"`;
  return algorithms.map((algorithm) => `${common}, algorithm=${algorithm}${stale ? ', stale=true' : ''}`);
}

/** A challenge a client can answer. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: Algorithm;
  readonly session: boolean;
  /** As spelt by the server, sent back so (RFC 7616 3.4). */
  readonly algorithmName?: string;
  readonly opaque?: string;
  /** False: an RFC 2069 server. */
  readonly qop: boolean;
  /** The nonce was too old and the password right: try again without asking anybody. */
  readonly stale: boolean;
}

/** The first challenge we can answer: servers put the one they prefer on top (RFC 8760 2.5). */
export function chooseChallenge(
  values: readonly string[],
  login?: Login | HeldLogin,
): Result<Challenge, Failure<'Unanswerable'>> {
  for (const value of values) {
    const field = parseAuthField(value);
    if (!field.ok || field.value.scheme !== 'digest') continue;
    const { parameters } = field.value;
    const algorithmName = parameters.get('algorithm');
    const algorithm = algorithmOf(algorithmName);
    const realm = parameters.get('realm');
    const nonce = parameters.get('nonce');
    const qop = parameters.get('qop');
    const auth = qop?.split(',').some((option) => option.trim().toLowerCase() === 'auth');
    if (algorithm === undefined || realm === undefined || nonce === undefined || auth === false) continue;
    if (login !== undefined && secretOf(login, realm, algorithm.algorithm) === undefined) continue;
    const opaque = parameters.get('opaque');
    return ok({
      realm,
      nonce,
      ...algorithm,
      ...(algorithmName === undefined ? {} : { algorithmName }),
      ...(opaque === undefined ? {} : { opaque }),
      qop: auth === true,
      stale: parameters.get('stale')?.toLowerCase() === 'true',
    });
  }
  return fail('Unanswerable', 'no challenge with SHA-256 or MD5 and qop auth: ask the peer to offer one');
}

/** The password, or the hash of it that fits; undefined: what is kept is of another realm or algorithm. */
const secretOf = (login: Login | HeldLogin, realm: string, algorithm: Algorithm): string | undefined =>
  'password' in login ? login.password : login.realm === realm ? login.ha1[algorithm] : undefined;

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A login of which only hashes are kept: good for one realm. */
export interface HeldLogin {
  readonly username: string;
  readonly realm: string;
  readonly ha1: StoredHa1;
}

/** One use of a nonce: `count` goes up by one with every request, `cnonce` is fresh random text. */
export interface NonceUse {
  readonly count: number;
  readonly cnonce: string;
}

/** The value of Authorization (after 401) or Proxy-Authorization (after 407). */
export function authorize(
  hash: Hash,
  challenge: Challenge,
  login: Login | HeldLogin,
  request: { readonly method: string; readonly uri: string },
  use: NonceUse,
): string {
  const { algorithm, session, realm, nonce } = challenge;
  const nc = use.count.toString(16).padStart(8, '0');
  const { cnonce } = use;
  const ha1 =
    'password' in login
      ? ha1Of(hash, algorithm, login.username, realm, login.password)
      : (login.ha1[algorithm] ?? '');
  const response = digestResponse(hash, ha1, {
    algorithm,
    session,
    ...request,
    nonce,
    cnonce,
    ...(challenge.qop ? { qop: { nc, cnonce } } : {}),
  });
  const parts = [
    `username=${quoted(login.username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `response="${response}"`,
  ];
  if (challenge.algorithmName !== undefined) parts.push(`algorithm=${challenge.algorithmName}`);
  if (challenge.qop || session) parts.push(`cnonce=${quoted(cnonce)}`);
  if (challenge.qop) parts.push('qop=auth', `nc=${nc}`);
  if (challenge.opaque !== undefined) parts.push(`opaque=${quoted(challenge.opaque)}`);
  return `Digest ${parts.join(', ')}`;
}
