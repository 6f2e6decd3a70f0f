/* The worker of `hidden-timer.ts`: names each timer that is due. */

const running = new Map<number, ReturnType<typeof setInterval>>();

/** `ms` 0: the timer ends. */
addEventListener(
  'message',
  ({ data: { id, ms } }: MessageEvent<{ readonly id: number; readonly ms: number }>) => {
    clearInterval(running.get(id));
    running.delete(id);
    if (ms > 0)
      running.set(
        id,
        setInterval(() => postMessage(id), ms),
      );
  },
);
