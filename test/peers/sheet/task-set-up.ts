import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from 'puppeteer-core';
import { Hand } from './hand.ts';
import type { Stage } from './stage.ts';
import type { Task } from './walk.ts';

const RECEIVER = 'Alarms of the west wing';
const COLLEAGUE = { email: 'eve@care.example', password: 'a horse in the battery' };
const PROMPT = 'night';
/** Every so many-th row of the import is wrong. */
const WRONG_EACH = 50;

/** Everything that is set up: receivers, devices, people and prompts. */
export function setUpTasks(stage: Stage, devices: number): readonly Task[] {
  const { demo, alarm, reached } = stage;
  const { call, page } = demo.open;
  const domain = demo.there('domain');
  return [
    {
      number: 6,
      name: 'A new receiver, from nothing to its first alarm',
      mostSeconds: 120,
      walk: async (hand) => {
        await hand.go('Alarm receivers');
        await hand.press('Create an alarm receiver');
        await hand.choose('Protocol', 'SCAIP');
        await hand.fill('Name', RECEIVER);
        await hand.fill('Destination match', '^west$');
        await hand.fill('Callback base URL', stage.address);
        await hand.sees('The control plane would take it.');
        await hand.press('Save');
        await hand.sees('Errors, 24 h');
        await reached();
        await hand.world('the device is heard', () => alarm('scaip-0002', '--receiver', 'west'));
        await hand.seesRow(RECEIVER, ' ago');
      },
    },
    {
      number: 7,
      name: 'Add a device and see that it works',
      walk: async (hand) => {
        await hand.go('Devices');
        await hand.press('Step by step to its first alarm');
        await hand.choose('It takes the alarms of the device', 'demo-scaip');
        await hand.fill('Id of the device', 'room-12');
        await hand.press('Create the device');
        await hand.sees('Waiting for the device.');
        const password = await hand.read(/--password '([^']+)'/);
        await reached();
        await hand.world('the device is heard', () => alarm('room-12', '--password', password));
        await hand.sees('The alarm of the device has arrived, and your application has taken it.');
        await hand.press('room-12');
        await hand.sees('Last sessions');
      },
    },
    {
      number: 8,
      name: `Import ${devices.toLocaleString('en')} devices with errors in them`,
      walk: async (hand) => {
        const wrong = stage.file('devices.csv', devicesCsv(devices, true));
        const right = stage.file('corrected.csv', devicesCsv(devices, false));
        const refused = join(demo.folder, 'devices-refused.csv');
        const session = await saveInto(page, demo.folder);
        const count = (number: number): string => number.toLocaleString('en');
        await hand.go('Devices');
        await hand.press('Import from CSV');
        await hand.upload('CSV file', wrong);
        await hand.press('Look at it first');
        const good = devices - Math.ceil(devices / WRONG_EACH);
        await hand.sees(`${count(good)} of ${count(devices)} devices would be in.`);
        await hand.press('Save the refused rows as a file');
        await hand.world('the file is saved', async () => existsSync(refused));
        await session.detach();
        const rows = readFileSync(refused, 'utf8').trimEnd().split('\r\n');
        if (rows.length !== devices - good + 1) throw new Error(`the file has ${rows.length} rows`);
        await hand.upload('CSV file', right);
        await hand.press('Look at it first');
        await hand.press(`Import ${count(devices)} devices`);
        await hand.sees(`${count(devices)} of ${count(devices)} devices are in.`);
      },
    },
    {
      number: 9,
      name: 'Change a receiver, see the difference, undo it',
      walk: async (hand) => {
        const description = async (): Promise<unknown> => {
          const { alarmbridges } = await call('GET', `/provisioning/alarmbridge/${domain}`);
          const all = alarmbridges as readonly { readonly name: string; readonly description?: string }[];
          return all.find(({ name }) => name === 'demo-dc09')?.description;
        };
        const before = await description();
        await hand.go('Alarm receivers');
        await hand.open('demo-dc09');
        await hand.fill('Description', 'Panels of the night shift');
        await hand.sees('The control plane would take it.');
        await hand.press('Save');
        await hand.sees('Errors, 24 h');
        await hand.open('demo-dc09');
        await hand.sees('History');
        await hand.pressWith('Description');
        await hand.sees('Panels of the night shift');
        await hand.press('Undo this change');
        await hand.press('Go back to this version');
        await hand.world('it is as before', async () => (await description()) === before);
        await hand.until(
          `[...document.querySelectorAll('input')].some(({ value }) => value === ${JSON.stringify(before)})`,
        );
      },
    },
    {
      number: 12,
      name: 'Invite a colleague with the right role',
      walk: async (hand) => {
        await hand.go('People and keys');
        await hand.fill('Invite a person', COLLEAGUE.email);
        await hand.choose('Role', 'Operator');
        await hand.press('Create the link');
        const link = await hand.read(/^(https?:\/\/\S+)$/m);
        await hand.look();
        const context = await page.browser().createBrowserContext();
        const theirs = await context.newPage();
        await theirs.goto(link);
        await accept(new Hand(theirs));
        await context.close();
      },
    },
    {
      number: 15,
      name: 'Record, replace and hear a prompt',
      walk: async (hand) => {
        const file = `${PROMPT}.wav`;
        const changed = async (): Promise<unknown> => {
          const { files = [] } = await call('GET', `/mediaservice/${domain}/promptfile`);
          const all = files as readonly { readonly name: string; readonly updatedAt: number }[];
          return all.find(({ name }) => name === file)?.updatedAt;
        };
        await hand.go('Prompts');
        await hand.press('Record it with the microphone');
        await hand.press('Begin');
        await hand.sees('Recording: 1 s');
        await hand.press('Stop');
        await hand.fill('Name of the prompt', PROMPT);
        await hand.press('Store it');
        await hand.seesRow(file);
        const first = await changed();
        await hand.pressIn(file, 'Replace');
        await hand.pressIn(file, 'Record it with the microphone');
        await hand.pressIn(file, 'Begin');
        await hand.sees('Recording: 1 s');
        await hand.pressIn(file, 'Stop');
        await hand.pressIn(file, 'Store it');
        await hand.world('it is replaced', async () => (await changed()) !== first);
        await hand.pressIn(file, 'Hear it');
        await hand.pressIn(file, 'Listen');
        await hand.until("(document.querySelector('main tr audio')?.currentTime ?? 0) > 0.3");
      },
    },
  ];
}

/** The person who was invited, with nothing but the link: an account, and a place at the alarm queue. */
async function accept(hand: Hand): Promise<void> {
  await hand.fill('Password (at least 8 characters)', COLLEAGUE.password);
  await hand.press('Set up');
  await hand.press('Sign in');
  await hand.sees('No account yet?');
  await hand.fill('E-mail address', COLLEAGUE.email);
  await hand.fill('Password', COLLEAGUE.password);
  await hand.press('Sign in');
  await hand.go('Alarm queue');
  await hand.sees('Alarm queue');
  await hand.go('Alarm receivers');
  await hand.sees('Your role reads here.');
}

/** Where the browser puts what it saves, until the session is detached. */
async function saveInto(page: Hand['page'], downloadPath: string): Promise<CDPSession> {
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath });
  return session;
}

/** A file of so many devices; every 50th row has an encryption that does not exist. */
const devicesCsv = (count: number, isWrong: boolean): string =>
  `deviceId,authType,srtp\n${Array.from({ length: count }, (_, at) =>
    [`flat-${at}`, 'deviceid', isWrong && at % WRONG_EACH === 0 ? 'sometimes' : 'negotiated'].join(','),
  ).join('\n')}\n`;
