import { afterEach, expect, it } from 'vitest';
import { type EmergencyProgress, emergencyProgressSchema } from '#shared/contract/callback/index.ts';
import { joined, quiet, speech } from '#test/appliance/media/answer/callee-sound.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { answersMessages, entry, listOf, presses, raisesAlarm, rings, sendsScaip, takes } from './people.ts';

/* Every step that the contract names for /emergencyProgress occurs, each in a journey that brings it about. */

type Step = EmergencyProgress['step'];

interface World {
  readonly site: Awaited<ReturnType<typeof testAppliance>>;
  readonly net: ReturnType<typeof telephones>;
  readonly anna: Telephone;
  readonly bo: Telephone;
}

let site: World['site'] | undefined;

afterEach(async () => {
  expect(site?.logged.filter((line) => line.includes('defect')) ?? []).toEqual([]);
  await site?.close();
  site = undefined;
});

async function begins(hasQueue: boolean): Promise<World> {
  site = await testAppliance(hasQueue ? { alarmQueue: () => true } : {});
  const net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const anna = await net.device('anna', '192.0.2.41');
  const bo = await net.device('bo', '192.0.2.42');
  return { site, net, anna, bo };
}

/** A telephone rings, and is busy. */
async function isBusy({ net }: World, phone: Telephone): Promise<void> {
  expect(await rings(net, phone)).toBe(true);
  phone.respond(phone.request('INVITE'), 486);
}

/** A telephone rings, and its person presses these keys; the dialog of that person. */
async function answers({ net }: World, phone: Telephone, keys: string) {
  expect(await rings(net, phone)).toBe(true);
  return phone.answeredTalk(await takes(net, phone, keys));
}

interface Journey {
  readonly steps: readonly Step[];
  readonly hasQueue?: true;
  readonly goes: (world: World) => Promise<void>;
}

const JOURNEYS: Readonly<Record<string, Journey>> = {
  'two people answer, and the first to accept mistakes the PIN and clears': {
    steps: [
      'roundStarted',
      'ringing',
      'answered',
      'deviceJoined',
      'accepted',
      'taken',
      'doorRefused',
      'cleared',
    ],
    async goes(world) {
      const { site, net, anna, bo } = world;
      const together = { steps: [{ entries: [entry('anna', { pin: '4711' }), entry('bo')] }] };
      await raisesAlarm(site, net, 'scaip', { emergencyCallList: together });
      await answers(world, bo, '');
      await answers(world, anna, '1');
      await presses(net, anna, '*1234#00');
    },
  },
  'one person is busy, one refuses, one hangs up, in two rounds': {
    steps: ['notReached', 'refused', 'notAccepted', 'paused', 'unanswered'],
    async goes(world) {
      const { site, net, anna, bo } = world;
      const emergencyCallList = { ...listOf('anna', 'bo', 'anna'), rounds: 2, pause: 5_000 };
      const { unit } = await raisesAlarm(site, net, 'scaip', { emergencyCallList });
      await isBusy(world, anna);
      await answers(world, bo, '9');
      anna.inDialog(await answers(world, anna, ''), 'BYE');
      for (const phone of [anna, bo, anna]) await isBusy(world, phone);
      await net.after(1_000);
      answersMessages(unit);
    },
  },
  'the person who had accepted hangs up, the next one is cut off, and the device leaves': {
    steps: ['left', 'lost', 'deviceLeft'],
    async goes(world) {
      const { site, net, anna } = world;
      const fields = { emergencyCallList: listOf('anna'), arcDisconnectClearsCall: false };
      const { unit, talk } = await raisesAlarm(site, net, 'scaip', fields);
      anna.inDialog(await answers(world, anna, '1'), 'BYE');
      const cutOff = { headers: [['Reason', 'Q.850;cause=38;text="Network out of order"']] } as const;
      anna.inDialog(await answers(world, anna, '1'), 'BYE', cutOff);
      if (talk !== undefined) unit.inDialog(talk, 'BYE');
      await net.after(1_000);
    },
  },
  'the application ends an alarm while a person rings': {
    steps: ['stopped'],
    async goes({ site, net, anna }) {
      site.bridge({
        destinationMatch: '^here$',
        defaultEmergencyDestination: 'sip:arc@care.example',
        emergencyCallList: listOf('anna'),
      });
      const proof = { authType: 'deviceid', digest: undefined };
      sendsScaip(await net.device('unit', '192.0.2.30', proof, false), '<crd>no-voice:</crd>');
      await net.pump();
      expect(await rings(net, anna)).toBe(true);
      const reported = site.posted.find(({ call }) => call.path === '/newAlarmbridgeEvent');
      void site.runtime.commands.command(String(reported?.body.sessionId), { command: 'clearDown' });
      await net.after(1_000);
    },
  },
  'a greeting answers for a person whose answer accepts': {
    steps: ['accepted', 'machine'],
    async goes(world) {
      const { site, net, anna } = world;
      const steps = [{ entries: [entry('anna', { accept: 'answer' })] }];
      await raisesAlarm(site, net, 'scaip', { emergencyCallList: { steps } });
      await answers(world, anna, '');
      const greeting = joined(speech(5_000), quiet(500));
      anna.audio.say(greeting);
      await net.after(greeting.length / 8, 500);
    },
  },
  'no person accepts, and the alarm waits in the alarm queue': {
    steps: ['queued'],
    hasQueue: true,
    async goes(world) {
      const { site, net, anna } = world;
      await raisesAlarm(site, net, 'scaip', { emergencyCallList: { ...listOf('anna'), rounds: 1 } });
      await isBusy(world, anna);
      await net.after(1_000);
    },
  },
};

it.each(Object.entries(JOURNEYS))(
  '%s: the application gets each step',
  async (_, { steps, hasQueue, goes }) => {
    const world = await begins(hasQueue === true);
    await goes(world);
    const bodies = world.site.posted
      .filter(({ call }) => call.path === '/emergencyProgress')
      .map(({ body }) => emergencyProgressSchema.parse(body));
    expect(bodies.map(({ step }) => step)).toEqual(expect.arrayContaining([...steps]));
  },
);

it('no step of the contract is without a journey', () => {
  const brought = new Set(Object.values(JOURNEYS).flatMap(({ steps }) => steps));
  expect(emergencyProgressSchema.shape.step.options.filter((step) => !brought.has(step))).toEqual([]);
});
