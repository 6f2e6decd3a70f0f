import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** The messages to systemd about this process (sd_notify(3)); none is sent where it does not listen. */
export interface ServiceWatch {
  /** It serves; from here the watchdog is fed as long as `faults` resolves to none. */
  readonly ready: (status: string, faults: () => Promise<readonly string[]>) => Promise<void>;
  readonly stopping: () => Promise<void>;
}

/** Sends one message; never rejects. Resolves to whether it was sent. */
export type Tell = (words: readonly string[]) => Promise<boolean>;

export interface WatchSetting {
  readonly tell: Tell;
  /** The time of WATCHDOG_USEC; undefined = no watchdog. */
  readonly watchdogMs: number | undefined;
  readonly complain: (line: string) => void;
}

const TELL_WITHIN_MS = 5_000;
const PROBE_WITHIN_MS = 5_000;
const RETRY_MS = 250;

/**
 * Undefined where no NOTIFY_SOCKET is. Node has no datagram sockets of the file system: `systemd-notify`, a part of
 * systemd, says it for us (some 10 ms each time; the unit needs NotifyAccess=all). The variables are taken away, so that no
 * other child speaks in our name.
 */
export function openServiceWatch(complain: (line: string) => void): ServiceWatch | undefined {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = process.env;
  delete process.env.NOTIFY_SOCKET;
  delete process.env.WATCHDOG_USEC;
  delete process.env.WATCHDOG_PID;
  if (NOTIFY_SOCKET === undefined) return undefined;
  const env = { ...process.env, NOTIFY_SOCKET };
  const watchdogUs = Number(WATCHDOG_USEC);
  return serviceWatch({
    complain,
    watchdogMs: watchdogUs > 0 ? watchdogUs / 1_000 : undefined,
    tell: (words) =>
      new Promise((resolve) => {
        execFile('systemd-notify', [...words], { env, timeout: TELL_WITHIN_MS }, (error) =>
          resolve(error === null),
        );
      }),
  });
}

/**
 *     starting ── READY=1, STATUS ── a third of WatchdogSec ── probe ── well: WATCHDOG=1
 *                                          └──────────────────────────── not: STATUS says what, and nothing is fed;
 *                                                                        three in a row, and systemd starts us again
 *     stopping ── STOPPING=1
 *
 * What cannot come to this at all, because the loop hangs, feeds nothing either.
 */
export function serviceWatch({ tell, watchdogMs, complain }: WatchSetting): ServiceWatch {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  let sick = false;

  async function feed(status: string, faults: () => Promise<readonly string[]>): Promise<void> {
    const found = await faultsWithin(faults, PROBE_WITHIN_MS);
    if (over) return;
    if (found.length > 0) {
      complain(`the watchdog is not fed: ${found.join('; ')}`);
      await tell([`STATUS=not well: ${found.join('; ')}`]);
    } else await tell(sick ? ['WATCHDOG=1', `STATUS=${status}`] : ['WATCHDOG=1']);
    sick = found.length > 0;
  }

  return {
    async ready(status, faults) {
      // The first answer to ourselves: before it, systemd does not hear that this serves.
      while (!over && (await faultsWithin(faults, PROBE_WITHIN_MS)).length > 0) await delay(RETRY_MS);
      if (over) return;
      await tell(['READY=1', `STATUS=${status}`]);
      if (watchdogMs === undefined) return;
      const next = (): void => {
        timer = setTimeout(() => {
          void feed(status, faults).then(() => {
            if (!over) next();
          });
        }, watchdogMs / 3);
      };
      next();
    },
    async stopping() {
      over = true;
      clearTimeout(timer);
      await tell(['STOPPING=1', 'STATUS=ends calls in order']);
    },
  };
}

/** The faults that the probe reports, or that it gave no answer. */
export async function faultsWithin(
  faults: () => Promise<readonly string[]>,
  withinMs: number,
): Promise<readonly string[]> {
  const late = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(
    () => late.resolve([`no answer to itself within ${withinMs / 1_000} s`]),
    withinMs,
  );
  try {
    return await Promise.race([faults(), late.promise]);
  } catch (cause) {
    return [String(cause)];
  } finally {
    clearTimeout(timer);
  }
}
