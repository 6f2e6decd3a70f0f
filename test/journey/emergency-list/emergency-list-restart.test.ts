import { afterEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { telephones } from '#test/support/telephone.ts';
import { listOf, presses, raisesAlarm, rings, takes } from './people.ts';

/*
 * The program ends without a word at every step of a list, and begins again with what is on the disk: people are called on.
 */

type Site = Awaited<ReturnType<typeof testAppliance>>;

const opened: Site[] = [];
const FIELDS = {
  emergencyCallList: { ...listOf('anna', 'bo'), pause: 10_000 },
  defaultEmergencyDestination: 'sip:arc@care.example',
};

async function begins(more: Parameters<typeof testAppliance>[0] = {}) {
  const site = await testAppliance(more);
  opened.push(site);
  const net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const anna = await net.device('anna', '192.0.2.41');
  const bo = await net.device('bo', '192.0.2.42');
  return { site, net, anna, bo };
}

type World = Awaited<ReturnType<typeof begins>>;

/** The next run of the program: the same disk and records, and the telephones again. */
async function begunAgain({ site: before }: World): Promise<World> {
  opened.splice(opened.indexOf(before), 1);
  await before.close(true);
  const world = await begins({ folder: before.folder, records: before.records });
  world.site.bridge({ protocol: 'scaip', name: 'Units', destinationMatch: '^here$', ...FIELDS });
  world.site.setWallBy(60_000);
  world.site.recorder.recall();
  world.site.runtime.restore();
  await world.net.pump();
  return world;
}

afterEach(async () => {
  for (const site of opened.splice(0)) {
    expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
    await site.close();
  }
});

/** How far the list is when the program ends. */
const STEPS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'the first one rings': async ({ net, anna }) => await rings(net, anna),
  'the first one has answered': async ({ net, anna }) => {
    await rings(net, anna);
    await takes(net, anna);
  },
  'the second one rings': async ({ net, anna, bo }) => {
    await rings(net, anna);
    anna.respond(anna.request('INVITE'), 486);
    await rings(net, bo);
  },
  'the list pauses': async ({ net, anna, bo }) => {
    for (const phone of [anna, bo]) {
      await rings(net, phone);
      phone.respond(phone.request('INVITE'), 486);
    }
    await net.after(1_000);
  },
  'a person speaks with the device': async ({ net, anna }) => {
    await rings(net, anna);
    await takes(net, anna, '1');
  },
  'the person who had accepted has hung up': async ({ net, anna }) => {
    await rings(net, anna);
    const invite = await takes(net, anna, '1');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.after(500);
  },
};

describe.each(['scaip', 'bs8521'])('an alarm of %s', (protocol) => {
  it.each(Object.entries(STEPS))('calls people on after a restart when %s', async (name, reach) => {
    const first = await begins();
    await raisesAlarm(first.site, first.net, protocol, { ...FIELDS, arcDisconnectClearsCall: false });
    await reach(first);
    const second = await begunAgain(first);
    expect(await rings(second.net, second.anna, 15_000), name).toBe(true);
    await takes(second.net, second.anna, '1');
    await presses(second.net, second.anna, '00');
    await second.net.after(15_000);
    const [record] = await recordsOf(second);
    expect(record).toMatchObject({ result: 'done', restarts: 1 });
  });
});

const recordsOf = async ({ site }: World) => (await site.recorded()).filter(({ kind }) => kind === 'alarm');
