import type { Stream } from '../process/load-setting.ts';
import { sleep } from './bench.ts';
import { startChild } from './child-process.ts';
import { inPlace } from './place.ts';
import { DOMAIN, startLoad } from './start.ts';

const IN_FLIGHT = 64;

/** The rate of the generator, per second, against a peer that answers at once: its upper limit. */
export async function measureGenerator(kind: Stream['kind'], ms: number): Promise<number> {
  return await inPlace(async (place) => {
    const file = new URL('../process/reflector.ts', import.meta.url);
    const reflector = await place.keep(
      startChild<unknown, { port: number }, never, null>(file, { answers: kind !== 'message' }),
    );
    const stream = { ...streamTo(reflector.ready.port, kind), name: 'reflected' };
    const load = await place.keep(startLoad([stream]));
    await load.ask({ kind: 'keep', stream: 'reflected', inFlight: IN_FLIGHT });
    await sleep(ms / 2);
    const doneSoFar = async () => (await load.ask({ kind: 'count' })).reflected?.done ?? 0;
    const startMs = performance.now();
    const before = await doneSoFar();
    await sleep(ms);
    const done = (await doneSoFar()) - before;
    return (done * 1000) / (performance.now() - startMs);
  });
}

/** A stream from a thousand devices to the receiver of the alarm bench. */
export const streamTo = (port: number, kind: Stream['kind']): Omit<Stream, 'name'> => ({
  port,
  domain: DOMAIN,
  receiver: 'scaip',
  prefix: 'device-',
  devices: 1_000,
  kind,
});
