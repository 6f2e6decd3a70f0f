import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Started } from '#test/examples/started.ts';
import { openReader, type Reader } from './support/reader.ts';

/* The lines of the page "The first site", typed as they stand there: a site with two hosts, one of which dies. */

const FIRST = 'docs/start/first-alarm.md';
const SITE = 'docs/start/first-site.md';
const WITHIN_MS = 600_000;

let reader: Reader;
let application: Started;
beforeAll(async () => {
  reader = openReader('linked');
  const demo = reader.type(reader.block(FIRST, 'npm start'));
  await demo.says(/Ctrl-C/, WITHIN_MS);
  application = reader.type(reader.block(FIRST, 'npm run example'));
  await application.says(/takes callbacks at/, WITHIN_MS);
}, 1_300_000);
afterAll(async () => {
  await reader?.close();
}, WITHIN_MS);

/** A question to the API, in a terminal that has the three facts. */
const ask = (words: string): Started => reader.type(reader.block(FIRST, 'TOKEN='), reader.block(SITE, words));

/** Starts a host by the line of the page, with the claim that the page has made. */
async function host(claiming: string, command: string): Promise<Started> {
  const [, code = ''] = await ask(claiming).says(/"claimCode":"(\w[\w-]*)"/, WITHIN_MS);
  return reader.type(reader.block(SITE, command).replace('CODE', code));
}

async function online(names: readonly string[]): Promise<void> {
  const isOnline = async (): Promise<boolean[]> => {
    const question = ask('Bearer $TOKEN" "$API/site/$DOMAIN"');
    await question.ended;
    const hosts = JSON.parse(question.text()).data.site as { hostId: string; status: string }[];
    // On a machine that others use too a host may be degraded, which serves as well.
    return names.map((name) =>
      /online|degraded/.test(hosts.find(({ hostId }) => hostId === name)?.status ?? ''),
    );
  };
  await expect.poll(isOnline, { timeout: WITHIN_MS, interval: 2_000 }).toEqual(names.map(() => true));
}

it('has an alarm through each host, and goes on with an open alarm when its host dies', async () => {
  const first = await host('"hostId":"north-1"', '--data .carillon/north-1 ');
  await online(['north-1']);
  await host('"hostId":"north-2"', '--data .carillon/north-2 ');
  await online(['north-1', 'north-2']);
  const alarms = reader.type(reader.block(SITE, '--to 127.0.0.1:25060'));
  await alarms.says(/1 of 1 alarms acknowledged[\s\S]*1 of 1 alarms acknowledged/, WITHIN_MS);
  await application.says(/^alarm (?:.*\n)*alarm /m, WITHIN_MS);

  const open = reader.type(reader.block(SITE, '--device scaip-0003'));
  await open.says(/1 of 1 alarms acknowledged/, WITHIN_MS);
  await first.stop('SIGQUIT');
  await application.says(
    /^the platform reports .*"(?:voiceCallMissing|callbackFailed)".*"siteId":"north"/m,
    WITHIN_MS,
  );
  const hostOfIt = async (): Promise<unknown> => {
    const question = ask('"$API/record/$DOMAIN?limit=1"');
    await question.ended;
    const [{ deviceId, hostId }] = JSON.parse(question.text()).records;
    return { deviceId, hostId };
  };
  await expect
    .poll(hostOfIt, { timeout: WITHIN_MS, interval: 2_000 })
    .toEqual({ deviceId: 'scaip-0003', hostId: 'north-2' });
}, 1_800_000);
