import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Area, isAllowed, type Principal, type Right } from '#cloud/tenant/index.ts';
import { bySize } from '#test/support/vitest/rounds.ts';
import { type Answer, ask, openApi, type TestApi } from './api.ts';
import { type Maker, makeKey, makePersonBy, makeToken, platformOwner } from './maker.ts';
import type { Browser } from './people.ts';

const AREAS: readonly Area[] = ['provisioning', 'runtime', 'site', 'capture'];
const RIGHTS: readonly Right[] = ['users', 'provisioning', 'lifecycle', 'operation', 'reading'];
const ROLES = ['owner', 'admin', 'operator', 'technician', 'viewer'] as const;
const SCOPES = [
  undefined,
  undefined,
  'provisioning',
  'read',
  'provisioning read',
  'runtime provisioning',
] as const;

type Node = Maker & { readonly browser?: Browser };
type Opened = ReadonlyMap<string, ReadonlySet<string>>;

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
});

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  return { below, pick };
}

/** One tenant in which makers make makers. */
class Tree {
  readonly domain: string;
  readonly nodes = new Map<string, Node>();
  people = 0;

  constructor(domain: string) {
    this.domain = domain;
  }

  async principal(node: Node): Promise<Principal | undefined> {
    const { tenancy, clock } = api;
    const result =
      node.browser === undefined
        ? await tenancy.signIn((await node.token?.()) ?? '', this.domain, clock.now)
        : await tenancy.session.principal(node.browser.cookie, this.domain, clock.now);
    return result.ok ? result.value : undefined;
  }

  /** Rights of each of them now. Making people and owners are rights too. */
  async opened(): Promise<Opened> {
    const all = new Map<string, ReadonlySet<string>>();
    for (const [ref, node] of this.nodes) {
      const principal = await this.principal(node);
      const pairs = AREAS.flatMap((area) =>
        RIGHTS.filter((right) => principal !== undefined && isAllowed(principal, area, right)).map(
          (right) => `${area} ${right}`,
        ),
      );
      if (principal?.scopes === null && pairs.length > 0) {
        pairs.push('no scope');
        if (principal.role === 'owner') pairs.push('owner');
      }
      all.set(ref, new Set(pairs));
    }
    return all;
  }

  /** Makers as the API shows them. */
  async makers(): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    for (const [path, name, kind, id] of [
      ['user', 'users', 'person', 'id'],
      ['apikey', 'apikeys', 'key', 'kid'],
      ['apitoken', 'apitokens', 'token', 'id'],
    ] as const) {
      const { body } = await ask(api, 'GET', `/provisioning/${path}/${this.domain}`);
      for (const row of body[name] as Record<string, string>[]) found.set(`${kind}:${row[id]}`, row.maker);
    }
    return found;
  }

  add(node: Node): void {
    this.nodes.set(node.ref, node);
  }
}

const pathOf = (domain: string, ref: string): string => {
  const [kind = '', ...id] = ref.split(':');
  const noun = { person: 'user', key: 'apikey', token: 'apitoken' }[kind] ?? '';
  return `/provisioning/${noun}/${domain}/${id.join(':')}`;
};

const isWithin = (inner: ReadonlySet<string>, outer: ReadonlySet<string>): boolean =>
  [...inner].every((each) => outer.has(each));

