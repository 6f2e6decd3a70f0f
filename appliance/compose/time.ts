import { type BootNote, bootNotesSchema } from '#shared/contract/feed/index.ts';
import type { CallbackClient } from '../io/http/index.ts';
import {
  keepBootNotes,
  keepLastGood,
  type Log,
  readBootNotes,
  readClockSync,
  readLastGood,
  setClock,
} from '../io/system/index.ts';
import type { StartTimer } from '../kernel/one-shot.ts';
import { HostTime } from '../site/system/index.ts';
import { clock } from './adapters.ts';

/** The time of this host over the files of `folder`. `boot`: counts the boots of this machine, as the journal does. */
export async function openTime(
  folder: string,
  boot: number,
  startTimer: StartTimer,
  log: Log,
): Promise<HostTime> {
  const time = new HostTime({
    clock,
    boot,
    readSource: readClockSync,
    lastGood: () => readLastGood(folder),
    keepLastGood: (wallMs, synchronised) => keepLastGood(folder, wallMs, synchronised),
    setClock,
    boots: (): readonly BootNote[] => bootNotesSchema.safeParse(readBootNotes(folder)).data ?? [],
    keepBoots: (boots) => keepBootNotes(folder, boots),
    startTimer,
    log,
  });
  await time.start();
  return time;
}

/** Posts, and learns the time of whoever answers. */
export const timedPost =
  (client: CallbackClient, time: Pick<HostTime, 'answered'>): CallbackClient['postJson'] =>
  async (request) => {
    const sentMs = clock.wallMs();
    const answer = await client.postJson(request);
    if (answer.ok) time.answered({ date: answer.value.headers.date, sentMs, receivedMs: clock.wallMs() });
    return answer;
  };
