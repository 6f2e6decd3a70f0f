import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainName, type RecordingStore, type ShelvedRecording } from '../../media/recording/index.ts';
import { digestOf } from './digest.ts';
import { syncFolder } from './sound-file.ts';

/** What is known of recordings stands below the recordings, a file each. */
const KNOWN = '.known';

/**
 * The folder of recordings as a shelf: `<name>.wav` beside `.known/<recordingId>.json`. A card is written under another
 * name, synced and renamed: whoever reads it sees it whole or not at all.
 */
export function openRecordingStore(folder: string): RecordingStore {
  const cards = join(folder, KNOWN);
  const cardOf = (recordingId: string) => join(cards, `${recordingId}.json`);
  return {
    async all() {
      const found: ShelvedRecording[] = [];
      for (const name of (await readdir(cards).catch(() => [])).filter((each) => each.endsWith('.json'))) {
        // A card that cannot be read is of nobody's making; its recording stays where it is.
        const card = await readFile(join(cards, name), 'utf8').then(JSON.parse, () => undefined);
        if (card !== undefined) found.push(card as ShelvedRecording);
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
