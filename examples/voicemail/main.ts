import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFlow, end, enterIvr, recordAfter, say } from '#sdk/js/src/flow/index.ts';
import { client, domain, serve } from '../kit.ts';

/* Voicemail: a caller of `switchboard` hears a greeting, speaks, and the message lies in this folder as a WAV file. */

const names = new Map<string, string>();

const flow = createFlow('greeting', {
  greeting: {
    command: ({ sessionId }) => {
      const fileName = `voicemail/${sessionId}.wav`;
      names.set(sessionId, fileName);
      return recordAfter([say('Please speak after the tone, and press hash.')], {
        ...{ fileName, beep: true, finishOnKey: '#' },
        ...{ maxDuration: 120, silenceTimeout: 5 },
      });
    },
    next: () => 'thanks',
  },
  thanks: { command: () => end([say('Thank you. Goodbye.')]) },
});

await serve({
  newCall: () => enterIvr(),
  getIvrCommand: flow,
  callEvent: () => ({ action: 'drop' }),
  recordingReady: async ({ recordingFileName, fileSize, reason }) => {
    if (reason !== undefined) return console.log(`no message: ${reason}`);
    const file = recordingFileName.replaceAll('/', '-');
    // The URL is signed and opens the file for a while.
    const { url } = await client.call('getMediaserviceByDomainPromptfileByFilenameUrl', {
      domain,
      filename: recordingFileName,
    });
    const answer = await fetch(url);
    if (answer.body !== null) await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file));
    console.log(`message ${file} of ${fileSize} bytes`);
  },
});
