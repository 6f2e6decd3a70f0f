import { afterEach, describe, expect, it } from 'vitest';
import {
  AT_CENTRE,
  centreBridge,
  noDefects,
  type Pair,
  send,
  sendingPair,
  told,
} from '#test/support/sending.ts';

const opened: Pair[] = [];
const SECOND = 'sip:alarm@203.0.113.9';

async function watched(target: Record<string, unknown> = {}) {
  const made = await sendingPair(
    { protocol: 'scaip', destAddr: AT_CENTRE, ...target },
    { mapper: { enableDestinationMonitoring: true } },
  );
  opened.push(made);
  centreBridge(made, 'scaip');
  made.sender.notify('https://app.example/alarms');
  return made;
}

afterEach(async () => {
  for (const made of opened.splice(0)) {
    noDefects(made);
    await made.close();
  }
});

/** What a person was told of the destinations, in order. */
const news = (made: Pair) =>
  made.sender.posted
    .filter(({ target }) => target.url.endsWith('/alarms'))
    .map(({ body }) => [body.type, body.destination]);

/** Requests that the sender's site sends to the centre while nothing else is to do, by method. */
async function askedIn(made: Pair, ms: number): Promise<number> {
  let options = 0;
  made.lose((_, bytes) => {
    if (bytes.toString('latin1').startsWith('OPTIONS ')) options++;
    return false;
  });
  await made.after(ms);
  return options;
}

describe('a receiver that is watched (enableDestinationMonitoring)', () => {
  it('is asked by OPTIONS once a minute, and nobody is told while it answers', async () => {
    const made = await watched();
    expect(await askedIn(made, 301_000)).toBe(6);
    expect(news(made)).toEqual([]);
  });

  it('that falls silent is told of once, and once when it answers again', async () => {
    const made = await watched();
    await made.after(1_000);
    made.lose((to) => to === made.centre.address);
    await made.after(300_000);
    expect(news(made)).toEqual([['destinationDown', AT_CENTRE]]);
    made.lose(() => false);
    await made.after(61_000);
    expect(news(made)).toEqual([
      ['destinationDown', AT_CENTRE],
      ['destinationUp', AT_CENTRE],
    ]);
  });

  it('is back as soon as it takes an event, whatever the minute says', async () => {
    const made = await watched();
    made.lose((to) => to === made.centre.address);
    await made.after(100_000);
    expect(news(made)).toHaveLength(1);
    made.lose((_, bytes) => bytes.toString('latin1').startsWith('OPTIONS '));
    await send(made);
    await made.after(1_000);
    expect(told(made.sender, 'alarmSent')).toHaveLength(1);
    expect(news(made).at(-1)).toEqual(['destinationUp', AT_CENTRE]);
  });

  it('is watched on both its ways, each for itself', async () => {
    const made = await watched({ backupEndpoint: { backupDestAddr: SECOND } });
    await made.after(100_000);
    expect(news(made)).toEqual([['destinationDown', SECOND]]);
  });

  it('is watched no longer when its event sender says so', async () => {
    const made = await watched();
    await made.after(1_000);
    made.sender.mapper({ protocol: 'scaip', destAddr: AT_CENTRE }, { enableDestinationMonitoring: false });
    await made.after(1_000);
    expect(await askedIn(made, 200_000)).toBe(0);
  });
});
