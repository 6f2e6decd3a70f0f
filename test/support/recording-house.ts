import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SoundAdapters } from '#appliance/call/sound/index.ts';
import { readReplyId } from '#appliance/delivery/callback/index.ts';
import { parseSdp } from '#appliance/sip/sdp/index.ts';
import { replicatedRecordingServiceSchema } from '#shared/contract/provisioning/index.ts';
import type { RecordingRequest } from '#shared/contract/runtime/index.ts';
import { answered, testAppliance } from './appliance.ts';
import { must } from './media.ts';
import { type TestSoundOptions, testSound } from './sound.ts';
import { type Talk, telephones } from './telephone.ts';

/** Metadata of two participants with a stream each. */
export const METADATA = readFileSync(join(import.meta.dirname, '../vectors/siprec/complete.xml'), 'utf8');

/** Streams of a recording client, a port each; 0: there is none. */
export const description = (ports: readonly number[] = [4_000, 4_010], version = 1): string =>
  [
    'v=0',
    `o=- 1 ${version} IN IP4 192.0.2.30`,
    's=-',
    'c=IN IP4 192.0.2.30',
    't=0 0',
    ...ports.flatMap((port, index) => [`m=audio ${port} RTP/AVP 8`, 'a=sendonly', `a=label:${96 + index}`]),
    '',
  ].join('\r\n');

/** Description and metadata as one body, `multipart/mixed;boundary=b`. */
export const multipart = (metadata = METADATA, sdp = description()): string =>
  [
    '--b',
    'Content-Type: application/sdp',
    '',
    sdp,
    '--b',
    'Content-Type: application/rs-metadata+xml',
    'Content-Disposition: recording-session',
    '',
    metadata,
    '--b--',
    '',
  ].join('\r\n');

/** A whole appliance with a recording service, real sound threads, a recording client and an application that decides. */
export async function recordingHouse(
  more: Partial<SoundAdapters> = {},
  { recognisers }: Pick<TestSoundOptions, 'recognisers'> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-siprec-'));
  const threads = testSound({
    folder,
    allowPrivate: ['127.0.0.0/8'],
    ...(recognisers && { recognisers }),
  });
  const queue = {
    tell: () => undefined,
    urlOf: (kind: string) => `mqtts://box-1.example:8883/cmd/care.example/${kind}`,
  };
  const appliance = await testAppliance({ folder, sound: { ...threads.adapters, ...more }, queue });
  const service = { name: 'Recorder', destinationMatch: '^rec$', callbackBaseUrl: 'https://app.example/rec' };
  appliance.tenant.put(
    'callrecording',
    'rec-1',
    replicatedRecordingServiceSchema.parse({ id: 'rec-1', ...service }),
  );
  const application = {
    /** Answer of newCall. */
    decision: {
      startFileRecording: { recordingReferenceId: { case: '17' } },
      sessionReferenceId: { a: 1 },
    } as unknown,
  };
  appliance.answerBy(({ call }) => answered(call.path === '/newCall' ? application.decision : {}));
  const net = telephones(appliance);
  const client = await net.device('src', '192.0.2.30');
  const second = appliance.media.phone({ host: '192.0.2.30', port: 4_010 });
  const callbacksOf = (path?: string) =>
    appliance.posted.filter(({ call }) => path === undefined || call.path === path).map(({ body }) => body);
  const events = () => callbacksOf().map(({ event }) => event ?? 'newCall');
  const begin = (metadata?: string) =>
    client.invite('rec', net.pump, {
      sdp: multipart(metadata),
      contentType: 'multipart/mixed;boundary=b',
      // RFC 7866 6.1.1.
      headers: [['Require', 'siprec']],
    });
  return {
    folder,
    threads,
    appliance,
    application,
    net,
    client,
    second,
    told: callbacksOf,
    events,
    begin,
    /** The session stands; both streams go where the answer says. */
    async opened(): Promise<Talk> {
      const talk = await begin();
      const ok = client.response(200);
      client.acknowledge(talk, ok);
      const { media } = must(parseSdp(ok.body));
      const directions = media.map(({ direction, port }) => (port > 0 ? direction : 'refused'));
      if (directions.join() !== 'recvonly,recvonly') throw new Error(`the answer is ${directions.join()}`);
      second.talkTo(media[1]?.port ?? 0);
      await net.pump();
      return talk;
    },
    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 400) {
        await net.after(Math.min(left, 400), 100);
        await threads.caughtUp();
      }
    },
    /** The newest callback of this path, once there are so many. */
    async received(path: string, times = 1): Promise<Record<string, unknown>> {
      const deadline = Date.now() + 30_000;
      while (callbacksOf(path).length < times) {
        if (Date.now() > deadline) throw new Error(`no ${path}; told ${events().join(', ')}`);
        await net.after(100, 100);
      }
      return callbacksOf(path).at(-1) ?? {};
    },
    async hangsUp(talk: Talk): Promise<void> {
      client.inDialog(talk, 'BYE');
      await net.pump();
      client.response(200, 'BYE');
    },
    /** A command as the doors bring it, the handle read. */
    operate(command: string, body: Record<string, unknown>) {
      const { domain } = appliance.tenant;
      const claims = must(
        readReplyId(
          String(body.replyId),
          { domain, wallMs: appliance.clock.wallMs(), maxAgeS: 604_800 },
          () => true,
        ),
      );
      const { session, refers } = claims;
      const recordings = appliance.runtime.recordings;
      if (recordings === undefined) throw new Error('nothing records here');
      return recordings.operate({ command, body } as unknown as RecordingRequest, { session, refers });
    },
    async close(): Promise<void> {
      await appliance.close(true);
      await threads.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type RecordingHouse = Awaited<ReturnType<typeof recordingHouse>>;
