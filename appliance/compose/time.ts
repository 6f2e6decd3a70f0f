import { type Clock, recordMs } from '#shared/clock.ts';
import { type BatchClock, type BootNote, bootNotesSchema } from '#shared/contract/feed/index.ts';
import type { OutgoingPost } from '../delivery/callback/index.ts';
import type { CallbackClient } from '../io/http/index.ts';
import {
  keepBootNotes,
  keepLastGood,
  type Log,
  readBootNotes,
  readClockSync,
  readLastGood,
  setClock,
  startTicker,
} from '../io/system/index.ts';
import {
  batchClock,
  type ClockState,
  clockAtStart,
  noteBoot,
  stepClock,
  unknownClock,
} from '../site/index.ts';
import { clock } from './adapters.ts';

const LOOK_MS = 60_000;
const KEEP_EVERY = 10;

/** The time of this host: set forward at the start where it stood still, watched, and corrected for what others check. */
export interface HostTime {
  readonly state: ClockState;
  /** Time as receivers of our tokens see it. */
  readonly signing: Clock;
  /** For the times of records: whether the clock has a source, and when it was first right in each boot. */
  readonly records: Pick<BatchClock, 'from' | 'sync' | 'pairs'>;
  /** Posts, and learns the time of whoever answers. */
  readonly post: (request: OutgoingPost) => ReturnType<CallbackClient['postJson']>;
  readonly stop: () => void;
}

/** `boot`: counts the boots of this machine, as the journal does. */
export async function openTime(
  folder: string,
  boot: number,
  client: CallbackClient,
  log: Log,
): Promise<HostTime> {
  const toMs = clockAtStart(clock.wallMs(), readLastGood(folder), await readClockSync());
  if (toMs !== undefined) {
    const set = await setClock(toMs);
    log(
      set ? 'warn' : 'error',
      set ? 'clock.restored' : 'clock.restore_failed',
      set
        ? 'Set the clock to the last good time: it had stopped while the power was off'
        : 'Could not set the clock: it had stopped while the power was off',
      { last: new Date(toMs).toISOString() },
    );
  }
  let state = unknownClock;
  let boots: readonly BootNote[] = bootNotesSchema.safeParse(readBootNotes(folder)).data ?? [];
  const readSource = async (): Promise<void> => {
    state = stepClock(state, { kind: 'source', synchronised: await readClockSync() });
    const now = { boot, mono: recordMs(clock), ts: clock.wallMs() };
    const noted = noteBoot(boots, now, state.synchronised);
    if (noted !== boots) keepBootNotes(folder, noted);
    boots = noted;
  };
  await readSource();
  let looks = 0;
  const look = async (): Promise<void> => {
    await readSource();
    if (++looks % KEEP_EVERY === 0) keep();
  };
  const keep = (): void => keepLastGood(folder, clock.wallMs(), state.synchronised);
  keep();
  const stop = startTicker(
    LOOK_MS,
    () => void look(),
    (cause) => log('error', 'clock.check_failed', 'Could not check the clock', { cause: String(cause) }),
  );
  return {
    get state() {
      return state;
    },
    get records() {
      return batchClock(boots, boot, state.synchronised);
    },
    signing: { monoMs: clock.monoMs, wallMs: () => clock.wallMs() + state.offsetMs },
    async post(request) {
      const sentMs = clock.wallMs();
      const answer = await client.postJson(request);
      if (answer.ok && state.synchronised === false) {
        const before = state.offsetMs;
        const { date } = answer.value.headers;
        state = stepClock(state, { kind: 'answer', date, sentMs, receivedMs: clock.wallMs() });
        if (state.offsetMs !== before) {
          log(
            'warn',
            'clock.token_time_corrected',
            'Corrected the time for tokens by the time of an answer',
            { offsetMs: state.offsetMs },
          );
        }
      }
      return answer;
    },
    stop,
  };
}
