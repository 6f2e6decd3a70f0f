import { expect, it } from 'vitest';
import {
  type Candidate,
  initialView,
  ownPlaces,
  type PlacementRequest,
  placeServices,
  placesOfSite,
  type SiteView,
  stepView,
} from '#appliance/site/peer/index.ts';
import { type Hello, helloSchema } from '#shared/contract/peer/index.ts';

const ALL = ['sip', 'media', 'alarm', 'callback', 'recording'];

interface Case {
  readonly labels?: readonly string[];
  readonly services?: PlacementRequest['services'];
  readonly candidates: Readonly<Record<string, Partial<Omit<Candidate, 'uid'>>>>;
  /** Services by the host that takes them; `-`: none. */
  readonly places: Readonly<Record<string, string>>;
}

const free = (freeMb: number, freePct = 50) => ({ memory: { freeMb, freePct } });

const CASES: Readonly<Record<string, Case>> = {
  'one other host takes everything': {
    candidates: { b: free(2_000) },
    places: { b: 'sip media alarm callback recording' },
  },
  'no host is there': { candidates: {}, places: { '-': 'sip media alarm callback recording' } },
  'two alike share, the first by order has one more': {
    candidates: { b: free(2_000), c: free(2_000) },
    places: { b: 'sip alarm recording', c: 'media callback' },
  },
  'twice the memory, twice the services': {
    candidates: { b: free(1_000), c: free(2_000) },
    places: { c: 'sip alarm callback', b: 'media recording' },
  },
  'one with little memory left gets nothing while another has much': {
    candidates: { b: free(300), c: free(4_000) },
    places: { c: 'sip media alarm callback recording' },
  },
  'less than 256 MiB is no room': {
    candidates: { b: free(255) },
    places: { '-': 'sip media alarm callback recording' },
  },
  'less than 10 % is no room': {
    candidates: { b: free(400, 9) },
    places: { '-': 'sip media alarm callback recording' },
  },
  'an older host that does not say its memory may be taken': {
    candidates: { b: {} },
    places: { b: 'sip media alarm callback recording' },
  },
  'labels svc= keep a host for its services': {
    candidates: { b: { ...free(9_000), labels: ['svc=recording'] }, c: free(500) },
    places: { c: 'sip media alarm callback', b: 'recording' },
  },
  'a service that all labels forbid goes nowhere': {
    candidates: { b: { ...free(2_000), labels: ['svc=sip', 'svc=media', 'svc=alarm', 'svc=callback'] } },
    places: { b: 'sip media alarm callback', '-': 'recording' },
  },
  'who shares the labels of the drained host comes first': {
    labels: ['room=1', 'rack=a'],
    candidates: {
      b: { ...free(9_000), labels: ['room=2'] },
      c: { ...free(500), labels: ['rack=a', 'room=1'] },
      d: { ...free(900), labels: ['room=1'] },
    },
    places: { c: 'sip media alarm callback recording' },
  },
  'words that a host says of itself are no likeness': {
    labels: ['ver=1.0.0', 'role=vip', 'arch=x64'],
    candidates: { b: free(2_000), c: { ...free(600), labels: ['ver=1.0.0', 'role=vip', 'arch=x64'] } },
    places: { b: 'sip media alarm recording', c: 'callback' },
  },
  'a host where the service is not well does not take it': {
    candidates: { b: { ...free(2_000), sick: ['media'] }, c: free(400) },
    places: { b: 'sip alarm callback recording', c: 'media' },
  },
  'what has a place keeps it, whoever else came': {
    services: [{ service: 'sip', to: 'c' }, { service: 'media', to: 'c' }, { service: 'alarm' }],
    candidates: { b: free(1_000), c: free(900) },
    places: { c: 'sip media', b: 'alarm' },
  },
  'what had a place that may not have it any more gets another': {
    services: [
      { service: 'sip', to: 'gone' },
      { service: 'media', to: 'c' },
    ],
    candidates: { b: free(1_000), c: { ...free(900), sick: ['media'] } },
    places: { b: 'sip media' },
  },
};

