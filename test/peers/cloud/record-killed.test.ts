import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPhone, simulateScaip } from '#appliance/simulator/index.ts';
import { DEMO_ANALOGUE, DEMO_OPERATOR } from '#installer/step/demo-tenant.ts';
import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/*
 * A host that is killed while a call runs and an alarm waits for its call, each program a process of its own:
 *
 *   unit, telephones ─ SIP, RTP ─▶ host ── kill -9, start ── up/rec ─▶ cloud ─ GET /record ─▶ this test
 */

const DEVICE = 'scaip-0001';
const WAIT = { timeout: 60_000, interval: 100 };

let site: Site;
const phones: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  for (const phone of phones) await phone.close();
  await site?.close();
});

async function phone(
  user: string,
  password?: string,
  onStep = (_: { readonly text: string }): void => undefined,
) {
  const opened = await openPhone({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, user, password },
    ...{ srtp: 'negotiated', says: {}, onStep },
  });
  phones.push(opened);
  return opened;
}

/** An operator who lifts at once and stays on the line. */
async function operator(onStep?: (step: { readonly text: string }) => void) {
  const opened = await phone(DEMO_OPERATOR, 'for telephones', onStep);
  opened.answer(200_000, () => undefined);
  return opened;
}

async function recordsOf(kind: ShownRecord['kind']): Promise<readonly ShownRecord[]> {
  const path = `${site.api}/record/${site.domain}?kind=${kind}`;
  const answer = await fetch(path, { headers: { authorization: `Bearer ${site.token}` } });
  return ((await answer.json()) as { records: ShownRecord[] }).records;
}

it('the call of a killed host is interrupted in the cloud, and its alarm goes on under the same record', {
  timeout: 240_000,
}, async () => {
  await operator();
  const caller = await phone(DEMO_ANALOGUE, 'for telephones');
  const cut = caller.call(DEMO_OPERATOR, 200_000).catch(() => undefined);
  const { answers } = await simulateScaip({
    ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'scaip', device: DEVICE },
    ...{ password: undefined, count: 1, rate: 0, deviceType: '0003', statusCode: '0010', trust: undefined },
  });
  const number = answers[0]?.tnu ?? '';
  expect(number).toContain(DEMO_OPERATOR);
  const [call, alarm] = await vi.waitFor(async () => {
    const started = [...(await recordsOf('call')), ...(await recordsOf('alarm'))];
    expect(started).toMatchObject([
      { result: 'running', from: expect.stringContaining(DEMO_ANALOGUE) },
      { result: 'running', deviceId: DEVICE },
    ]);
    return started;
  }, WAIT);

  await site.killAppliance();
  await site.startAppliance();

  await vi.waitFor(async () => {
    const [{ recordId, result, reason } = {}, ...more] = await recordsOf('call');
    expect({ recordId, result, reason, more }).toEqual({
      ...{ recordId: call?.recordId, result: 'interrupted', more: [] },
      reason: 'The program of the host ended in the middle of the session',
    });
    const { traceId, sessionId, at, event } = alarm ?? {};
    expect(await recordsOf('alarm')).toMatchObject([
      { recordId: alarm?.recordId, result: 'running', restarts: 1, traceId, sessionId, at, event },
    ]);
  }, WAIT);

  // The unit calls the number that it was given before the host was killed.
  await Promise.all(phones.splice(0).map((each) => each.close()));
  await cut;
  const [steps, taken]: [string[], string[]] = [[], []];
  await operator(({ text }) => taken.push(text));
  const device = await phone(DEVICE, undefined, ({ text }) => steps.push(text));
  const speech = device.call(number, 100_000);
  // A hang-up before the operator has answered would leave the alarm unanswered.
  for (const said of [steps, taken]) await vi.waitFor(() => expect(said).toContain('is on the line'), WAIT);
  device.hangUp();
  await speech;
  await vi.waitFor(async () => {
    const alarms = await recordsOf('alarm');
    expect(alarms).toMatchObject([{ recordId: alarm?.recordId, result: 'done', restarts: 1 }]);
  }, WAIT);
});
