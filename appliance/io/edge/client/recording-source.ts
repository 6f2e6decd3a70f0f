import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { FoundRecording } from '../../../media/recording/index.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

/** Chosen: a caller hears silence meanwhile. */
const LOOK_MS = 5_000;
/** No byte for so long: the line is dead. */
const SILENCE_MS = 60_000;

/** Recordings of the tenant at the control plane, and by way of it at hosts of other sites. */
export interface RecordingSource {
  /** Asks whether there is one of that name. The control plane audits the read when the bytes are asked for. */
  readonly find: (fileName: string) => Promise<Result<FoundRecording, Failure<'notFound' | 'unreachable'>>>;
}

/** The edge listener of the control plane, by client certificate. An older control plane answers 404 as one without the file. */
export function openRecordingSource({
  certificatePem: cert,
  keyPem: key,
  caPem: ca,
  edgeUrl,
}: HostIdentity): RecordingSource {
  const connect = { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity } as const;
  const addressOf = (fileName: string, more = {}) =>
    `${edgeUrl}/edge/v1/recording?${new URLSearchParams({ name: fileName, ...more })}`;

  async function open(fileName: string): ReturnType<FoundRecording['open']> {
    const dispatcher = new Agent({ connect, connections: 1, bodyTimeout: SILENCE_MS });
    try {
      const answer = await request(addressOf(fileName), { dispatcher });
      if (answer.statusCode === 200) {
        answer.body.once('close', () => void dispatcher.destroy());
        return ok(Readable.toWeb(answer.body) as ReadableStream<Uint8Array>);
      }
      await answer.body.dump();
      await dispatcher.destroy();
      return fail('unreachable', `the control plane answered ${answer.statusCode}`);
    } catch (error) {
      await dispatcher.destroy();
      return fail('unreachable', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    async find(fileName) {
      const dispatcher = new Agent({ connect, connections: 1 });
      try {
        const signal = AbortSignal.timeout(LOOK_MS);
        const answer = await request(addressOf(fileName, { look: 'true' }), { dispatcher, signal });
        if (answer.statusCode === 404) {
          await answer.body.dump();
          return fail('notFound', `the control plane knows no recording ${fileName}`);
        }
        const { size } = (await answer.body.json()) as { readonly size?: unknown };
        return answer.statusCode === 200 && typeof size === 'number'
          ? ok({ sizeBytes: size, open: () => open(fileName) })
          : fail('unreachable', `the control plane answered ${answer.statusCode}`);
      } catch (error) {
        return fail('unreachable', error instanceof Error ? error.message : String(error));
      } finally {
        await dispatcher.destroy();
      }
    },
  };
}
