import { type Failure, ok, type Result } from '#shared/result.ts';
import type { SipResponse } from '../message/index.ts';
import { authorize, chooseChallenge, type HeldLogin, type Login, type NonceUse } from './challenge.ts';
import type { Hash } from './digest.ts';

const challengesOf = (response: SipResponse): readonly string[] =>
  response.headers(response.status === 407 ? 'Proxy-Authenticate' : 'WWW-Authenticate');

/** Is the password right, and only the nonce too old (RFC 7616 3.3)? The next try needs no question to a person. */
export function isStale(response: SipResponse): boolean {
  const challenge = chooseChallenge(challengesOf(response));
  return challenge.ok && challenge.value.stale;
}

/**
 * The header field that answers a 401 or 407 (RFC 3261 22.2, 22.3): to be added to the same request, sent again with the
 * next CSeq. A second challenge behind a right answer means that the password is wrong, unless it says `stale`.
 */
export function answerChallenge(
  hash: Hash,
  response: SipResponse,
  login: Login | HeldLogin,
  request: { readonly method: string; readonly uri: string },
  use: NonceUse,
): Result<readonly [name: string, value: string], Failure<'Unanswerable'>> {
  const challenge = chooseChallenge(challengesOf(response), login);
  if (!challenge.ok) return challenge;
  const value = authorize(hash, challenge.value, login, request, use);
  return ok([response.status === 407 ? 'Proxy-Authorization' : 'Authorization', value]);
}
