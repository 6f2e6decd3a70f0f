import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { IvrCommand } from '#sdk/js/src/contract/api.codes.ts';
import { end, enterIvr, say } from '#sdk/js/src/flow/index.ts';

/*
 * An assistant that understands what a caller says. The platform turns speech into text by a recogniser that the host names; here
 * it is this file itself, which knows how long a caller has spoken and no more. Put your own program in its place.
 *
 *   npm run example voice-assistant setting              # writes recognisers.json
 *   npm start -- --callback http://localhost:3000        # with CARILLON_RECOGNISERS=recognisers.json
 *   npm run example voice-assistant
 */

const SAMPLES_PER_S = 8_000;
const HEADER_BYTES = 44;
/** Louder than this is speech, as a sample of 16 bits. */
const LOUD = 1_000;
/** Seconds from which on an utterance is long. */
const LONG_S = 2;

/** Writes the file of recognisers, for a host on this machine. */
function setting(): void {
  const command = [process.execPath, resolve(import.meta.filename), 'recognise'];
  writeFileSync('recognisers.json', JSON.stringify([{ id: 'example', kind: 'exec', command }], undefined, 2));
  console.log('wrote recognisers.json');
}

/** The recogniser: a WAV file on the standard input, JSON on the standard output. */
async function recognise(): Promise<void> {
  const wav = await buffer(process.stdin);
  let [first, last] = [-1, -1];
  for (let at = HEADER_BYTES; at + 1 < wav.length; at += 2) {
    if (Math.abs(wav.readInt16LE(at)) < LOUD) continue;
    if (first < 0) first = at;
    last = at;
  }
  const seconds = (last - first) / 2 / SAMPLES_PER_S;
  const text = first < 0 ? '' : seconds < LONG_S ? 'short' : 'long';
  console.log(JSON.stringify({ text, confidence: 0.8 }));
}

/** A question, and what the answer leads to without a request in between. */
const dialogue = (): IvrCommand[] => [
  {
    name: 'question',
    phrases: [say('Please tell me what has happened.')],
    speech: { language: 'en', endSilence: 1_000, firstSpeechTimeout: 8_000 },
    dtmf: { maxDigits: 1 },
    next: { long: 'thanks', short: 'more', digits: 'ask', error: 'ask', default: 'louder' },
  },
  {
    name: 'more',
    phrases: [say('Please say a little more.')],
    speech: { language: 'en' },
    next: { default: 'thanks' },
  },
  { name: 'louder', phrases: [say('I have not heard you.')], next: { default: 'question' } },
  { name: 'thanks', phrases: [say('Thank you, I have understood.')], next: { default: 'ask' } },
];

async function assist(): Promise<void> {
  const { serve } = await import('../kit.ts');
  await serve({
    newCall: () => enterIvr(),
    getIvrCommand: ({ lastCommandResult, dtmfParams, speechParams }) => {
      if (lastCommandResult === undefined) return dialogue();
      for (const { name, speechParams: heard } of lastCommandResult.steps ?? [])
        if (heard !== undefined) console.log(`${name}: ${heard.reason} ${heard.text ?? heard.error ?? ''}`);
      if (dtmfParams !== undefined) console.log(`key ${dtmfParams.dtmfMatch}`);
      // The caller is not left with a recogniser that does not work.
      if (speechParams?.reason === 'error') return end([say('A person will call you back.')]);
      return end([say('Goodbye.')]);
    },
    callEvent: () => ({ action: 'drop' }),
  });
}

const [mode] = process.argv.slice(2).filter((word) => word === 'setting' || word === 'recognise');
if (mode === 'setting') setting();
else if (mode === 'recognise') await recognise();
else await assist();
