import { afterEach, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { telephones } from '#test/support/telephone.ts';

/* A NOW-IP device that is cleared (D) and does nothing: we hang up within 5 s (protocols 7). */

let site: Awaited<ReturnType<typeof testAppliance>>;

afterEach(() => site.close());

it.each([
  ['a unit that stands alone', '010012345678000101000000'],
  ['a scheme of which nobody waits', '110012345678000101000000'],
])('%s: is told twice and hung up on after 5 s', async (_, data) => {
  site = await testAppliance();
  const net = telephones(site);
  net.trunk();
  const unit = net.stranger('unit', '198.51.100.30');
  site.bridge({ protocol: 'nowip', name: 'Units', destinationMatch: '^here$' });
  site.answerBy(() => answered({ action: 'drop' }));
  let messages = 0;
  const says = async (type: string, digits: string) => {
    unit.send({
      method: 'MESSAGE',
      uri: 'sip:here@care.example',
      headers: [
        ['From', '<sip:unit@care.example>;tag=m'],
        ['To', '<sip:here@care.example>'],
        ['Call-ID', `close-${++messages}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', 'application/xml'],
      ],
      body: Buffer.from(encodeAtm({ version: '1', type, data: digits, time: '.', mac: '.' })),
    });
    await net.pump();
  };
  const heard: string[] = [];
  /** Until it is told to clear down: a scheme confirms that nobody waits. */
  const listens = async () => {
    while (unit.has('MESSAGE')) {
      const request = unit.request('MESSAGE');
      unit.respond(request, 200);
      const atm = decodeAtm(request.body);
      if (!atm.ok) continue;
      heard.push(`${atm.value.type}${atm.value.data}`);
      if (atm.value.data === '9') await says('7', '000000');
    }
  };
  const talk = await unit.invite('here', net.pump, { challenged: false });
  unit.acknowledge(talk, unit.response(200));
  await says('1', data);
  for (let waited = 0; waited < 10_000 && !heard.includes('2D'); waited += 100) {
    await net.after(100);
    await listens();
  }
  const toldMs = site.clock.monoMs();
  for (let waited = 0; waited < 20_000 && !unit.has('BYE'); waited += 100) {
    await net.after(100);
    await listens();
  }
  const tookMs = site.clock.monoMs() - toldMs;
  expect(tookMs).toBeGreaterThan(4_000);
  expect(tookMs).toBeLessThanOrEqual(5_200);
  expect(heard.filter((each) => each === '2D')).toHaveLength(2);
});
