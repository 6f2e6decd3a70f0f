import { describe, expect, it } from 'vitest';
import {
  type Damage,
  journalDamage,
  openDamageReports,
  recordingDamage,
  replicaDamage,
} from '#appliance/site/supervision/index.ts';

const damage = (file: string, reported: () => Promise<void> = async () => undefined): Damage => ({
  store: 'recording',
  file,
  message: `${file} is damaged`,
  facts: { fault: 'torn' },
  onReported: reported,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function reports(isStored: (file: string) => boolean = () => true) {
  const [alarms, logged]: [Record<string, unknown>[], string[]] = [[], []];
  const damages = openDamageReports(
    (level, event) => void logged.push(`${level} ${event}`),
    () => 'gw-1',
  );
  const asking = {
    raiseStored: async (alarm: object) => {
      const { errorDetails } = alarm as { errorDetails: { file: string } };
      if (!isStored(errorDetails.file)) throw new Error('disk full');
      alarms.push(alarm as Record<string, unknown>);
    },
  } as unknown as Parameters<typeof damages.tellBy>[0];
  return { damages, asking, alarms, logged };
}

describe('damage', () => {
  it('that the start finds waits for a tenant, and is reported once', async () => {
    const { damages, asking, alarms, logged } = reports();
    const done: string[] = [];
    damages.found(damage('a', async () => void done.push('a')));
    damages.found(damage('a', async () => void done.push('a again')));
    damages.found(damage('b', async () => void done.push('b')));
    await settled();
    expect({ alarms, done }).toEqual({ alarms: [], done: [] });
    await damages.tellBy(asking);
    expect(done).toEqual(['a again', 'b']);
    expect(alarms[0]).toEqual({
      ...{ type: 'serviceAlarm', error: 'storageDamaged' },
      errorDetails: {
        ...{ severity: 'critical', store: 'recording', hostId: 'gw-1', file: 'a', fault: 'torn' },
        ...{ message: 'a is damaged', reason: 'a is damaged' },
      },
    });
    await damages.tellBy(asking);
    expect(alarms).toHaveLength(2);
    expect(logged).toEqual(Array.from({ length: 3 }, () => 'error damaged_store.found'));
  });

  it('that is found later is reported at once', async () => {
    const { damages, asking, alarms } = reports();
    await damages.tellBy(asking);
    damages.found(damage('late'));
    await settled();
    expect(alarms).toHaveLength(1);
  });

  it('is logged when its alarm cannot be stored, keeps its mark, and does not keep the next one', async () => {
    const { damages, asking, alarms, logged } = reports((file) => file !== 'a');
    const done: string[] = [];
    damages.found(damage('a', async () => void done.push('a')));
    damages.found(damage('b', async () => void done.push('b')));
    await damages.tellBy(asking);
    expect(done).toEqual(['b']);
    expect(alarms).toHaveLength(1);
    expect(logged).toContain('error damaged_store.alarm_failed');
  });
});

describe('the words of the alarm', () => {
  const salvage = { file: 'j', fault: 'torn', recovered: 1, lost: 2, unreadable: 3, waiting: 4 };
  const reported = async (): Promise<void> => undefined;
  it.each([
    [salvage, /taken into a new one, and 4 callbacks that waited are delivered late/, {}],
    [
      { ...salvage, failed: 'no head' },
      /nothing could be taken out of it \(no head\)/,
      { failed: 'no head' },
    ],
    [{ ...salvage, removed: true as const }, /removed or replaced while the program ran/, {}],
    [{ ...salvage, from: 5, to: 6 }, /was damaged/, { from: 5, to: 6 }],
  ])('%j: %s', (found, message, facts) => {
    const made = journalDamage(found, reported);
    expect(made).toMatchObject({ store: 'journal', file: 'j', onReported: reported });
    expect(made.message).toMatch(message);
    expect(made.facts).toEqual({ fault: 'torn', recovered: 1, lost: 2, unreadable: 3, waiting: 4, ...facts });
  });

  it('name for a recording the place where the file will lie, and move it there when it is reported', async () => {
    const moved: string[] = [];
    const made = recordingDamage(
      { path: '/r/a.wav', fault: 'torn', atMs: 17 },
      async (to) => void moved.push(to),
    );
    expect(made).toMatchObject({ store: 'recording', file: '/r/a.wav.damaged-17', facts: { fault: 'torn' } });
    expect(moved).toEqual([]);
    await made.onReported();
    expect(moved).toEqual(['/r/a.wav.damaged-17']);
  });

  it('name for a replica its file and its fault', () => {
    expect(replicaDamage({ file: 'c', fault: 'torn' })).toMatchObject({
      store: 'replica',
      file: 'c',
      facts: { fault: 'torn' },
    });
  });
});
