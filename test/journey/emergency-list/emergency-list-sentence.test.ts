import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sentenceText } from '#appliance/alarm/people/sentence-text.ts';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import { fail } from '#shared/result.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { testSound } from '#test/support/sound.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { entry, raisesAlarm, rings, takes } from './people.ts';

/*
 * People hear who needs help after the key only: an answering machine must not keep it.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let sound: ReturnType<typeof testSound>;
let folder: string;
/** Texts that were to be spoken, with their languages. */
let spoken: string[];

beforeEach(async () => {
  spoken = [];
  folder = mkdtempSync(join(tmpdir(), 'carillon-people-'));
  sound = testSound({ folder });
  const prompts: SoundAdapters['prompts'] = {
    ...sound.adapters.prompts,
    prepare: async (source) => {
      if (source.kind === 'tts') spoken.push(`${source.lang}: ${source.text}`);
      return fail('NoVoice', 'this test has no voice');
    },
  };
  site = await testAppliance({ sound: { ...sound.adapters, prompts } });
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  anna = await net.device('anna', '192.0.2.41');
});

afterEach(async () => {
  await site.close();
  await sound.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['sv-SE', 'sv'],
  ['de', 'de'],
  ['xx', 'en'],
])('says nothing about the device before the key, in %s', async (language, lang) => {
  const list = { steps: [{ entries: [entry('anna', { language })] }] };
  await raisesAlarm(site, net, 'scaip', { emergencyCallList: list, customerSiteId: 'north' });
  await rings(net, anna);
  await takes(net, anna);
  const nothing = { device: '', site: undefined, status: '', location: undefined };
  const { text } = sentenceText('announce', language, nothing);
  const before = spoken.filter((each) => !each.includes(sentenceText('wait', 'en', nothing).text));
  expect(before).toEqual([`${lang}: ${text}`]);
  expect(before.join(' ')).not.toMatch(/unit|north|alarm manual/);
  anna.audio.press('1');
  await net.after(2_000);
  expect(spoken.at(-1)).toContain('unit');
  expect(spoken.at(-1)).toContain('north');
});

it('lets the device hear a calm sentence while it waits', async () => {
  const list = { steps: [{ entries: [entry('anna')] }] };
  await raisesAlarm(site, net, 'bs8521', { emergencyCallList: list });
  await rings(net, anna);
  await net.after(2_000);
  expect(spoken.some((each) => each.includes('Please stay calm'))).toBe(true);
});
