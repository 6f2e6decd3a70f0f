import { expect, test } from 'vitest';
import {
  type Area,
  commonRights,
  isAllowed,
  lackOf,
  type Right,
  type Rights,
  ROLE_NAMES,
} from '#shared/access/index.ts';
import { SCOPES, type Scope } from '#shared/contract/provisioning/index.ts';

const AREAS: readonly Area[] = ['provisioning', 'runtime', 'site', 'capture'];
const RIGHTS: readonly Right[] = ['users', 'provisioning', 'lifecycle', 'operation', 'reading'];

/** Every set of scopes, and no limit. */
const scopeSets: readonly (readonly Scope[] | null)[] = [
  null,
  ...Array.from({ length: 2 ** SCOPES.length }, (_, bits) => SCOPES.filter((_scope, at) => bits & (1 << at))),
];
const all: readonly Rights[] = ROLE_NAMES.flatMap((role) =>
  scopeSets.flatMap((scopes) => [null, 1_000, 2_000].map((endsAt) => ({ role, scopes, endsAt }))),
);
/** By role and scopes, which are few: their pairs are a million. */
const known = new Map<string, readonly string[]>();
function opened(rights: Pick<Rights, 'role' | 'scopes'>): readonly string[] {
  const name = `${rights.role} ${rights.scopes?.join() ?? 'any'}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = AREAS.flatMap((area) =>
    RIGHTS.filter((right) => isAllowed(rights, area, right)).map((right) => `${area} ${right}`),
  );
  known.set(name, found);
  return found;
}
const openedBy = new Map(all.map((rights) => [rights, new Set(opened(rights))]));

test('common rights open nothing that one of the two does not open, for all pairs', () => {
  let open = 0;
  for (const a of all)
    for (const b of all) {
      const common = commonRights(a, b);
      const [ofA, ofB] = [openedBy.get(a), openedBy.get(b)];
      const much = opened(common);
      const more = much.filter((each) => ofA?.has(each) !== true || ofB?.has(each) !== true);
      if (more.length > 0) expect({ a, b, common, more }).toBeUndefined();
      for (const { endsAt } of [a, b])
        if (endsAt !== null && (common.endsAt === null || common.endsAt > endsAt))
          expect({ a, b, common }).toBeUndefined();
      open += much.length;
    }
  // A function that gives nothing would pass the lines above.
  expect(open).toBeGreaterThan(100_000);
});

test('rights in common with themselves stay as they are, and the order of two does not count', () => {
  for (const a of all) expect(commonRights(a, a)).toEqual(a);
  for (const a of all)
    for (const b of [...all].slice(0, 60))
      expect(opened(commonRights(a, b))).toEqual(opened(commonRights(b, a)));
});

test('an owner stays above an admin, and what operator and technician have in common is reading', () => {
  const of = (role: Rights['role']): Rights => ({ role, scopes: null, endsAt: null });
  expect(commonRights(of('owner'), of('admin')).role).toBe('admin');
  expect(commonRights(of('operator'), of('technician')).role).toBe('viewer');
});

test('a refusal names what is lacking, and what it names opens', () => {
  let refused = 0;
  for (const { role, scopes } of all.filter(({ endsAt }) => endsAt === null))
    for (const area of AREAS)
      for (const right of RIGHTS) {
        const sentence = lackOf({ role, scopes }, [area], [right]);
        expect(sentence === undefined).toBe(isAllowed({ role, scopes }, area, right));
        if (sentence === undefined) continue;
        const [, roles] = / role (.*?) \(it has /.exec(sentence) ?? [];
        const [, named] = / scope (.*?)\. /.exec(sentence) ?? [];
        for (const better of roles?.split(/, | or /) ?? [role])
          for (const scope of named?.split(' or ') ?? [undefined])
            expect(
              isAllowed(
                { role: better as Rights['role'], scopes: scope === undefined ? scopes : [scope as Scope] },
                area,
                right,
              ),
              sentence,
            ).toBe(true);
        refused += 1;
      }
  expect(refused).toBeGreaterThan(1_000);
});

test('a refusal for lack of role and scope names both', () => {
  expect(lackOf({ role: 'viewer', scopes: ['read'] }, ['runtime', 'site'], ['operation', 'lifecycle'])).toBe(
    'Access is refused: the token lacks the role owner, admin, operator or technician (it has viewer) and the scope runtime or site. Use a token that has both.',
  );
});
