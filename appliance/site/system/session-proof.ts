/**
 * This program, which has no root, shows root that it reached the cloud after a moment of root's choice: a file names the
 * management session. Root takes the file away; it comes back with a session that was opened after its absence was seen.
 *
 *     shown ── file away ──▶ asked(session of that moment) ── another session ──▶ file written ── shown
 *                              └── still that session: it is made again, once
 */
export type SessionProof =
  | { readonly at: 'shown' }
  /** `before`: the session that was open when the absence was seen; undefined = none. */
  | { readonly at: 'asked'; readonly before: string | undefined };

export type SessionProofEffect = 'renew' | 'write';

interface Look {
  /** Id of the session that is open now. */
  readonly session: string | undefined;
  readonly present: boolean;
}

/** After a start the file is not there, and no session is older than its absence. */
export const initialProof: SessionProof = { at: 'asked', before: undefined };

export function stepProof(
  state: SessionProof,
  { session, present }: Look,
): { readonly state: SessionProof; readonly effect?: SessionProofEffect } {
  if (present) return { state: { at: 'shown' } };
  if (state.at === 'shown') {
    const asked = { at: 'asked', before: session } as const;
    return session === undefined ? { state: asked } : { state: asked, effect: 'renew' };
  }
  if (session === undefined || session === state.before) return { state };
  return { state: { at: 'shown' }, effect: 'write' };
}
