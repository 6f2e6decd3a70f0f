import type { Page } from 'puppeteer-core';
import { PERSON } from '../support/console-browser.ts';
import { type Effort, Hand, PACE_TEXT, personSeconds } from './hand.ts';

/** A task of a person, from the sign-in to its result. */
export interface Task {
  /** Its number in the list of tasks of the console. */
  readonly number: number;
  readonly name: string;
  /** Clicks that it may take, the one of the sign-in among them; absent: they are only counted. */
  readonly most?: number;
  /** Seconds that a person may need by the model; absent: they are only counted. */
  readonly mostSeconds?: number;
  /** Happens in the world before the person begins. */
  readonly before?: () => Promise<unknown>;
  readonly walk: (hand: Hand) => Promise<unknown>;
}

/** The way that a task took. */
export interface Walked extends Effort {
  readonly number: number;
  readonly name: string;
  /** Time of a person, by the model. */
  readonly personSeconds: number;
  /** Time of the machine, from the sign-in on. */
  readonly seconds: number;
  /** The reason why it did not come to its result within its limits. */
  readonly fault?: string;
}

const NOTHING: Effort = { clicks: 0, fields: 0, characters: 0, pages: 0 };

/** Walks a task as a person who is not signed in yet; a fault is a result, so that the tasks behind it are walked too. */
export async function walkTask(page: Page, api: string, task: Task): Promise<Walked> {
  const { number, name } = task;
  try {
    await task.before?.();
  } catch (cause) {
    const fault = `not begun: ${(cause as Error).message}`;
    return { number, name, ...NOTHING, personSeconds: 0, seconds: 0, fault };
  }
  const hand = new Hand(page);
  await forgetPerson(page, api);
  const began = performance.now();
  const fault = await walkFrom(hand, api, task)
    .then(() => undefined)
    .catch((cause: Error) => `${hand.now}: ${cause.message.split('\n')[0]}`);
  const seconds = (performance.now() - began) / 1_000;
  const { clicks, fields, characters, pages } = hand;
  const effort = { clicks, fields, characters, pages };
  const walked = { number, name, ...effort, personSeconds: personSeconds(effort), seconds };
  return { ...walked, ...judged(task, walked, fault) };
}

/** The browser of a person who was never here. */
async function forgetPerson(page: Page, api: string): Promise<void> {
  await page.goto('about:blank');
  const session = await page.createCDPSession();
  await session.send('Network.clearBrowserCookies');
  await session.send('Storage.clearDataForOrigin', { origin: api, storageTypes: 'all' });
  await session.detach();
}

async function walkFrom(hand: Hand, api: string, task: Task): Promise<void> {
  await hand.page.goto(`${api}/console/`);
  await hand.fill('E-mail address', PERSON.email);
  await hand.fill('Password', PERSON.password);
  await hand.press('Sign in');
  await hand.sees('Overview');
  await task.walk(hand);
  await hand.look();
}

function judged({ most, mostSeconds }: Task, walked: Omit<Walked, 'fault'>, fault: string | undefined) {
  if (fault !== undefined) return { fault };
  if (most !== undefined && walked.clicks > most) return { fault: `more than ${most} clicks` };
  if (mostSeconds !== undefined && walked.personSeconds > mostSeconds)
    return { fault: `more than ${mostSeconds} s of a person` };
  return {};
}

/** The table of the tasks, as a document takes it, with the model behind it. */
export const tableOf = (all: readonly Walked[]): string =>
  [
    '| No. | Task | Clicks | Fields | Characters | Pages | Person, s | Machine, s | Result |',
    '|---|---|---|---|---|---|---|---|---|',
    ...all.map((each) =>
      [
        '',
        ...[each.number, each.name, each.clicks, each.fields, each.characters, each.pages],
        ...[each.personSeconds.toFixed(0), each.seconds.toFixed(1), each.fault ?? 'done'],
        '',
      ]
        .join(' | ')
        .trim(),
    ),
    '',
    `Each task begins at the sign-in. ${PACE_TEXT}`,
  ].join('\n');
