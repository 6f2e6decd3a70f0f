import { open } from 'node:fs/promises';
import {
  RECORDING_PART_BYTES,
  type RecordingAsk,
  type RecordingPart,
  recordingPartSchema,
} from '#shared/contract/peer/index.ts';
import { ok } from '#shared/result.ts';
import type { PeerClient } from '../../io/peer/index.ts';
import type { FoundRecording, RecordingStore } from '../../media/recording/index.ts';
import type { Member } from '../../site/peer/index.ts';

/** Chosen: another host of the LAN that has not answered by then has no recording for us; a caller waits in silence. */
const LOOK_MS = 2_000;
const PART_MS = 20_000;

/** Finds a recording at the other hosts; `forCloud`: its bytes go on to the control plane. */
export type FindPeerRecording = (fileName: string, forCloud?: boolean) => Promise<FoundRecording | undefined>;

/** Reads a part of a recording of this host for another one; undefined: it has none, or must not give it. */
export async function readRecordingPart(
  recordingStore: Pick<RecordingStore, 'pathOf' | 'all'>,
  { fileName, offset, length, forCloud = false }: RecordingAsk,
): Promise<RecordingPart | undefined> {
  const path = recordingStore.pathOf(fileName);
  if (path === undefined || (forCloud && (await isUploaded(recordingStore, fileName)))) return undefined;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size, mtimeMs, ino } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    const read = bytes.subarray(0, bytesRead).toString('base64');
    return { size, mark: `${ino} ${mtimeMs}`, bytes: read };
  } finally {
    await file.close();
  }
}

/** The control plane has taken the recording. */
export const isUploaded = async (
  recordingStore: Pick<RecordingStore, 'all'>,
  fileName: string,
): Promise<boolean> =>
  (await recordingStore.all()).some(
    ({ uploaded, files }) => uploaded && files.some((file) => file.fileName === fileName),
  );

/** Recordings of the other hosts whose link is up: all are asked at once, the first that has it sends it. */
export const peerRecordings =
  (up: () => readonly Member[], call: PeerClient['call']): FindPeerRecording =>
  async (fileName, forCloud = false) => {
    const ask = async (to: Member, offset: number, length: number, withinMs: number) => {
      const wanted = { v: 1, fileName, offset, length, forCloud };
      return recordingPartSchema.safeParse(await call(to, 'recording', wanted, withinMs)).data;
    };
    const answers = await Promise.all(
      up().map(async (member) => ({ member, found: await ask(member, 0, 0, LOOK_MS) })),
    );
    for (const { member, found } of answers) {
      if (found === undefined) continue;
      const part = (offset: number) => ask(member, offset, RECORDING_PART_BYTES, PART_MS);
      return { sizeBytes: found.size, open: async () => ok(partStream(fileName, found, part)) };
    }
    return undefined;
  };

/** The bytes part by part, as fast as they are read. A file that changes meanwhile ends with an error, never as a mixture of two. */
function partStream(
  fileName: string,
  { size, mark }: RecordingPart,
  part: (offset: number) => Promise<RecordingPart | undefined>,
): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        if (offset < size) {
          const got = await part(offset);
          const bytes = Buffer.from(got?.mark === mark ? got.bytes : '', 'base64');
          if (bytes.length === 0) {
            out.error(new Error(`the recording ${fileName} ended at byte ${offset} of ${size}`));
            return;
          }
          offset += bytes.length;
          out.enqueue(bytes);
        }
        if (offset >= size) out.close();
      },
    },
    { highWaterMark: 0 },
  );
}
