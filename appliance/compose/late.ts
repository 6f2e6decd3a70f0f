import { startTimer } from '../io/system/index.ts';

/** The outcome of `work`; rejects after `withinMs` when no configuration has come by then. */
export async function within(work: Promise<void>, withinMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const stop = startTimer(withinMs, () =>
    late.reject(new Error(`the appliance got no configuration within ${withinMs / 1000} s; look at its log`)),
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
}
