import { open, rename, rm } from 'node:fs/promises';
import { Agent } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { systemResolve } from '../egress/index.ts';
import { type CallbackClientSetting, checkUrl, failureCode, policyOf } from './callback-client.ts';
import type { PostFailureCode } from './callback-request.ts';
import { checkedConnector, shared } from './checked-connect.ts';

export interface DownloadLimit {
  readonly mostBytes: number;
  /** From the look-up to the last byte. */
  readonly withinMs: number;
}

/** A file by its address: stands at `path`, synced, when all of it came, and not before. Resolves with its bytes; never throws. */
export type Download = (
  url: string,
  path: string,
  limit: DownloadLimit,
) => Promise<Result<number, Failure<PostFailureCode | 'disk'>>>;

/** The way out for files: https, checked addresses, no redirects, bounded in bytes and time. */
export const downloader =
  (setting: CallbackClientSetting): Download =>
  async (url, path, limit) => {
    const policy = policyOf(setting);
    const target = checkUrl(url, policy);
    if (!target.ok) return target;
    const agent = new Agent({
      connect: checkedConnector(policy, shared(setting.resolve ?? systemResolve), setting.extraCas ?? []),
      // The time of the request covers every phase.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const coming = `${path}.coming`;
    try {
      const bytes = await fetched(agent, target.value, coming, limit);
      if (bytes.ok) await rename(coming, path);
      return bytes;
    } catch (thrown) {
      const { name, message, code } = thrown as NodeJS.ErrnoException;
      const what = message || code || name;
      if (name === 'TimeoutError') return fail('timeout', `${target.value.origin}: not whole in time`);
      if (code === 'ENOSPC' || code === 'EDQUOT') return fail('disk', `${path}: ${what}`);
      return fail(failureCode(thrown), `${target.value.origin}: ${what}`);
    } finally {
      await rm(coming, { force: true });
      await agent.destroy();
    }
  };

async function fetched(
  agent: Agent,
  url: URL,
  coming: string,
  { mostBytes, withinMs }: DownloadLimit,
): Promise<Result<number, Failure<PostFailureCode>>> {
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(withinMs),
  });
  if (answer.statusCode !== 200) {
    answer.body.on('error', () => undefined).destroy();
    const moved = answer.statusCode >= 300 && answer.statusCode < 400;
    return moved
      ? fail('redirectRefused', `${url.href} answered ${answer.statusCode}; redirects are not followed`)
      : fail('unreachable', `${url.href} answered ${answer.statusCode}`);
  }
  let bytes = 0;
  const file = await open(coming, 'w', 0o600);
  try {
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostBytes) return fail('tooLarge', `${url.href} is larger than ${mostBytes} bytes`);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return ok(bytes);
}
