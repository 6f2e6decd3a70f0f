import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

/** The answer to a file: status, and its text as far as a log line takes it. */
export interface FileAnswer {
  readonly status: number;
  readonly text: string;
}

const MOST_TEXT = 500;

/** Sends a file to the edge listener with the certificate of this host. `silenceMs`: a line without a byte for so long is dead. */
export async function putFile(
  { certificatePem: cert, keyPem: key, caPem: ca }: HostIdentity,
  url: string,
  path: string,
  silenceMs: number,
): Promise<Result<FileAnswer, Failure<'unreachable'>>> {
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
    bodyTimeout: silenceMs,
    headersTimeout: silenceMs,
  });
  try {
    const { size } = await stat(path);
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
    const answer = await request(url, { dispatcher, method: 'PUT', headers, body: createReadStream(path) });
    return ok({ status: answer.statusCode, text: (await answer.body.text()).slice(0, MOST_TEXT) });
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
