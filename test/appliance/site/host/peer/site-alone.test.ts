import { beforeEach, expect, it } from 'vitest';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { oneShots } from '#appliance/kernel/one-shot.ts';
import { type PeerPorts, SitePeers } from '#appliance/site/host/peer/site-peers.ts';
import type { Member } from '#appliance/site/peer/index.ts';

const member = (uid: string, order: number): Member => ({
  uid,
  hostId: `host-${uid}`,
  publicKey: '',
  order,
  address: `${uid}:8446`,
});

let nowMs: number;
let wheel: EngineTimers;
let members: readonly Member[];
let greeted: string[];
let peers: SitePeers;
beforeEach(() => {
  nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  wheel = new EngineTimers({ clock }, (cause) => {
    throw cause;
  });
  members = [member('a', 1)];
  greeted = [];
  peers = new SitePeers({
    self: 'a',
    clock,
    startTimer: oneShots({ clock, timers: wheel }),
    journal: {
      epoch: 1,
      peerRows: () => [],
      dedupeAnswers: () => [],
      openSessions: () => [],
      undelivered: () => [],
    },
    running: () => new Set(),
    members: () => members,
    standing: () => ({ ready: true, serving: true }),
    call: async ({ uid }: Member, path: string) => {
      greeted.push(`${uid} ${path}`);
      return undefined;
    },
    run: () => undefined,
    log: () => undefined,
  } as unknown as PeerPorts);
});

const pass = (ms: number): void => {
  for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 250) wheel.advance(nowMs);
};

it('a host that is alone waits for nothing, and has compared all there is', async () => {
  peers.start();
  await peers.compared();
  expect(wheel.size).toBe(0);
});

it('it greets another host as soon as the configuration names one, and each second from then on', () => {
  peers.start();
  pass(10_000);
  peers.membersChanged();
  expect(greeted).toEqual([]);
  members = [member('a', 1), member('b', 2)];
  peers.membersChanged();
  expect(greeted).toEqual(['b hello']);
  pass(3_250);
  expect(greeted).toHaveLength(4);
});

it('it falls silent again when the others have left the site', () => {
  members = [member('a', 1), member('b', 2)];
  peers.start();
  members = [member('a', 1)];
  pass(1_000);
  expect(wheel.size).toBe(0);
  expect(greeted).toEqual(['b hello']);
});
