import { expect, test } from 'vitest';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import { DeviceLine, type LineOutcome } from '#appliance/registration/device-line.ts';
import type { Place } from '#appliance/registration/device-place.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { SipResponse } from '#appliance/sip/message/index.ts';
import { fail } from '#shared/result.ts';

/** A line to these places, with what was said where and when, and what came of it. */
function rig(places: readonly Place[]) {
  let nowMs = 0;
  const said: { uri: string; atMs: number; answer: (outcome: LineOutcome) => void }[] = [];
  const done: string[] = [];
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const running: Promise<unknown>[] = [];
  const reach = { open: async () => fail('Unreachable', 'nobody listens') };
  const timers = openTimers({ clock, log: () => undefined });
  const line = new DeviceLine({ clock, timers, run: (work) => void running.push(work) }, reach);
  line.send(
    places,
    ({ uri }, _flow, reported) => said.push({ uri, atMs: nowMs, answer: reported }),
    (outcome) => done.push(outcome.kind === 'answered' ? String(outcome.response.status) : outcome.kind),
  );
  return {
    done,
    said: () => said.map(({ uri, atMs }) => [uri, atMs]),
    tell: (at: number, outcome: 'silent' | 'unreachable' | number) =>
      said[at]?.answer(
        outcome === 'silent'
          ? { kind: 'silent' }
          : outcome === 'unreachable'
            ? { kind: 'unreachable', reason: 'gone' }
            : { kind: 'answered', response: { status: outcome } as SipResponse },
      ),
    async at(ms: number) {
      nowMs = ms;
      timers.advance(ms);
      await Promise.all(running);
    },
    due: () => timers.nextDueMs,
  };
}

const flow = {} as Flow;
const three = ['a', 'b', 'c'].map((uri): Place => ({ uri, routes: [], flow }));

test('goes on after two seconds of silence, and no sooner', async () => {
  const { said, at, due, done, tell } = rig(three);
  await at(1_999);
  expect(said()).toEqual([['a', 0]]);
  await at(2_000);
  await at(4_000);
  expect(said()).toEqual([
    ['a', 0],
    ['b', 2_000],
    ['c', 4_000],
  ]);
  expect(due()).toBeUndefined();
  for (const place of [0, 1, 2]) tell(place, 'silent');
  expect(done).toEqual(['silent']);
});

test('goes on at once where the connection fails or where no one knows the device', async () => {
  const { said, tell, done, due } = rig(three);
  tell(0, 'unreachable');
  tell(1, 404);
  expect(said()).toEqual(['a', 'b', 'c'].map((uri) => [uri, 0]));
  tell(2, 200);
  expect(done).toEqual(['200']);
  expect(due()).toBeUndefined();
});

test.each([200, 202, 403, 488])('is over with an answer of %d', async (status) => {
  const { said, tell, done, at } = rig(three);
  tell(0, status);
  await at(10_000);
  expect(said()).toEqual([['a', 0]]);
  expect(done).toEqual([String(status)]);
});

test('a late answer of the first place ends the others', async () => {
  const { said, tell, done, at } = rig(three);
  await at(2_000);
  tell(0, 200);
  tell(1, 'silent');
  await at(10_000);
  expect(said()).toHaveLength(2);
  expect(done).toEqual(['200']);
});

test('the end of an older silence is no reason to hurry', async () => {
  const { said, tell, at } = rig(three);
  await at(2_000);
  tell(0, 'silent');
  await at(3_999);
  expect(said()).toHaveLength(2);
});

test.each<[string, ('silent' | 'unreachable' | number)[], string]>([
  ['a refusal says the most', [404, 'silent', 'unreachable'], '404'],
  ['of failures the last counts', ['unreachable', 'unreachable', 'silent'], 'silent'],
])('when all fail, %s', (_name, outcomes, expected) => {
  const { tell, done, at } = rig(three);
  void at(0);
  for (const [place, outcome] of outcomes.entries()) {
    void at((place + 1) * 2_000);
    tell(place, outcome);
  }
  expect(done).toEqual([expected]);
});

test('a place that cannot be opened is passed over; without any place no device is reached', async () => {
  const { said, at, done, tell } = rig([{ uri: 'far', routes: [], hop: 'sip:far' }, ...three.slice(0, 1)]);
  await at(5);
  await at(5);
  expect(said()).toEqual([['a', 5]]);
  tell(0, 200);
  expect(done).toEqual(['200']);
  expect(rig([]).done).toEqual(['unreachable']);
});
