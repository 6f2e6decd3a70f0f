import { expect, it } from 'vitest';
import { type SelfTestPoint, type SelfTestRecord, SelfTestRuns } from '#appliance/selftest/index.ts';

const point = (id: string) => ({ id, verdict: 'ok', found: '' }) as unknown as SelfTestPoint;
const recordOf = (n: number) => ({ n }) as unknown as SelfTestRecord;

/** Tests that a test of this file ends by hand. */
function runs() {
  const open: { onPoint: (found: SelfTestPoint) => void; end: PromiseWithResolvers<SelfTestRecord> }[] = [];
  const kept: { record: SelfTestRecord | undefined } = { record: undefined };
  const sent: SelfTestRecord[] = [];
  const line: { isUp: boolean | 'broken' } = { isUp: true };
  const tests = new SelfTestRuns({
    kept: () => kept.record,
    test: (onPoint) => {
      const end = Promise.withResolvers<SelfTestRecord>();
      open.push({ onPoint, end });
      return end.promise;
    },
    send: async (record) => {
      if (line.isUp === 'broken') throw new Error('no line');
      sent.push(record);
      return line.isUp;
    },
  });
  return { tests, open, kept, sent, line };
}

it('one test runs at a time, and every caller gets its record', async () => {
  const { tests, open, sent } = runs();
  const [first, second] = [tests.run(), tests.run()];
  expect(open).toHaveLength(1);
  open[0]?.end.resolve(recordOf(1));
  expect(await first).toEqual({ record: recordOf(1), sent: true });
  expect(await second).toEqual(await first);
  expect(sent).toEqual([recordOf(1)]);
  void tests.run();
  expect(open).toHaveLength(2);
});

it('the points of the test that runs are shown, and the record that is kept', async () => {
  const { tests, open, kept } = runs();
  expect(tests.state()).toEqual({ running: false, points: [], record: null });
  const first = tests.run();
  open[0]?.onPoint(point('disk'));
  expect(tests.state()).toEqual({ running: true, points: [point('disk')], record: null });
  kept.record = recordOf(7);
  open[0]?.end.resolve(recordOf(7));
  await first;
  expect(tests.state()).toEqual({ running: false, points: [], record: recordOf(7) });
  void tests.run();
  expect(tests.state().points).toEqual([]);
});

it.each([
  [true, true],
  [false, false],
  ['broken', false],
] as const)('over a line that is up: %s, the record is sent: %s', async (isUp, sent) => {
  const { tests, open, line } = runs();
  line.isUp = isUp;
  const run = tests.run();
  open[0]?.end.resolve(recordOf(1));
  expect(await run).toEqual({ record: recordOf(1), sent });
});

it('a test that breaks ends, and another one may begin', async () => {
  const { tests, open } = runs();
  const run = tests.run();
  open[0]?.end.reject(new Error('defect'));
  await expect(run).rejects.toThrow('defect');
  expect(tests.state().running).toBe(false);
  void tests.run();
  expect(open).toHaveLength(2);
});
