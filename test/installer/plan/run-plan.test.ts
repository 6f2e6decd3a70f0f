import { describe, expect, test } from 'vitest';
import {
  installPlan,
  layout,
  type Plan,
  readJournal,
  resumption,
  rollbackPlan,
  runPlan,
  takeAllBack,
  uninstallPlan,
  upgradePlan,
} from '#installer/plan/index.ts';
import { FakeHost, PowerCut } from './fake-host.ts';

const units = [
  { name: 'carillon-appliance.service', text: '[Service]\n' },
  { name: 'carillon.sysusers.conf', text: 'u carillon\n' },
  { name: 'rollback', text: '#!/bin/sh\n' },
];
const install = installPlan({
  version: '1.0.0',
  self: '/media/stick/carillon',
  written: { data: layout.state, sip_udp: '0.0.0.0:5060' },
  units,
  packaged: false,
});
const upgrade = upgradePlan({
  version: '1.1.0',
  program: '/tmp/new',
  running: '/opt/carillon/releases/1.0.0',
  units: [{ name: 'carillon-appliance.service', text: '[Service]\nNice=-5\n' }],
  now: false,
});

async function installedHost(): Promise<FakeHost> {
  const host = new FakeHost();
  await runPlan(install, host.ports());
  return host;
}

/** The plan of the next command for the state that it finds. */
async function recover(host: FakeHost, plan: Plan): Promise<void> {
  const journal = readJournal(host.journal);
  if (journal?.kind === 'cut' && resumption(journal) === 'undoFirst') {
    await takeAllBack(journal.undo, journal.afterUndo, host.ports());
  } else {
    await runPlan(plan, host.ports(), journal?.kind === 'cut' ? journal.undo : []);
  }
}

describe('a plan', () => {
  test('changes a host once: the second run changes nothing but what has no memory', async () => {
    const host = await installedHost();
    const first = host.state;
    const changed = await runPlan(install, host.ports());
    expect(host.state).toBe(first);
    // The fake remembers no unit as enabled or active and no user.
    expect(changed).toBe(4 + host.ran.filter((each) => each.includes('--no-block')).length - 1);
    expect(host.files.get(layout.current)).toBe('/opt/carillon/releases/1.0.0');
  });

  test('is continued to the same host after an install that was cut anywhere', async () => {
    const wanted = (await installedHost()).state;
    let cuts = 0;
    for (let after = 0; ; after++) {
      const host = new FakeHost();
      host.cutAfter = after;
      const whole = await runPlan(install, host.ports()).then(
        () => true,
        (cause: unknown) => {
          expect(cause).toBeInstanceOf(Error);
          return false;
        },
      );
      if (whole) break;
      cuts++;
      host.cutAfter = Number.POSITIVE_INFINITY;
      await recover(host, install);
      expect(host.state, `cut after ${after} effects`).toBe(wanted);
    }
    expect(cuts).toBeGreaterThan(30);
  });

  test('takes an upgrade that was cut anywhere back to the host before, which runs again', async () => {
    const before = (await installedHost()).state;
    let cuts = 0;
    for (let after = 0; ; after++) {
      const host = await installedHost();
      host.cutAfter = after;
      const outcome = await runPlan(upgrade, host.ports()).catch((cause: unknown) => cause);
      if (!(outcome instanceof Error)) break;
      expect(outcome instanceof PowerCut || outcome.cause instanceof PowerCut).toBe(true);
      cuts++;
      host.cutAfter = Number.POSITIVE_INFINITY;
      host.ran.length = 0;
      const journal = readJournal(host.journal);
      if (journal?.kind === 'ended') {
        // Cut before its first line: the journal is still that of the installation.
        expect(journal.plan).toBe('install');
        continue;
      }
      await recover(host, upgrade);
      expect(host.state, `cut after ${after} effects`).toBe(before);
      expect(host.ran.at(-1)).toBe('systemctl restart --no-block carillon-appliance.service');
    }
    expect(cuts).toBeGreaterThan(20);
  });

  test('is taken back by the next command when the taking back of an upgrade is cut', async () => {
    const before = (await installedHost()).state;
    let cuts = 0;
    for (let after = 0; ; after++) {
      const host = await installedHost();
      host.failing = 'ready';
      host.cutAfter = after;
      await expect(runPlan(upgrade, host.ports())).rejects.toThrow();
      if (readJournal(host.journal)?.kind === 'ended' && host.journal.includes('"upgrade"')) break;
      cuts++;
      host.cutAfter = Number.POSITIVE_INFINITY;
      host.failing = undefined;
      if (!host.journal.includes('"upgrade"')) continue;
      await recover(host, upgrade);
      expect(host.state, `cut after ${after} effects`).toBe(before);
    }
    expect(cuts).toBeGreaterThan(25);
  });

  test.each(['databases', 'quiet', 'watch', 'ready', 'self-test', 'watch-off'])(
    'leaves the host as it was when %s fails in an upgrade',
    async (act) => {
      const host = await installedHost();
      const before = host.state;
      host.failing = act;
      await expect(runPlan(upgrade, host.ports())).rejects.toThrow(`${act} went wrong`);
      expect(host.state).toBe(before);
      expect(readJournal(host.journal)).toEqual({ kind: 'ended', plan: 'upgrade', end: 'undone' });
    },
  );

  test('changes the two slots in a rollback', async () => {
    const host = await installedHost();
    await runPlan(upgrade, host.ports());
    await runPlan(rollbackPlan('/opt/carillon/releases/1.1.0', '/opt/carillon/releases/1.0.0'), host.ports());
    expect(host.files.get(layout.current)).toBe('/opt/carillon/releases/1.0.0');
    expect(host.files.get(layout.previous)).toBe('/opt/carillon/releases/1.1.0');
    expect(host.files.has(layout.pending)).toBe(false);
  });

  test('keeps configuration and data in an uninstallation unless they shall go', async () => {
    const paths = (purge: boolean) =>
      uninstallPlan({ units: ['carillon-appliance.service'], purge, vip: false, time: false })
        .steps.flatMap(({ actions }) => actions)
        .flatMap((action) => (action.kind === 'remove' ? [action.path] : []));
    expect(paths(false)).toContain(layout.opt);
    expect(paths(false)).not.toContain(layout.state);
    expect(paths(false)).not.toContain(layout.etc);
    expect(paths(true)).toEqual(expect.arrayContaining([layout.state, layout.etc]));
  });
});
