import { writeFile } from 'node:fs/promises';
import { client, domain, serve } from '../kit.ts';

/* A recorder: every SIPREC session to `recorder` becomes a WAV file here, beside the metadata that says who speaks in it. */

const metadata = new Map<string, string>();

await serve({
  'callrecording/newCall': ({ sessionId, recordingId, metaData }) => {
    metadata.set(recordingId, metaData);
    const speakers = [...metaData.matchAll(/aor="([^"]+)"/g)].map(([, aor]) => aor);
    console.log(`session ${sessionId}: ${speakers.join(', ')}`);
    return { startFileRecording: { recordingReferenceId: { sessionId } } };
  },
  'callrecording/recordingReady': async ({ recordingId }) => {
    const id = String(recordingId);
    // The URL is signed and opens the file for a while; the service keeps it for its retention.
    const { url } = await client.call('getMediaserviceByDomainPromptfileByFilenameUrl', {
      domain,
      filename: `callrecording/${id}.wav`,
    });
    const audio = Buffer.from(await (await fetch(url)).arrayBuffer());
    await writeFile(`siprec-${id}.wav`, audio);
    await writeFile(`siprec-${id}.xml`, metadata.get(id) ?? '');
    console.log(`recorded siprec-${id}.wav of ${audio.length} bytes`);
  },
  'callrecording/recordingFailed': (event) => console.log(`failed: ${JSON.stringify(event)}`),
});
