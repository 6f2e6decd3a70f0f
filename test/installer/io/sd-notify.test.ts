import { describe, expect, it } from 'vitest';
import { faultsWithin, serviceWatch } from '#installer/io/host/sd-notify.ts';

/** A watch whose messages are kept, and which waits for the nth of them. */
function watched(watchdogMs: number | undefined) {
  const reported: string[][] = [];
  const complaints: string[] = [];
  let arrived = Promise.withResolvers<void>();
  const watch = serviceWatch({
    watchdogMs,
    complain: (line) => complaints.push(line),
    tell: async (words) => {
      reported.push([...words]);
      arrived.resolve();
      arrived = Promise.withResolvers();
      return true;
    },
  });
  const until = async (count: number): Promise<void> => {
    while (reported.length < count) await arrived.promise;
  };
  return { watch, told: reported, complaints, until };
}

const well = async (): Promise<readonly string[]> => [];

describe('the watch of systemd', () => {
  it('says READY after the first answer to ourselves', async () => {
    const { watch, told: reported } = watched(undefined);
    const answers = [['SIP is not open'], []];
    await watch.ready('answers', async () => {
      expect(reported).toEqual([]);
      return answers.shift() ?? [];
    });
    expect(answers).toEqual([]);
    expect(reported).toEqual([['READY=1', 'STATUS=answers']]);
  });

  it('feeds the watchdog while everything answers', async () => {
    const { watch, told: reported, until } = watched(3);
    await watch.ready('answers', well);
    await until(4);
    await watch.stopping();
    expect(reported.slice(1, 4)).toEqual([['WATCHDOG=1'], ['WATCHDOG=1'], ['WATCHDOG=1']]);
    expect(reported.at(-1)?.[0]).toBe('STOPPING=1');
  });

  it('starves it while something does not, says what, and feeds it again afterwards', async () => {
    const { watch, told: reported, complaints, until } = watched(3);
    const found: string[][] = [[], ['media does not answer'], ['media does not answer'], []];
    await watch.ready('answers', async () => found.shift() ?? []);
    await until(4);
    await watch.stopping();
    expect(reported.slice(1, 4)).toEqual([
      ['STATUS=not well: media does not answer'],
      ['STATUS=not well: media does not answer'],
      ['WATCHDOG=1', 'STATUS=answers'],
    ]);
    expect(complaints).toHaveLength(2);
  });

  it('says nothing more once it stops, whatever a late probe finds', async () => {
    const { watch, told: reported } = watched(3);
    const asked = Promise.withResolvers<void>();
    const late = Promise.withResolvers<readonly string[]>();
    let first = true;
    await watch.ready('answers', async () => {
      if (first) {
        first = false;
        return [];
      }
      asked.resolve();
      return late.promise;
    });
    await asked.promise;
    await watch.stopping();
    late.resolve([]);
    await late.promise;
    expect(reported.at(-1)?.[0]).toBe('STOPPING=1');
  });
});

describe('a probe', () => {
  it('that hangs is a fault', async () => {
    const never = new Promise<readonly string[]>(() => undefined);
    expect(await faultsWithin(() => never, 5)).toEqual(['no answer to itself within 0.005 s']);
  });

  it('that fails is a fault', async () => {
    expect(await faultsWithin(async () => Promise.reject(new Error('gone')), 1_000)).toEqual(['Error: gone']);
  });
});
