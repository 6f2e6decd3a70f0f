import { afterEach, beforeEach, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { nothingLeft } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/* A telephone that comes back from a new port and leaves its old binding behind: nothing listens there. */

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let bo: Telephone;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
  bo = await net.device('bo', '192.0.2.21', {}, false);
});
afterEach(() => nothingLeft(appliance, net));

/** Registers from this port under this User-Agent; the transactions of the time before have ended then. */
async function comesFrom(port: number, userAgent: string): Promise<void> {
  await net.after(40_000, 10_000);
  bo.flow = { ...bo.flow, remotePort: port };
  bo.contact = `<sip:bo@192.0.2.21:${port}>`;
  await bo.register(net.pump, [['User-Agent', userAgent]]);
  await net.after(1_000);
}

/** Milliseconds until the caller hears that the one telephone that lives is busy. */
async function busyAfter(): Promise<number> {
  await anna.invite('bo', net.pump);
  bo.respond(bo.request('INVITE'), 486);
  await net.pump();
  for (let ms = 0; ; ms += 500) {
    if (anna.has(486)) return ms;
    if (ms > 60_000) throw new Error('the caller hears nothing');
    await net.after(500);
  }
}

it('does not hold up the answer of the new one', async () => {
  await comesFrom(5060, 'Desk 1.0');
  await comesFrom(5071, 'Desk 1.0');
  expect(await busyAfter()).toBeLessThanOrEqual(2_000);
});

it('is waited for where another telephone stands behind it', async () => {
  await comesFrom(5060, 'Other 2.0');
  await comesFrom(5071, 'Desk 1.0');
  expect(await busyAfter()).toBeGreaterThan(30_000);
});

it('is called and answers where a second telephone of the same model stands behind the same address', async () => {
  await comesFrom(5060, 'Desk 1.0');
  await comesFrom(5071, 'Desk 1.0');
  const second = net.stranger('bo', '192.0.2.21');
  const talk = await anna.invite('bo', net.pump);
  second.respond(second.request('INVITE'), 180);
  bo.respond(bo.request('INVITE'), 486);
  await net.after(5_000);
  expect(anna.has(486)).toBe(false);
  anna.cancel(talk);
  await net.pump();
  second.respond(second.request('CANCEL'), 200);
  anna.response(487);
});
