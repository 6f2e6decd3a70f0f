import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import type { SessionTrace, ShownRecord } from '#shared/contract/session-record/index.ts';
import { openSitePair, type SitePair } from '#test/support/site-pair.ts';
import { queueless } from './queueless.ts';

/*
 * A host hangs in the middle of an alarm; the other one carries on and ends it. The first one wakes up and ends its alarm, too:
 *
 *   unit ── alarm ──▶ one ── copies ──▶ two
 *                     one hangs         two takes over, waits for the call of the unit, ends the session
 *                     one wakes up, and knows of nothing
 */

const DEVICE = 'scaip-0001';
/** A minute in which the unit may call, at both hosts, on a loaded machine. */
const WAIT = { timeout: 240_000, interval: 250 };

let site: SitePair;
beforeAll(async () => {
  site = await openSitePair({ applianceNode: queueless });
}, 240_000);
afterAll(() => site?.close(), 60_000);

async function ask<Body>(path: string): Promise<Body> {
  const answer = await fetch(`${site.api}/record/${site.domain}${path}`, {
    headers: { authorization: `Bearer ${site.token}` },
  });
  return (await answer.json()) as Body;
}
const records = async () => (await ask<{ records: ShownRecord[] }>('?kind=alarm')).records;

it('a session that two hosts end has one record; the end that does not count is a step of its trace', {
  timeout: 900_000,
}, async () => {
  const [one, two] = site.hosts;
  await simulateScaip({
    ...{ to: `127.0.0.1:${one.sipPort}`, transport: 'udp', domain: site.domain, receiver: 'scaip' },
    ...{ password: undefined, count: 1, rate: 1, deviceType: '0003', statusCode: '0010', trust: undefined },
    device: DEVICE,
  });
  const [begun] = await vi.waitFor(async () => {
    const all = await records();
    expect(all).toMatchObject([{ result: 'running', deviceId: DEVICE, hostId: 'one' }]);
    return all;
  }, WAIT);

  one.process.freeze();
  await vi.waitFor(async () => {
    expect(await records()).toMatchObject([{ result: 'unanswered', hostId: 'two', restarts: 1 }]);
  }, WAIT);
  one.process.thaw();

  const { recordId = '' } = begun ?? {};
  const trace = await vi.waitFor(async () => {
    const { trace: found } = await ask<{ trace: SessionTrace }>(`/${recordId}/trace`);
    expect(found.steps.filter(({ hostId }) => hostId === 'one').map(({ kind }) => kind)).toContain(
      'furtherEnd',
    );
    return found;
  }, WAIT);
  expect(await records()).toMatchObject([
    { recordId, traceId: begun?.traceId, result: 'unanswered', hostId: 'two', restarts: 1 },
  ]);
  const further = trace.steps.filter(({ kind }) => kind === 'furtherEnd');
  expect(further).toMatchObject([{ hostId: 'one', detail: { counts: 'two' } }]);
  expect(trace.steps.map(({ hostId }) => hostId)).toContain('two');
  expect(two.process.running).toBe(true);
});
