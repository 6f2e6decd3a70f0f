import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openNetworkChanges } from '#appliance/compose/network.ts';
import type { NetworkChanges } from '#appliance/site/system/index.ts';
import { networkRequestSchema, type Twin } from '#shared/contract/feed/index.ts';

let data: string;
let run: string;
let opened: NetworkChanges[];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'carillon-network-'));
  run = mkdtempSync(join(tmpdir(), 'carillon-network-run-'));
  opened = [];
});
afterEach(() => {
  for (const changes of opened) changes.stop();
  for (const folder of [data, run]) rmSync(folder, { recursive: true, force: true });
});

const one = { ifs: ['10.0.0.5'], prefix: 24 };
const twinOf = (twinRev: number, net: Twin['net'], life: Twin['life'] = 'active') =>
  ({ twinRev, net, life }) as Twin;

/** An appliance whose timers fire when the test says so. */
function appliance(place: { readonly withRoot: boolean; readonly hears?: boolean } = { withRoot: true }) {
  const state = { session: undefined as string | undefined, hears: place.hears ?? true };
  const reported: unknown[] = [];
  const renewed: string[] = [];
  const faults: (string | undefined)[] = [];
  const timers = new Set<() => void>();
  const work: Promise<unknown>[] = [];
  let signed = '';
  const changes = openNetworkChanges({
    data,
    runFolder: run,
    folder: place.withRoot ? join(data, 'request') : undefined,
    signedTwin: () => signed,
    keyChain: () => ['statement'],
    pinned: () => false,
    session: () => state.session,
    renewSession: (reason) => void renewed.push(reason),
    fault: (message) => void faults.push(message),
    tell: async (note) => {
      if (state.hears) reported.push(note);
      return state.hears;
    },
    wallMs: () => 1_770_000_000_000,
    startTimer: (_, fire) => {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
    log: () => undefined,
    run: (part) => void work.push(part),
  });
  opened.push(changes);
  const settled = async (): Promise<void> => {
    for (let done = -1; done !== work.length; ) {
      done = work.length;
      await Promise.all(work);
    }
  };
  return {
    state,
    told: reported,
    renewed,
    faults,
    settled,
    twin: async (twin: Twin): Promise<void> => {
      signed = `signed-${twin.twinRev}`;
      changes.twinChanged(twin);
      await settled();
    },
    tick: async (): Promise<void> => {
      await settled();
      const due = [...timers];
      timers.clear();
      for (const fire of due) fire();
      await settled();
    },
  };
}

const wanted = () => join(data, 'network-request', 'wanted.json');
const request = () => networkRequestSchema.parse(JSON.parse(readFileSync(wanted(), 'utf8')));
const asked = () => request().twin;

describe('the addresses of a twin', () => {
  it('are laid before root with their signature, once, and once more only when they differ', async () => {
    const { twin, told: reported } = appliance();
    await twin(twinOf(7, one));
    expect(asked()).toBe('signed-7');
    expect(request().keys).toEqual(['statement']);
    rmSync(wanted());
    await twin(twinOf(8, one, 'draining'));
    expect(existsSync(wanted())).toBe(false);
    await twin(twinOf(9, { ...one, prefix: 16 }));
    expect(asked()).toBe('signed-9');
    expect(reported).toEqual([]);
  });

  it('are not laid before root again by a restart', async () => {
    await appliance().twin(twinOf(7, one));
    rmSync(wanted());
    const again = appliance();
    await again.twin(twinOf(7, one));
    expect(existsSync(wanted())).toBe(false);
    writeFileSync(join(data, 'network-asked.json'), '{"n');
    await again.twin(twinOf(7, one));
    expect(asked()).toBe('signed-7');
  });

  it('are asked for again when they were withdrawn between', async () => {
    const { twin } = appliance();
    await twin(twinOf(7, one));
    rmSync(wanted());
    await twin(twinOf(8, null));
    expect(existsSync(wanted())).toBe(false);
    await twin(twinOf(9, one));
    expect(asked()).toBe('signed-9');
  });

  it('leave a release that is being fetched alone', async () => {
    const { twin } = appliance();
    await twin(twinOf(7, one));
    expect(existsSync(join(data, 'request'))).toBe(false);
  });

  it('are reported, and nothing else, where no service with root looks after the program', async () => {
    const { twin, told: reported, tick, state } = appliance({ withRoot: false, hears: false });
    await twin(twinOf(6, null));
    await twin(twinOf(7, one));
    expect(reported).toEqual([]);
    state.hears = true;
    await tick();
    expect(reported).toEqual([
      expect.objectContaining({ kind: 'network', twinRev: 7, networkInterfaces: ['10.0.0.5'], code: 69 }),
    ]);
    await twin(twinOf(8, one));
    expect(reported).toHaveLength(1);
    expect(existsSync(join(data, 'network-request'))).toBe(false);
    expect(existsSync(join(run, 'cloud-session'))).toBe(false);
  });
});

describe('the proof that the cloud is reached', () => {
  it('goes with the run that had it, and comes with a session; taken away, it comes with a newer one', async () => {
    const proof = join(run, 'cloud-session');
    writeFileSync(proof, 'former\n');
    const { state, tick, settled, renewed } = appliance();
    await settled();
    expect(existsSync(proof)).toBe(false);
    state.session = 'a';
    await tick();
    expect(readFileSync(proof, 'utf8')).toBe('a\n');
    await tick();
    rmSync(proof);
    await tick();
    await tick();
    expect(existsSync(proof)).toBe(false);
    expect(renewed).toHaveLength(1);
    state.session = 'b';
    await tick();
    expect(readFileSync(proof, 'utf8')).toBe('b\n');
  });
});

describe('a change of the network that came to nothing', () => {
  const outcome = {
    v: 1,
    kind: 'networkOutcome',
    twinRev: 7,
    networkInterfaces: ['10.0.0.5'],
    at: 1,
  } as const;
  let written = 0;
  /** As root does: a new file, then moved into place. */
  const leave = (code: number, sentence: string): void => {
    const beside = join(data, `outcome-${++written}`);
    writeFileSync(beside, JSON.stringify({ ...outcome, code, sentence }));
    renameSync(beside, join(data, 'network-outcome.json'));
  };
  const undone = 'The control plane was not reached within 120 s.';
  const raised = expect.stringMatching(/10\.0\.0\.5.*not in force.*not reached within 120 s/);

  it('is an alarm until the next one succeeds', async () => {
    const { tick, faults } = appliance();
    await tick();
    expect(faults).toEqual([]);
    leave(4, undone);
    await tick();
    await tick();
    expect(faults).toEqual([raised]);
    leave(0, 'eth0 has the addresses now.');
    await tick();
    await tick();
    expect(faults).toEqual([raised, undefined]);
    // And again, for the same reason in the same words.
    leave(4, undone);
    await tick();
    expect(faults).toEqual([raised, undefined, raised]);
  });

  it('that was never raised is not cleared', async () => {
    const { tick, faults } = appliance();
    leave(0, 'eth0 has the addresses now.');
    await tick();
    expect(faults).toEqual([]);
  });

  it('is raised again after a restart, and cleared by what root wrote meanwhile', async () => {
    const first = appliance();
    leave(4, undone);
    await first.tick();
    const second = appliance();
    await second.settled();
    expect(second.faults[0]).toEqual(raised);
    opened.at(-1)?.stop();
    leave(0, 'eth0 has the addresses now.');
    const third = appliance();
    await third.settled();
    expect(third.faults).toEqual([raised, undefined]);
    opened.at(-1)?.stop();
    const fourth = appliance();
    await fourth.settled();
    expect(fourth.faults).toEqual([]);
  });

  it("is over when the request is withdrawn, and a file that is none of root's changes nothing", async () => {
    const { tick, twin, faults } = appliance();
    leave(4, undone);
    await tick();
    writeFileSync(join(data, 'network-outcome.json'), '{"v":1,"kind":"networkOut');
    await tick();
    expect(faults).toEqual([raised]);
    await twin(twinOf(8, null));
    expect(faults).toEqual([raised, undefined]);
    expect(existsSync(join(data, 'network-outcome.json'))).toBe(false);
    await twin(twinOf(9, null));
    expect(faults).toHaveLength(2);
  });
});
