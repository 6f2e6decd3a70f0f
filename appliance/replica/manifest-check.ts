import { type FeedScope, type Manifest, manifestSchema } from '#shared/contract/feed/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Standing } from './replica-store.ts';

/** The requested scope and revision. */
export interface Expected {
  readonly scope: FeedScope;
  readonly owner: string;
  readonly standing: Standing;
  /** Revision that the twin names: an older one is a replay. */
  readonly wantedRev: number;
}

/** `unreachable`: an answer that may be better next time; it is not the configuration that is wrong. */
export type ManifestFailure = Failure<'signatureInvalid' | 'foreignManifest' | 'unreachable'>;

/**
 * Whether a manifest whose signature is good is the one that was asked for. `payload` is what the signature covers,
 * undefined when it did not verify.
 */
export function checkManifest(payload: unknown, expected: Expected): Result<Manifest, ManifestFailure> {
  if (payload === undefined) return fail('signatureInvalid', 'the manifest is not signed by a pinned key');
  const read = manifestSchema.safeParse(payload);
  if (!read.success) return fail('foreignManifest', 'the manifest is of another version or has another form');
  const manifest = read.data;
  if (manifest.scope !== expected.scope || manifest.owner !== expected.owner) {
    return fail('foreignManifest', `the manifest is for ${manifest.scope} ${manifest.owner}`);
  }
  if (manifest.to < expected.wantedRev || manifest.to < expected.standing.rev) {
    return fail('unreachable', `the manifest ends at ${manifest.to}; ${expected.wantedRev} is wanted`);
  }
  if (!replacesAll(manifest) && manifest.from !== expected.standing.rev) {
    return fail('unreachable', `the delta begins at ${manifest.from}; here stands ${expected.standing.rev}`);
  }
  return ok(manifest);
}

/** A delta from revision 0 begins with nothing, as a snapshot does. */
export const replacesAll = ({ kind, from }: Manifest): boolean => kind === 'snapshot' || from === 0;
