import { beforeEach, describe, expect, it } from 'vitest';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { oneShots } from '#appliance/kernel/one-shot.ts';
import { PeerWatch, type PeerWatchPorts, type WatchedLink } from '#appliance/site/host/peer/peer-watch.ts';
import type { Link, Member } from '#appliance/site/peer/index.ts';
import type { SiteRole } from '#shared/contract/feed/index.ts';
import type { Hello } from '#shared/contract/peer/index.ts';

const OLD = { tenant: 1, site: 1, platform: 1 };
const NEWER = { tenant: 2, site: 1, platform: 1 };
const member = (uid: string): Member => ({
  uid,
  hostId: `host-${uid}`,
  publicKey: '',
  order: 1,
  address: `${uid}:1`,
});

let nowMs: number;
let wheel: EngineTimers;
let done: string[];
let reported: SiteRole[];
let members: readonly Member[];
let isNew: boolean;
let mine: boolean | undefined;
let host: {
  storable: boolean;
  admittance: 'open' | 'cordoned' | 'closed';
  configured: boolean;
  connected: boolean;
  faults: string[];
};
let link: { -readonly [Key in keyof WatchedLink]: WatchedLink[Key] } | undefined;
let compared: PromiseWithResolvers<void>;
let watch: PeerWatch;

beforeEach(() => {
  nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  wheel = new EngineTimers({ clock }, (cause) => {
    throw cause;
  });
  done = [];
  reported = [];
  members = [member('a'), member('b')];
  isNew = false;
  mine = undefined;
  host = { storable: true, admittance: 'open', configured: true, connected: false, faults: [] };
  compared = Promise.withResolvers<void>();
  link = {
    view: {
      self: 'a',
      members,
      links: { b: { at: 'up', receivedMs: 0, doubted: false } as Link },
      epoch: 3,
      owner: '',
    },
    ...{ epoch: 3, leads: true, substitute: undefined, places: {}, words: { 'host-b': 'ok' } },
    membersChanged: () => void done.push('members changed'),
    compared: () => compared.promise,
  };
  const ports: PeerWatchPorts = {
    clock,
    startTimer: oneShots({ clock, timers: wheel }),
    run: (work) => void work.catch(() => undefined),
    log: (level, event) => void done.push(`${level} ${event}`),
    members: {
      look: () => {
        done.push('look');
        return isNew;
      },
      get all() {
        return members;
      },
      get hasOthers() {
        return members.length > 1;
      },
      labels: ['east'],
      revisions: OLD,
      hostIdOf: (uid) => members.find((each) => each.uid === uid)?.hostId,
    },
    vip: {
      get mine() {
        return mine;
      },
      look: async (serves) => void done.push(`address ${serves}`),
      leave: async () => void done.push('leave'),
    },
    link: () => link,
    ownHostId: () => 'own',
    storable: () => host.storable,
    admittance: () => host.admittance,
    isConfigured: () => host.configured,
    isConnected: () => host.connected,
    faults: () => host.faults,
    supervised: () => ({ sick: ['media'], moving: [] }),
    registerTrunks: (registers) => void done.push(`registers ${registers}`),
    report: (change) => void reported.push(change),
    listen: () => void done.push('listen'),
    reconfigure: async () => void done.push('reconfigure'),
  };
  watch = new PeerWatch(ports);
});

const pass = (ms: number): void => {
  for (const endMs = nowMs + ms; nowMs < endMs; ) {
    nowMs += 250;
    wheel.advance(nowMs);
  }
};

describe('a look at the others', () => {
  it('shares the address, opens the link and registers where this host leads', () => {
    watch.look();
    expect(done).toEqual(['look', 'registers true', 'address false', 'listen']);
    done.splice(0);
    if (link) link.leads = false;
    watch.look();
    expect(done).toContain('registers false');
  });

  it('follows each second, and after a defect too', () => {
    watch.look();
    done.splice(0);
    pass(3_000);
    expect(done.filter((each) => each === 'look')).toHaveLength(3);
    done.splice(0);
    const whole = link;
    link = {
      ...whole,
      get leads(): boolean {
        throw new Error('defect');
      },
    } as unknown as typeof link;
    pass(1_000);
    link = whole;
    pass(1_000);
    expect(done).toEqual([
      'look',
      'error peer_link.check_failed',
      'look',
      'registers true',
      'address false',
      'listen',
    ]);
  });

  it('a host that is alone neither shares nor listens, and is the only one', () => {
    members = [member('a')];
    if (link) link.leads = false;
    watch.look();
    expect(done).toEqual(['look', 'registers true']);
    expect(wheel.size).toBe(0);
    expect(watch.view).toMatchObject({ hasPeers: false, target: undefined, vip: undefined });
  });

  it('comes no more once the configuration names this host alone', () => {
    watch.look();
    members = [member('a')];
    watch.look();
    expect(wheel.size).toBe(0);
  });

  it('informs the link that the members are others', () => {
    watch.lookAtMembers();
    expect(done).toEqual(['look']);
    isNew = true;
    watch.lookAtMembers();
    expect(done).toEqual(['look', 'look', 'members changed']);
  });

  it('ends with the host', async () => {
    watch.look();
    await watch.stop();
    expect(done.at(-1)).toBe('leave');
    expect(wheel.size).toBe(0);
    // A configuration that changes now begins no more looks.
    watch.look();
    expect(wheel.size).toBe(0);
  });
});

