import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '#shared/result.ts';
import { isPlainName, type RecordingStore, type ShelvedRecording } from '../../media/recording/index.ts';
import { digestOf } from './digest.ts';
import { syncFolder } from './sound-file.ts';

/** The folder of the metadata of recordings, below the recordings, a file each. */
const KNOWN = '.known';

/** Reads the metadata in a file. Every field that is needed to find, serve, report and remove a recording is looked at. */
async function cardIn(path: string): Promise<Result<ShelvedRecording>> {
  try {
    const card: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isCard(card)) return ok(card);
    return fail('damaged', 'the record of the recording lacks fields');
  } catch (cause) {
    return fail('damaged', cause instanceof Error ? cause.message : String(cause));
  }
}

function isCard(card: unknown): card is ShelvedRecording {
  const { recordingId, fileName, expected, files, report, startedAtMs } = (card ??
    {}) as Partial<ShelvedRecording>;
  return (
    typeof recordingId === 'string' &&
    typeof fileName === 'string' &&
    typeof startedAtMs === 'number' &&
    typeof report === 'object' &&
    Array.isArray(expected) &&
    Array.isArray(files)
  );
}

/**
 * The folder of recordings as a store: `<name>.wav` beside `.known/<recordingId>.json`. A card is written under another
 * name, synced and renamed: whoever reads it sees it whole or not at all.
 */
export function openRecordingStore(
  folder: string,
  onDamaged: (path: string, reason: string) => void = () => undefined,
): RecordingStore {
  const cards = join(folder, KNOWN);
  const damaged = new Set<string>();
  const cardOf = (recordingId: string) => join(cards, `${recordingId}.json`);
  return {
    async all(recordingIds, fits) {
      const found: ShelvedRecording[] = [];
      const asked = recordingIds?.map((recordingId) => `${recordingId}.json`);
      const names = (await readdir(cards).catch(() => [])).filter((each) => each.endsWith('.json'));
      for (const name of names.filter((each) => asked?.includes(each) ?? true)) {
        const path = join(cards, name);
        const card = await cardIn(path);
        if (card.ok) {
          if (fits?.(card.value) ?? true) found.push(card.value);
        }
        // A card that another task has removed meanwhile is not damaged. The recording itself stays where it is.
        else if (existsSync(path) && !damaged.has(path)) {
          damaged.add(path);
          onDamaged(path, card.error.reason);
        }
      }
      return found.sort((a, b) => a.startedAtMs - b.startedAtMs);
    },
    async put(recording) {
      await mkdir(cards, { recursive: true });
      const path = cardOf(recording.recordingId);
      const file = await open(`${path}.new`, 'w', 0o600);
      try {
        await file.writeFile(JSON.stringify(recording));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
      await syncFolder(cards);
    },
    async remove({ recordingId, files }) {
      for (const { fileName } of files) await rm(join(folder, fileName), { force: true });
      await rm(cardOf(recordingId), { force: true });
    },
    async look(fileName) {
      const path = join(folder, fileName);
      if (!existsSync(path)) return undefined;
      const { sizeBytes, sha256, sha512 } = await digestOf(path);
      return { fileName, sizeBytes, sha256, sha512: Buffer.from(sha512).toString('hex') };
    },
    pathOf(fileName) {
      // Names come from URLs, too: a name that climbs out of the folder is the name of no recording.
      if (!isPlainName(fileName)) return undefined;
      const path = join(folder, fileName);
      return existsSync(path) ? path : undefined;
    },
  };
}
