import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';

const ON_SITE = 'sip:night@ward.example';
const PROVISIONED = 'sip:operator@arc.example';
let site: Awaited<ReturnType<typeof testAppliance>>;
beforeEach(async () => {
  site = await testAppliance();
  site.bridge({ defaultEmergencyDestination: PROVISIONED });
  site.answerBy(() => answered('nothing useful', 500));
});
afterEach(() => site.close());

/** The address that the device has to call when the application gives no answer. */
async function destinationOf(ref: string): Promise<string> {
  const body = `<mrq><ref>${ref}</ref><cid>unit-1</cid><dty>0003</dty><stc>0010</stc><crd>sip:</crd></mrq>`;
  site.request('MESSAGE', 'unit-1', { body });
  await site.quiet();
  // A message that is not confirmed over UDP comes again, also that of the alarm before.
  const all = site.take().map((message) => Buffer.from(message.body).toString());
  const said = all.filter((text) => text.includes(`<ref>${ref}</ref>`));
  return [ON_SITE, PROVISIONED].filter((each) => said.some((text) => text.includes(each))).join(' ');
}

it('a number set on site takes the place of the emergency destination, until it is cleared', async () => {
  expect(await destinationOf('1')).toBe(PROVISIONED);
  site.runtime.alarmSessions.fallbackNumber = ON_SITE;
  expect(await destinationOf('2')).toBe(ON_SITE);
  site.runtime.alarmSessions.fallbackNumber = undefined;
  expect(await destinationOf('3')).toBe(PROVISIONED);
});