/** One random act of a random maker. Most are refused; that is as good. Returns what was done, for a failing run. */
async function act(tree: Tree, random: ReturnType<typeof randomOf>): Promise<{ by: Node; text: string }> {
  const { domain, nodes } = tree;
  const kind = random.pick([
    'token',
    'token',
    'key',
    'person',
    'role',
    'role',
    'hand over',
    'revoke',
    'leave',
  ]);
  // Half of what shrinks or moves rights is done by the one who may always.
  const certain = ['role', 'hand over'].includes(kind) && random.below(2) === 0;
  const by = random.pick(certain ? [...nodes.values()].slice(0, 1) : [...nodes.values()]);
  const of = random.pick([...nodes.keys()].filter((ref) => ref !== 'person:platform-owner').concat(by.ref));
  const text = `${by.ref} ${kind} ${of}`;
  const scope = random.pick(SCOPES);
  const made = async (making: Promise<Node>): Promise<void> => {
    const node = await making.catch((cause: unknown) => {
      // Refused for what the maker may not; anything else is a defect.
      if (!(cause instanceof Error) || !/^(401|403|409) /.test(cause.message)) throw cause;
      return undefined;
    });
    if (node === undefined) return;
    tree.add(node);
    expect([text, (await tree.makers()).get(node.ref)]).toEqual([text, by.ref]);
  };
  const asked = async (answer: Promise<Answer>) => expect((await answer).status, text).toBeLessThan(500);
  if (kind === 'token')
    await made(
      makeToken(api, by, domain, {
        ...(scope === undefined ? {} : { scope }),
        ...(random.below(4) === 0 ? { expiresIn: 45 } : {}),
      }),
    );
  else if (kind === 'key')
    await made(makeKey(api, by, domain, scope, random.below(3) === 0 ? { scope: 'provisioning' } : {}));
  else if (kind === 'person') {
    if (tree.people < 7) {
      tree.people += 1;
      await made(makePersonBy(api, by, domain, `p${tree.people}@${domain}`, random.pick(ROLES.slice(0, 3))));
    }
  } else if (kind === 'role')
    await asked(by.ask('PUT', pathOf(domain, of), { body: { role: random.pick(ROLES) } }));
  else if (kind === 'hand over')
    await asked(by.ask('DELETE', `${pathOf(domain, of)}?transferTo=${random.pick([...nodes.keys()])}`));
  else if (kind === 'revoke' && random.below(6) === 0)
    await asked(by.ask('DELETE', `${pathOf(domain, of)}?revoke=true`));
  else if (kind === 'leave') await asked(by.ask('DELETE', pathOf(domain, of)));
  return { by, text };
}

test.each(bySize([1], [1, 2, 3, 4]))(
  'random trees of makers, run %i: rights are those of every maker, and nothing is gained',
  async (seed) => {
    const random = randomOf(seed);
    const tree = new Tree(`tree${seed}.test`);
    const root = platformOwner(api);
    await ask(api, 'POST', '/platform/tenant', { body: { domain: tree.domain } });
    tree.add(root);
    for (const role of ['owner', 'owner', 'admin']) {
      tree.people += 1;
      const maker = await makePersonBy(api, root, tree.domain, `p${tree.people}@${tree.domain}`, role);
      tree.add(maker);
      tree.add(await makeToken(api, maker, tree.domain));
      tree.add(await makeKey(api, maker, tree.domain));
    }
    let checked = 0;
    let deepest = 0;
    let before = await tree.opened();
    for (let step = 0; step < 70; step++) {
      if (random.below(12) === 0) api.clock.now += 2_000;
      const { by, text } = await act(tree, random);
      const after = await tree.opened();
      const makers = await tree.makers();
      const own = before.get(by.ref) ?? new Set();
      for (const [ref, rights] of after) {
        // No maker can give more rights than it has.
        const gained = [...rights].filter((each) => before.get(ref)?.has(each) !== true);
        if (gained.some((each) => !own.has(each))) expect({ seed, step, text, ref, gained }).toBeUndefined();
        let depth = 0;
        for (let maker = makers.get(ref); maker !== undefined; maker = makers.get(maker)) {
          depth += 1;
          const limit = after.get(maker) ?? new Set();
          if (depth > 100 || !isWithin(rights, limit))
            expect({ seed, step, text, ref, rights: [...rights], maker, limit: [...limit] }).toBeUndefined();
          if (rights.size > 0) checked += 1;
        }
        deepest = Math.max(deepest, depth);
      }
      before = after;
    }
    // A tree in which nothing lives would pass.
    expect(checked).toBeGreaterThan(200);
    expect(deepest).toBeGreaterThan(1);
  },
);
