import type { DemoConsole } from './demo-console.ts';
import type { Task } from './walk.ts';

/** An application that a person can make refuse, and mend. */
export interface Application {
  isWell: boolean;
}

/** Questions of an alarm receiving centre; each task begins at the overview, with a person signed in. */
export function tasksOf(demo: DemoConsole, application: Application): readonly Task[] {
  return [
    {
      name: 'Is everyone safe right now?',
      most: 0,
      walk: (hand) => hand.sees('All are online.'),
    },
    {
      name: 'What happened to the alarm of ten minutes ago?',
      most: 3,
      walk: async (hand) => {
        await hand.click('main table.newest tbody tr:last-child a');
        await hand.sees('Timeline');
        await hand.sees('picked by');
      },
    },
    {
      name: 'Hear the recording of an alarm',
      most: 3,
      before: () => recordAnAlarm(demo),
      walk: async (hand) => {
        await hand.go('Recordings');
        await hand.click('main [role=row] a[href*="/recording/"]');
        await hand.click('.player button');
        await hand.until("document.querySelector('audio')?.duration > 1");
      },
    },
    {
      name: 'Redeliver a callback that failed',
      most: 4,
      before: async () => {
        application.isWell = false;
        await demo.simulate('scaip', '--domain', demo.there('domain'), '--talk', '0');
        await deadLetter(demo);
        application.isWell = true;
      },
      walk: async (hand) => {
        await hand.go('Deliveries');
        await hand.click('main table.deliveries ::-p-xpath((//tr[.//*[contains(., "dead")]]//a)[1])');
        await hand.click('dialog ::-p-xpath(//button[contains(., "Redeliver all")])');
        await hand.until('/callbacks? (is|are) tried again/.test(document.body.innerText)');
      },
    },
    {
      name: 'Who takes this number, and why?',
      most: 2,
      walk: async (hand) => {
        await hand.go('Taker of a destination');
        await hand.fill('destination', 'scaip');
        await hand.press('Show');
        await hand.sees('demo-scaip takes scaip');
        await hand.sees('does not match');
      },
    },
  ];
}

async function recordAnAlarm({ open, there, simulate, password }: DemoConsole): Promise<void> {
  const all = `/provisioning/alarmbridge/${there('domain')}`;
  const bridges = (await open.call('GET', all)).alarmbridges as readonly { id: string; protocol: string }[];
  const tones = bridges.find(({ protocol }) => protocol === 'bs8521');
  await open.call('PATCH', `${all}/${tones?.id}`, { auditRecording: true });
  const isRecorded = async (): Promise<boolean> => {
    await simulate('tone', '--password', password, '--talk', '3');
    const { records } = await open.call('GET', `/record/${there('domain')}?recording=true`);
    return (records as readonly unknown[]).length > 0;
  };
  await eventually(isRecorded);
}

const deadLetter = ({ open, there }: DemoConsole): Promise<void> =>
  eventually(async () => {
    const { endpoints = [] } = await open.call('GET', `/delivery/${there('domain')}`);
    return (endpoints as readonly { dead: number }[]).some(({ dead }) => dead > 0);
  });

const LONGEST_MS = 120_000;

async function eventually(is: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (!(await is())) {
    if (performance.now() > end)
      throw new Error('the demo did not come to the state that a task begins with');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
