import { afterEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { type RecordingHouse, recordingHouse } from '#test/support/recording-house.ts';
import { hangsUp, nothingLeft, talking } from '#test/support/talking.ts';
import { telephones } from '#test/support/telephone.ts';

type Appliance = Pick<Awaited<ReturnType<typeof testAppliance>>, 'media'>;

/** The processor is away: four slices of the media worker begin 30 ms late, whatever it carries. */
function goesLate({ media }: Appliance): void {
  for (let n = 0; n < 4; n++) media.engine.slice(media.nowMs, 30);
  expect(media.engine.load.late).toBe(true);
}

describe('while the processor is late', () => {
  it.each([0, 1, 2])('with %i calls, an INVITE is answered', async (running) => {
    const appliance = await testAppliance();
    const net = telephones(appliance);
    const calls = [];
    for (let n = 0; n <= running; n++) {
      const caller = await net.device(`caller-${n}`, `192.0.2.${20 + 2 * n}`);
      const callee = await net.device(`callee-${n}`, `192.0.2.${21 + 2 * n}`);
      if (n === running) goesLate(appliance);
      const { talk } = await talking(net, caller, callee);
      calls.push({ caller, callee, talk });
    }
    expect(appliance.runtime.load).toMatchObject({ calls: running + 1, legs: 2 * (running + 1) });
    expect(appliance.media.engine.load).toMatchObject({ late: true, overloaded: false });
    for (const { caller, callee, talk } of calls) await hangsUp(net, caller, talk, callee);
    await nothingLeft(appliance, net);
  });
});

describe('while the processor is late, a recording client', () => {
  let house: RecordingHouse;
  afterEach(() => house.close());

  it('is answered, and its recording runs to its end', async () => {
    house = await recordingHouse();
    const { appliance } = house;
    goesLate(appliance);
    const talk = await house.opened();
    // Longer than anything that our own load would be given.
    for (let second = 0; second < 70; second += 5) {
      goesLate(appliance);
      await house.pass(5_000);
    }
    await house.hangsUp(talk);
    const ready = await house.received('/recordingReady');
    expect(ready).toMatchObject({ event: 'RECORDINGREADY' });
    expect(ready).not.toHaveProperty('reason');
    expect(Number(ready.duration)).toBeGreaterThan(65_000);
    expect(house.events()).not.toContain('RECORDINGFAILED');
  });
});
