import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redelivery } from '../delivery/redelivery.ts';
import { takeReplayRequest } from '../delivery/replay-request.ts';
import type { Log } from '../io/system/index.ts';

/** Where `carillon outbox replay` lays what a person on site wants sent again. */
export const replayFile = (folder: string): string => join(folder, 'outbox-replay.json');

/** Takes up the request that was laid into this folder, if there is one. */
export function takeReplay(folder: string, redelivery: Redelivery, log: Log): void {
  const place = replayFile(folder);
  takeReplayRequest({ place, take: () => takeText(place), replay: (ids) => redelivery.replay(ids), log });
}

function takeText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    return text;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
