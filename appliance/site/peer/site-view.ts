import type { Hello } from '#shared/contract/peer/index.ts';
import { type Member, othersAfter } from './member.ts';

/**
 * The hosts of a site in the view of one of them, and the term of the site (control plane 9).
 *
 *            hello       2 s: doubt, 3 s: lost      silent 5 s
 *   unknown ───────▶ up ──────────────────▶ lost ──────────────▶ dead: the holder of its rows takes over
 *      │             ▲ hello                  │                    │
 *      │             └────────────────────────┴────────────────────┘ linked: both tell what they have
 *      └ silent for 5 s from the start: dead
 *
 * The epoch is raised by each take-over above everything seen; where two raise it alike (both halves of a split), the
 * higher uid owns it. No host is ever stopped for being the loser: alarms may come twice and are never lost.
 */
export interface SiteView {
  readonly self: string;
  readonly members: readonly Member[];
  readonly links: Readonly<Record<string, Link>>;
  readonly epoch: number;
  /** The host that raised it; empty: none yet. */
  readonly owner: string;
}

export interface Link {
  readonly at: 'unknown' | 'up' | 'lost' | 'dead';
  /** Monotonic ms of the last word, or of when we began to listen. */
  readonly receivedMs: number;
  readonly hello: Hello | undefined;
  /** It misses its second word. */
  readonly doubted: boolean;
}

export type ViewInput =
  /** The configuration names the members. */
  | { readonly kind: 'members'; readonly members: readonly Member[]; readonly atMs: number }
  | { readonly kind: 'heard'; readonly hello: Hello; readonly atMs: number }
  | { readonly kind: 'tick'; readonly atMs: number };

export type ViewEffect =
  /** Keep it on the disk before anything is stamped with it. */
  | { readonly kind: 'keepEpoch'; readonly epoch: number }
  /** Deliver what we hold of this host. */
  | { readonly kind: 'takeOver'; readonly of: string; readonly epoch: number }
  /** The link is there (again): compare what each has. */
  | { readonly kind: 'linked'; readonly to: string }
  /** It may be dead, and its devices are about to come here: its alarms must be known before they repeat. */
  | { readonly kind: 'doubt'; readonly of: string }
  | { readonly kind: 'lost'; readonly to: string };

export interface ViewStep {
  readonly state: SiteView;
  readonly effects: readonly ViewEffect[];
}

export const HELLO_MS = 1_000;
/** Before VRRP moves the address: three adverts of a second, the last one up to a second old. */
const DOUBT_MS = 2_000;
const LOST_MS = 3_000;
const DEAD_MS = 5_000;

export const initialView = (self: string, epoch: number): SiteView => ({
  self,
  members: [],
  links: {},
  epoch,
  owner: '',
});

export function stepView(state: SiteView, input: ViewInput): ViewStep {
  switch (input.kind) {
    case 'members':
      return joined(state, input.members, input.atMs);
    case 'heard':
      return onHello(state, input.hello, input.atMs);
    case 'tick':
      return ticked(state, input.atMs);
  }
}

function joined(state: SiteView, members: readonly Member[], atMs: number): ViewStep {
  const links: Record<string, Link> = {};
  for (const { uid } of othersAfter(members, state.self)) {
    links[uid] = state.links[uid] ?? { at: 'unknown', receivedMs: atMs, hello: undefined, doubted: false };
  }
  return { state: { ...state, members, links }, effects: [] };
}

function onHello(state: SiteView, hello: Hello, atMs: number): ViewStep {
  const link = state.links[hello.uid];
  // A host that the configuration does not name, or our own voice.
  if (link === undefined) return { state, effects: [] };
  const links = {
    ...state.links,
    [hello.uid]: { at: 'up' as const, receivedMs: atMs, hello, doubted: false },
  };
  const newer = hello.epoch > state.epoch || (hello.epoch === state.epoch && hello.owner > state.owner);
  const term = newer ? { epoch: hello.epoch, owner: hello.owner } : {};
  const effects: ViewEffect[] = [];
  if (hello.epoch > state.epoch) effects.push({ kind: 'keepEpoch', epoch: hello.epoch });
  if (link.at !== 'up') effects.push({ kind: 'linked', to: hello.uid });
  return { state: { ...state, ...term, links }, effects };
}

function ticked(state: SiteView, atMs: number): ViewStep {
  let { epoch, owner } = state;
  const links: Record<string, Link> = { ...state.links };
  const effects: ViewEffect[] = [];
  for (const [uid, link] of Object.entries(state.links)) {
    const silentMs = atMs - link.receivedMs;
    if (!link.doubted && silentMs >= DOUBT_MS) {
      links[uid] = { ...link, doubted: true };
      effects.push({ kind: 'doubt', of: uid });
    }
    if (link.at === 'up' && silentMs >= LOST_MS) {
      links[uid] = { ...link, at: 'lost', doubted: true };
      effects.push({ kind: 'lost', to: uid });
    }
    if (link.at === 'dead' || silentMs < DEAD_MS) continue;
    links[uid] = { ...link, at: 'dead', doubted: true };
    epoch += 1;
    owner = state.self;
    effects.push({ kind: 'keepEpoch', epoch }, { kind: 'takeOver', of: uid, epoch });
  }
  return { state: { ...state, links, epoch, owner }, effects };
}

/** The holder of our rows: the next one by order that is there and can write. */
export const holderOf = ({ members, self, links }: SiteView): Member | undefined =>
  othersAfter(members, self).find(({ uid }) => links[uid]?.at === 'up' && links[uid]?.hello?.ready === true);

/** The host that could serve in our place. */
export const substituteOf = ({ members, self, links }: SiteView): Member | undefined =>
  othersAfter(members, self).find(({ uid }) => {
    const link = links[uid];
    return link?.at === 'up' && link.hello?.ready === true && link.hello.serving;
  });

/** The host that speaks for the site: the holder of the VIP, else the first by order that is there and serves. `own`: our hello. */
export function leaderOf(
  { members, self, links }: SiteView,
  own: Pick<Hello, 'serving' | 'vip'>,
): string | undefined {
  const sees = (uid: string) =>
    uid === self ? own : links[uid]?.at === 'up' ? links[uid]?.hello : undefined;
  const holder = members.find(({ uid }) => sees(uid)?.vip === true);
  return (holder ?? members.find(({ uid }) => sees(uid)?.serving === true))?.uid;
}

/** Two hosts believe that they hold the VIP. */
export const vipIsTwice = ({ members, self, links }: SiteView, own: Pick<Hello, 'vip'>): boolean =>
  members.filter(({ uid }) =>
    uid === self ? own.vip === true : links[uid]?.at === 'up' && links[uid]?.hello?.vip === true,
  ).length > 1;
