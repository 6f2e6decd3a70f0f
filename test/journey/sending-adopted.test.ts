import { expect, it } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { heldWrites } from '#appliance/site/host/peer/site-adoption.ts';
import { copiesOf, isPromise } from '#appliance/site/peer/index.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  keptPairs,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';
import { takeOver } from '#test/support/take-over.ts';

/* A host that sends an event is lost; another one of its site has copies of what it wrote. */

const opened = keptPairs();
async function two(): Promise<Pair> {
  const made = await sendingPair({ protocol: 'scaip', destAddr: AT_CENTRE });
  opened.push(made);
  centreBridge(made, 'scaip');
  return made;
}

/** An event that its host never got through, and all that its peer has of it. */
async function unsent() {
  const one = await two();
  const commits: (readonly JournalWrite[])[] = [];
  one.sender.refuseCommits((writes) => {
    commits.push(writes);
    return false;
  });
  one.lose(() => true);
  const taken = await send(one);
  await one.after(3_000);
  const copies = commits.flatMap((writes) => heldWrites('uid-one', copiesOf(writes), 0));
  return { one, taken, copies, commits };
}

/** As the site does it when a host is held for lost. */
const adopt = ({ sender }: Pair): Promise<boolean> => takeOver(sender, 'uid-one', 'all');

it('is sent at once by the host that takes over, under its own id', async () => {
  const { taken, copies } = await unsent();
  const other = await two();
  await other.sender.journal.commit(copies);
  expect(await adopt(other)).toBe(true);
  await other.until(() => callbacksOf(other.sender, 'alarmSent').length === 1, 30_000);
  expect(callbacksOf(other.sender, 'alarmSent')).toMatchObject([
    { sessionId: taken.sessionId, traceId: taken.traceId },
  ]);
  expect(callbacksOf(other.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
});

it('is not begun a second time while it is in progress there', async () => {
  const { copies } = await unsent();
  const other = await two();
  other.lose(() => true);
  await other.sender.journal.commit(copies);
  expect(await adopt(other)).toBe(true);
  await other.after(1_000);
  expect(await adopt(other)).toBe(false);
  other.lose(() => false);
  await other.until(() => callbacksOf(other.sender, 'alarmSent').length === 1, 60_000);
  await other.after(60_000);
  expect(callbacksOf(other.sender, 'alarmSent')).toHaveLength(1);
  expect(callbacksOf(other.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
});

it('is copied before it is answered as taken', async () => {
  const { commits } = await unsent();
  const [first] = commits;
  expect(first?.map(({ kind }) => kind)).toContain('session');
  expect(isPromise(first ?? [])).toBe(true);
});
