import { beforeEach, describe, expect, it } from 'vitest';
import { type AskedNetwork, NetworkChanges, type NetworkChangesPorts } from '#appliance/site/system/index.ts';
import type { Twin } from '#shared/contract/feed/index.ts';

const NET = { ifs: ['10.0.0.5'], prefix: 24 };
const OTHER = { ifs: ['10.0.0.6'], prefix: 24 };
const twin = (net: Twin['net'], twinRev = 1): Twin => ({ twinRev, net, life: 'active' }) as Twin;

let asked: AskedNetwork | undefined;
let requests: unknown[];
let notes: unknown[];
let withdrawn: number;
let breaks: boolean;
let hears: boolean;
let work: Promise<unknown>[];
let timers: { readonly ms: number; readonly fire: () => void }[];
let pinned: boolean;
beforeEach(() => {
  asked = undefined;
  [requests, notes, work, timers] = [[], [], [], []];
  [withdrawn, breaks, hears, pinned] = [0, false, true, false];
});

function changes(more: Partial<NetworkChangesPorts> = {}): NetworkChanges {
  return new NetworkChanges({
    asked: () => asked,
    keepAsked: async (kept) => {
      asked = kept;
    },
    askRoot: async (request) => {
      if (breaks) throw new Error('the disk is full');
      requests.push(request);
    },
    proof: { present: () => false, write: async () => undefined, remove: async () => undefined },
    alarm: {
      look: async () => undefined,
      withdrawn: async () => {
        withdrawn++;
      },
    },
    signedTwin: () => 'signed',
    keyChain: () => ['a', 'b'],
    pinned: () => pinned,
    session: () => undefined,
    renewSession: () => undefined,
    tell: async (note) => {
      if (hears) notes.push(note);
      return hears;
    },
    wallMs: () => 1_770_000_000_000,
    startTimer: (ms, fire) => {
      const timer = { ms, fire };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    log: () => undefined,
    run: (part) => void work.push(part),
    ...more,
  });
}

/** Everything that was begun is done, and what it began, too. */
async function settled(): Promise<void> {
  for (let done = -1; done !== work.length; ) {
    done = work.length;
    await Promise.all(work);
  }
}

async function follows(made: NetworkChanges, ...twins: readonly Twin[]): Promise<void> {
  for (const each of twins) made.twinChanged(each);
  await settled();
}

describe('addresses that a twin names', () => {
  it('are laid before root once, with their signature and the chain of its key', async () => {
    const made = changes();
    await follows(made, twin(NET));
    await follows(made, twin(NET, 2));
    expect(requests).toEqual([
      { v: 1, kind: 'network', twin: 'signed', keys: ['a', 'b'], at: 1_770_000_000_000 },
    ]);
    expect(asked).toEqual({ net: NET });
  });

  it('that change while a request is in progress are asked for last', async () => {
    await follows(changes(), twin(NET), twin(OTHER, 2));
    expect(asked).toEqual({ net: OTHER });
  });

  it('that are withdrawn end the alarm about them, and the same ones are asked for when they come back', async () => {
    const made = changes();
    await follows(made, twin(NET));
    await follows(made, twin(null, 2));
    expect([requests.length, withdrawn, asked]).toEqual([1, 1, { net: null }]);
    await follows(made, twin(NET, 3));
    expect(requests).toHaveLength(2);
  });

  it('wait while a technician on site holds the network', async () => {
    pinned = true;
    await follows(changes(), twin(NET));
    expect([requests, asked]).toEqual([[], undefined]);
  });

  it('that cannot be laid down are asked for again a minute later', async () => {
    breaks = true;
    await follows(changes(), twin(NET));
    expect([requests, asked, timers.map(({ ms }) => ms)]).toEqual([[], undefined, [60_000]]);
    breaks = false;
    timers[0]?.fire();
    await settled();
    expect([requests.length, asked]).toEqual([1, { net: NET }]);
  });

  it('are not tried again by a program that stops', async () => {
    breaks = true;
    const made = changes();
    await follows(made, twin(NET));
    made.stop();
    expect(timers).toEqual([]);
  });
});

describe('a program that no service with root looks after', () => {
  it('reports to the cloud that it cannot set the addresses, and what is missing', async () => {
    await follows(changes({ askRoot: undefined }), twin(NET, 7));
    expect(notes).toMatchObject([
      { kind: 'network', twinRev: 7, networkInterfaces: ['10.0.0.5'], networkPrefixLength: 24, code: 69 },
    ]);
    expect(asked).toEqual({ net: NET });
  });

  it('says so again until the cloud has received it', async () => {
    hears = false;
    await follows(changes({ askRoot: undefined }), twin(NET));
    expect([asked, timers.length]).toEqual([undefined, 1]);
    hears = true;
    timers[0]?.fire();
    await settled();
    expect([notes.length, asked]).toEqual([1, { net: NET }]);
  });

  it('has nothing to say of a twin without addresses', async () => {
    await follows(changes({ askRoot: undefined }), twin(null));
    expect([notes, asked]).toEqual([[], { net: null }]);
  });
});
