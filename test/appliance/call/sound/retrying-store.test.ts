import { describe, expect, it } from 'vitest';
import { removeSynced, retryingStore } from '#appliance/call/sound/retrying-store.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';

const recording = (recordingId: string, more: Partial<ShelvedRecording> = {}): ShelvedRecording =>
  ({ recordingId, startedAtMs: 0, uploaded: false, ...more }) as ShelvedRecording;

/** A disk that may be full. */
function room() {
  const disk = new Map<string, ShelvedRecording>();
  const at = { isFull: false, faults: 0 };
  const store = retryingStore(
    {
      all: async () => [...disk.values()],
      put: async (entry: ShelvedRecording) => {
        if (at.isFull) throw new Error('no space');
        disk.set(entry.recordingId, entry);
      },
      remove: async ({ recordingId }: ShelvedRecording) => void disk.delete(recordingId),
    } as never,
    () => at.faults++,
  );
  return { disk, at, store };
}

describe('entries of recordings on a full disk', () => {
  it('are newer in memory than on the disk, and are written when there is room again', async () => {
    const { disk, at, store } = room();
    await store.put(recording('a'));
    at.isFull = true;
    await store.put(recording('a', { uploaded: true }));
    expect([disk.get('a')?.uploaded, (await store.all())[0]?.uploaded, at.faults]).toEqual([false, true, 1]);
    await store.again();
    expect(at.faults).toBe(2);
    at.isFull = false;
    await store.again();
    expect(disk.get('a')?.uploaded).toBe(true);
    disk.clear();
    await store.again();
    expect(disk.size).toBe(0);
  });

  it('stop at the first that cannot be written', async () => {
    const { at, store } = room();
    at.isFull = true;
    for (const id of ['a', 'b', 'c']) await store.put(recording(id));
    at.faults = 0;
    await store.again();
    expect(at.faults).toBe(1);
  });

  it('are not written any more when their recording was removed', async () => {
    const { disk, at, store } = room();
    at.isFull = true;
    await store.put(recording('a'));
    await store.remove(recording('a'));
    at.isFull = false;
    await store.again();
    expect(disk.size).toBe(0);
  });
});

describe('room on a disk', () => {
  const removedOf = async (all: readonly ShelvedRecording[], fullFor: number): Promise<string[]> => {
    const removed: string[] = [];
    const recordingStore = {
      all: async () => [...all],
      remove: async (one: ShelvedRecording) => void removed.push(one.recordingId),
    };
    expect(await removeSynced(recordingStore, async () => removed.length < fullFor)).toBe(removed.length);
    return removed;
  };
  const ALL = [
    recording('new', { uploaded: true, endedAtMs: 9 }),
    recording('old', { uploaded: true, endedAtMs: 1 }),
    recording('begun', { uploaded: true, startedAtMs: 5 }),
    recording('not in the cloud', { endedAtMs: 0 }),
  ];

  it.each([
    [0, []],
    [1, ['old']],
    [2, ['old', 'begun']],
    [9, ['old', 'begun', 'new']],
  ])('that is full until %i are removed: %j go', async (fullFor, expected) => {
    expect(await removedOf(ALL, fullFor)).toEqual(expected);
  });
});
