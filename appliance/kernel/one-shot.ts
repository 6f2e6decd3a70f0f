import type { TimerPorts } from './engine-timers.ts';
import type { KernelPorts } from './port.ts';

/** Fires once after `delayMs`, unless the function that it returns is called before. */
export type StartTimer = (delayMs: number, fire: () => void) => () => void;

/** Timers without a name, as parts that have one or two of them start them; they run on the wheel like all others. */
export function oneShots({ clock, timers }: Pick<KernelPorts, 'clock'> & TimerPorts): StartTimer {
  const waiting = new Map<string, () => void>();
  const scope = timers.scope<'once'>((owner) => {
    const fire = waiting.get(owner);
    waiting.delete(owner);
    fire?.();
  });
  let started = 0;
  return (delayMs, fire) => {
    const owner = String(started++);
    waiting.set(owner, fire);
    scope.start(owner, 'once', clock.monoMs() + delayMs);
    return () => {
      waiting.delete(owner);
      scope.stopAll(owner);
    };
  };
}
