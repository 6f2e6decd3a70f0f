import { afterEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { nowIpUnit } from '#test/support/nowip-unit.ts';
import { telephones } from '#test/support/telephone.ts';

/* A NOW-IP device that is cleared (D) and does nothing: we hang up within 5 s (protocols 7). */

let site: Awaited<ReturnType<typeof testAppliance>>;

afterEach(() => site.close());

it.each([
  ['a unit that stands alone', '010012345678000101000000'],
  ['a scheme without a waiting receiver', '110012345678000101000000'],
])('%s: is answered twice and hung up on after 5 s', async (_, data) => {
  site = await testAppliance();
  const net = telephones(site);
  net.trunk();
  const unit = net.stranger('unit', '198.51.100.30');
  site.bridge({ protocol: 'nowip', name: 'Units', destinationMatch: '^here$' });
  site.answerBy(() => answered({ action: 'drop' }));
  const device = nowIpUnit(unit, net);
  const received: string[] = [];
  /** Until it gets clear-down: a scheme confirms that no unit waits. */
  const listens = async () => {
    for (const said of device.received()) {
      received.push(said);
      if (said.endsWith(' 9')) await device.says('7', '000000');
    }
  };
  await device.calls();
  await device.says('1', data);
  for (let waited = 0; waited < 10_000 && !received.includes('2 D'); waited += 100) {
    await net.after(100);
    await listens();
  }
  const reportedMs = site.clock.monoMs();
  for (let waited = 0; waited < 20_000 && !unit.has('BYE'); waited += 100) {
    await net.after(100);
    await listens();
  }
  const tookMs = site.clock.monoMs() - reportedMs;
  expect(tookMs).toBeGreaterThan(4_000);
  expect(tookMs).toBeLessThanOrEqual(5_200);
  expect(received.filter((each) => each === '2 D')).toHaveLength(2);
});
