import type { RecordingStore, ShelvedRecording } from '../../media/recording/index.ts';

export interface RetryingStore extends RecordingStore {
  /** Writes again what could not be written. */
  again(): Promise<void>;
  /** Changes fields of an entry, one change after the other; nothing where the recording was removed meanwhile. */
  change(recordingId: string, fields: Partial<ShelvedRecording>): Promise<void>;
}

/**
 * A store whose disk may be full: a recording is reported nevertheless, and its entry is written when there is room again.
 * Until then the entry in memory is newer than the one on the disk.
 */
export function retryingStore(
  recordingStore: RecordingStore,
  onUnwritten: (cause: unknown) => void,
): RetryingStore {
  const unwritten = new Map<string, ShelvedRecording>();
  const write = async (entry: ShelvedRecording): Promise<boolean> => {
    try {
      await recordingStore.put(entry);
      if (unwritten.get(entry.recordingId) === entry) unwritten.delete(entry.recordingId);
      return true;
    } catch (cause) {
      onUnwritten(cause);
      return false;
    }
  };
  let changing = Promise.resolve();
  const put = async (entry: ShelvedRecording): Promise<void> => {
    unwritten.set(entry.recordingId, entry);
    await write(entry);
  };
  const change = async (recordingId: string, fields: Partial<ShelvedRecording>): Promise<void> => {
    const entry =
      unwritten.get(recordingId) ??
      (await recordingStore.all()).find((each) => each.recordingId === recordingId);
    if (entry !== undefined) await put({ ...entry, ...fields });
  };
  return {
    ...recordingStore,
    change(recordingId, fields) {
      changing = changing.catch(() => undefined).then(() => change(recordingId, fields));
      return changing;
    },
    all: async (recordingIds, fits = () => true) =>
      (await recordingStore.all(recordingIds))
        .map((entry) => unwritten.get(entry.recordingId) ?? entry)
        .filter(fits),
    put,
    async remove(entry) {
      unwritten.delete(entry.recordingId);
      await recordingStore.remove(entry);
    },
    async again() {
      for (const entry of [...unwritten.values()]) if (!(await write(entry))) return;
    },
  };
}

/**
 * Makes room on a disk that is nearly full (control plane 5): the oldest recordings that the cloud has go first, none that
 * it has not, and no more than it takes. Gives how many went.
 */
export async function removeSynced(
  recordingStore: Pick<RecordingStore, 'all' | 'remove'>,
  isFull: () => Promise<boolean>,
): Promise<number> {
  const synced = (await recordingStore.all()).filter(({ uploaded }) => uploaded);
  const endOf = ({ startedAtMs, endedAtMs = startedAtMs }: ShelvedRecording): number => endedAtMs;
  let removed = 0;
  for (const recording of synced.sort((a, b) => endOf(a) - endOf(b))) {
    if (!(await isFull())) break;
    await recordingStore.remove(recording);
    removed++;
  }
  return removed;
}