describe('this host', () => {
  const open = { storable: true, configured: true, admittance: 'open' } as const;
  it.each([
    ['listens', true, open, { serving: true, ready: true }],
    ['does not listen yet', false, open, { serving: false, ready: true }],
    ['cannot store', true, { ...open, storable: false }, { serving: false, ready: false }],
    ['has no configuration', true, { ...open, configured: false }, { serving: false, ready: true }],
    ['is cordoned', true, { ...open, admittance: 'cordoned' as const }, { serving: false, ready: true }],
  ])('%s, and says so to the others', (_, listens, state, standing) => {
    Object.assign(host, state);
    if (listens) watch.listening();
    expect(watch.standing).toMatchObject({ ...standing, cfg: OLD, labels: ['east'], sick: ['media'] });
    expect(watch.standing).not.toHaveProperty('vip');
    mine = false;
    expect(watch.standing.vip).toBe(false);
  });

  it('may have the address of the site once it listens and is well', () => {
    expect(watch.mayHaveAddress()).toBe(false);
    watch.listening();
    expect(watch.mayHaveAddress()).toBe(true);
    host.faults = ['disk'];
    expect(watch.mayHaveAddress()).toBe(false);
    [host.faults, host.admittance] = [[], 'cordoned'];
    expect(watch.mayHaveAddress()).toBe(true);
    if (link) link.substitute = member('b');
    expect(watch.mayHaveAddress()).toBe(false);
  });

  it('shows its roles and its view', () => {
    mine = true;
    expect(watch.roles).toEqual(['vip', 'leader']);
    expect(watch.view).toMatchObject({ hasPeers: true, vip: 'own', answering: { 'host-b': true } });
    link = undefined;
    expect(watch.roles).toEqual(['vip']);
    expect(watch.view.hasPeers).toBe(false);
  });
});

describe('roles', () => {
  it('are reported once they have held for 4 s, and not before this host listens', () => {
    watch.look();
    pass(10_000);
    expect(reported).toEqual([]);
    mine = true;
    watch.listening();
    pass(3_000);
    expect(reported).toEqual([]);
    pass(2_000);
    expect(reported).toMatchObject([
      { epoch: 3, roles: ['vip', 'leader'], gained: ['vip', 'leader'], faults: [] },
    ]);
  });

  it('that another host takes are reported with it', () => {
    mine = true;
    watch.listening();
    pass(5_000);
    mine = false;
    if (link)
      link.view = {
        ...link.view,
        links: {
          b: { at: 'up', receivedMs: 0, doubted: false, hello: { vip: true, serving: true } } as Link,
        },
      };
    pass(5_000);
    expect(reported.at(-1)).toMatchObject({ lost: ['vip'], cause: 'takenBy', of: 'host-b' });
  });

  it.each([
    [true, 'preferred'],
    [false, 'handedOver'],
  ])('that another host has given up are reported with it; it serves: %s', (serves, cause) => {
    const hello = (serving: boolean) => ({ uid: 'b', serving, ready: true, epoch: 3, owner: '' }) as Hello;
    const there = (serving: boolean) => ({
      b: { at: 'up', receivedMs: 0, doubted: false, hello: hello(serving) } as Link,
    });
    if (link) Object.assign(link, { leads: false, view: { ...link.view, links: there(true) } });
    host.storable = false;
    watch.listening();
    pass(5_000);
    host.storable = true;
    if (link) Object.assign(link, { leads: true, view: { ...link.view, links: there(serves) } });
    pass(5_000);
    expect(reported.at(-1)).toMatchObject({ gained: ['leader'], cause, of: 'host-b' });
  });

  it('that come back to this host were given up by none', () => {
    mine = true;
    watch.listening();
    pass(5_000);
    mine = false;
    pass(5_000);
    mine = true;
    pass(5_000);
    expect(reported.at(-1)).toMatchObject({ gained: ['vip'], cause: 'other' });
    expect(reported.at(-1)).not.toHaveProperty('of');
  });

  it('that are lost by a fault are reported with it', () => {
    mine = true;
    watch.listening();
    pass(5_000);
    [mine, host.faults] = [false, ['disk']];
    pass(5_000);
    expect(reported.at(-1)).toMatchObject({ lost: ['vip'], cause: 'notServing', faults: ['disk'] });
  });
});

describe('a hello of another host', () => {
  const hello = (cfg: Hello['cfg']) => ({ cfg }) as Hello;
  it.each([
    [NEWER, false, ['reconfigure']],
    [NEWER, true, []],
    [OLD, false, []],
    [undefined, false, []],
  ])('with revisions %j, the cloud reached: %s, leads to %j', (cfg, connected, expected) => {
    host.connected = connected;
    watch.onHello(hello(cfg));
    // The same one is asked for a moment ago.
    watch.onHello(hello(cfg));
    expect(done).toEqual(expected);
  });
});

describe('a host that returns', () => {
  it('waits until the others were asked', async () => {
    let over = false;
    const waiting = watch.compared().then(() => {
      over = true;
    });
    await Promise.resolve();
    expect(over).toBe(false);
    compared.resolve();
    await waiting;
    expect(wheel.size).toBe(0);
  });

  it('waits 10 s at most', async () => {
    const waiting = watch.compared();
    expect(wheel.nextDueMs).toBe(10_000);
    pass(10_000);
    await waiting;
  });

  it.each(['alone', 'no host'])('does not wait while it is %s', async (how) => {
    if (how === 'alone') members = [member('a')];
    else link = undefined;
    await watch.compared();
    expect(done).toEqual(['look']);
  });
});