it.each(Object.entries(CASES))('places: %s', (_, { labels = [], services, candidates, places }) => {
  const request: PlacementRequest = {
    of: 'a',
    labels,
    services: services ?? ALL.map((service) => ({ service })),
  };
  const able = Object.entries(candidates).map(
    ([uid, each]): Candidate => ({ uid, labels: [], memory: undefined, sick: [], ...each }),
  );
  expect(grouped(placeServices([request], able))).toEqual(places);
});

it('the services of two hosts that are drained at once spread over the others together', () => {
  const request = (of: string): PlacementRequest => ({
    of,
    labels: [],
    services: [{ service: 'sip' }, { service: 'media' }],
  });
  const able = ['c', 'd'].map((uid): Candidate => ({ uid, labels: [], sick: [], ...free(1_000) }));
  const places = placeServices([request('a'), request('b')], able);
  expect(places).toEqual([
    { of: 'a', service: 'sip', to: 'c' },
    { of: 'a', service: 'media', to: 'd' },
    { of: 'b', service: 'sip', to: 'c' },
    { of: 'b', service: 'media', to: 'd' },
  ]);
});

const UIDS = ['a', 'b', 'c'].map((letter) => `01jc7z5t3k9q8w6m4n2p0r1s5${letter}`);
const [A = '', B = '', C = ''] = UIDS;

const hello = (uid: string, more: Partial<Hello> = {}): Hello =>
  helloSchema.parse({ v: 1, uid, epoch: 1, owner: '', ready: true, serving: true, ...more });

/** How the host `self` sees the others that have said these. */
function seen(self: string, ...said: readonly Hello[]): SiteView {
  const members = UIDS.map((uid, order) => ({ uid, hostId: uid, publicKey: '', order, address: uid }));
  let { state } = stepView(initialView(self, 1), { kind: 'members', members, atMs: 0 });
  for (const each of said) ({ state } = stepView(state, { kind: 'heard', hello: each, atMs: 0 }));
  return state;
}

const moving = [{ service: 'sip' }];

it('the leader places what the others want, by what they say of themselves', () => {
  const leader = hello(A, { memory: { freeMb: 500, freePct: 50 } });
  const roomy = hello(C, { memory: { freeMb: 900, freePct: 50 } });
  const drained = hello(B, { serving: false, moving });
  expect(placesOfSite(seen(A, drained, roomy), leader)).toEqual([{ of: B, service: 'sip', to: C }]);
  // Neither one that is drained itself nor one whose journal cannot be written.
  const full = { ...roomy, ready: false };
  expect(placesOfSite(seen(A, drained, full), leader)).toEqual([{ of: B, service: 'sip', to: A }]);
});

it('a drained host obeys the leader, waits for its word, and decides itself beside a leader that places nothing', () => {
  const own = { ready: true, serving: false, moving };
  const other = hello(C);
  const led = (more: Partial<Hello>) => Object.fromEntries(ownPlaces(seen(B, hello(A, more), other), own));
  expect(led({ placed: [{ of: B, service: 'sip', to: C }] })).toEqual({ sip: C });
  expect(led({ placed: [{ of: B, service: 'sip', to: null }] })).toEqual({ sip: null });
  expect(led({ placed: [{ of: C, service: 'sip', to: A }] })).toEqual({});
  expect(led({})).toEqual({ sip: A });
});

it('the host with the address leads while it is drained, and places its own services', () => {
  const own = { ready: true, serving: false, vip: true, moving };
  const said = hello(B, { placed: [{ of: A, service: 'sip', to: C }] });
  expect(Object.fromEntries(ownPlaces(seen(A, said, hello(C)), own))).toEqual({ sip: B });
  // Alone there is no place.
  expect(Object.fromEntries(ownPlaces(seen(A), own))).toEqual({ sip: null });
});

function grouped(places: readonly { readonly service: string; readonly to: string | null }[]) {
  const by: Record<string, string[]> = {};
  for (const { service, to } of places) {
    const list = by[to ?? '-'] ?? [];
    by[to ?? '-'] = [...list, service];
  }
  return Object.fromEntries(Object.entries(by).map(([to, list]) => [to, list.join(' ')]));
}
