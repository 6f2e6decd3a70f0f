import { eventually, recordAnAlarm, type Stage, speaks } from './stage.ts';
import type { Task } from './walk.ts';

const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** A device whose alarm fails, and one whose alarm no person takes. */
const FAILING = 'scaip-0003';
const UNTAKEN = 'scaip-0005';
/** The receiver of the SCAIP devices of the demo. */
const RECEIVER = 'demo-scaip';

/** Questions of an alarm receiving centre: is everyone safe, what happened, and what is to be done now. */
export function lookTasks(stage: Stage): readonly Task[] {
  const { demo, application, alarm, records } = stage;
  const { call } = demo.open;
  const domain = demo.there('domain');
  return [
    {
      number: 1,
      name: 'Is everyone safe right now?',
      most: 1,
      walk: async (hand) => {
        await hand.sees('All are online.');
        await hand.sees('Open incidents');
      },
    },
    {
      number: 2,
      name: 'What happened to the alarm of ten minutes ago?',
      most: 3,
      before: async () => {
        await alarm('scaip-0007');
        await alarm('scaip-0008');
        await alarm('scaip-0009');
      },
      walk: async (hand) => {
        await hand.open('scaip-0007');
        await hand.sees('Timeline');
        await hand.sees('picked by');
        await hand.sees('Done');
      },
    },
    {
      number: 3,
      name: 'Why did the alarm of this device fail?',
      before: async () => {
        application.stumbles.add(FAILING);
        await alarm(FAILING);
        // The host acknowledged the alarm; the application had no person for it, and no person spoke with the device.
        await eventually('the alarm has failed', async () =>
          (await records(`deviceId=${FAILING}&kind=alarm`)).some(({ result }) => result === 'unanswered'),
        );
        application.stumbles.clear();
      },
      walk: async (hand) => {
        await hand.go('Devices');
        await hand.fill('Find a device by the beginning of its id', FAILING);
        await hand.pressIn(FAILING, 'Health and sessions');
        await hand.open('Not answered');
        await hand.sees('Timeline');
        await hand.sees('500');
      },
    },
    {
      number: 4,
      name: 'Hear the recording of an alarm',
      before: () => recordAnAlarm(stage),
      walk: async (hand) => {
        await hand.go('Recordings');
        await hand.open('demo-analogue');
        await hand.press('Listen');
        await hand.until("(document.querySelector('audio')?.currentTime ?? 0) > 0.5");
      },
    },
    {
      number: 5,
      name: 'Redeliver a callback that failed',
      before: async () => {
        application.isWell = false;
        await alarm('scaip-0004');
        // The platform's own alarm about it is refused sooner: the application is well again only when the receiver has its dead letter.
        await eventually('a callback of the receiver is given up', async () => {
          const { endpoints = [] } = await call('GET', `/delivery/${domain}`);
          return (endpoints as readonly { name?: string; dead: number }[]).some(
            ({ name, dead }) => name === RECEIVER && dead > 0,
          );
        });
        application.isWell = true;
      },
      walk: async (hand) => {
        const before = application.taken.length;
        await hand.go('Deliveries');
        await hand.open(RECEIVER);
        await hand.pressFirst('Redeliver all');
        await hand.sees('tried again.');
        await hand.world('the application has it', async () => application.taken.length > before);
      },
    },
    {
      number: 10,
      name: 'Who takes this number, and why?',
      walk: async (hand) => {
        await hand.go('Taker of a destination');
        await hand.fill('Number, account or name', 'scaip');
        await hand.press('Show');
        await hand.sees('demo-scaip takes scaip');
        await hand.sees('does not match');
      },
    },
    {
      number: 13,
      name: 'Take an alarm that no person took',
      before: async () => {
        const absent = `sip:expert@${domain}`;
        await stage.receiver('Night list', 'night', {
          ...speaks(stage, absent),
          emergencyCallList: { steps: [{ entries: [{ destination: absent }] }], rounds: 1 },
        });
        await alarm(UNTAKEN, '--receiver', 'night');
        await eventually('the alarm waits for a person', async () => {
          const { alarms = [] } = await call('GET', `/alarmqueue/${domain}`);
          return (alarms as readonly unknown[]).length > 0;
        });
      },
      walk: async (hand) => {
        await hand.go('Alarm queue');
        await hand.open(UNTAKEN);
        await hand.press('Take it without a call');
        await hand.sees('You have this alarm');
        await hand.press('Clear and hang up');
        await hand.sees('The alarm is closed.');
      },
    },
    {
      number: 14,
      name: 'What did we use last month?',
      before: async () => stage.usedLastMonth(1_234),
      walk: async (hand) => {
        const now = new Date();
        const month = MONTH.format(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
        await hand.go('Usage');
        await hand.seesRow(month, '1,234');
      },
    },
  ];
}
