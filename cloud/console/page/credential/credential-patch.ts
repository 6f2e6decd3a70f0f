/** A credential without its secret, which the API never shows. */
export interface Credential {
  readonly type?: string;
  readonly sub?: string;
  readonly scope?: string;
}

/** A change of RFC 6902. */
export interface Patch {
  readonly op: 'add' | 'remove' | 'test';
  readonly path: string;
  readonly value?: unknown;
}

/** The new credential signs first; it has subject and scope of the one before. */
export function additionOf(credentials: readonly Credential[], secret: string): readonly Patch[] {
  const { sub, scope } = credentials[0] ?? {};
  const value = {
    ...(sub === undefined ? {} : { sub }),
    ...(scope === undefined ? {} : { scope }),
    ...{ type: 'ES256', secret },
  };
  return credentials.length === 0
    ? [{ op: 'add', path: '/restAuthentication', value: [value] }]
    : [{ op: 'add', path: '/restAuthentication/0', value }];
}

/** Removes all credentials behind the first one, the last one first: a removal moves those behind it. */
export const removalOf = (credentials: readonly Credential[]): readonly Patch[] =>
  credentials
    .slice(1)
    .map((_, index) => ({ op: 'remove' as const, path: `/restAuthentication/${index + 1}` }))
    .toReversed();
