import { Agent, request } from 'undici';
import { type ReplicatedPromptFile, replicatedPromptFileSchema } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';
import { saveFile } from './save-file.ts';

/** Prompt files and recordings as the control plane has them now, by name; for a file that is not here yet. */
export interface PromptFileSource {
  /** `notFound`: the control plane has none of that name. */
  readonly row: (
    name: string,
    signal: AbortSignal,
  ) => Promise<Result<ReplicatedPromptFile, Failure<'notFound' | 'unreachable'>>>;
  readonly save: (
    file: Pick<ReplicatedPromptFile, 'sha256' | 'size'>,
    path: string,
  ) => ReturnType<typeof saveFile>;
  /** Ends its connections. */
  readonly close: () => Promise<void>;
}

/** The edge listener of the control plane, by client certificate. */
export function openPromptFileSource({
  certificatePem: cert,
  keyPem: key,
  caPem: ca,
  edgeUrl,
}: HostIdentity): PromptFileSource {
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
    connections: 1,
  });
  return {
    async row(name, signal) {
      try {
        const url = `${edgeUrl}/edge/v1/promptfile?${new URLSearchParams({ name })}`;
        const answer = await request(url, { dispatcher, signal });
        const text = await answer.body.text();
        if (answer.statusCode === 404) return fail('notFound', `there is no file ${name}`);
        const row =
          answer.statusCode === 200 ? replicatedPromptFileSchema.safeParse(parsed(text)) : undefined;
        return row?.success === true
          ? ok(row.data)
          : fail('unreachable', `the control plane answered ${answer.statusCode}`);
      } catch (error) {
        return fail('unreachable', error instanceof Error ? error.message : String(error));
      }
    },
    save: (file, path) => saveFile(dispatcher, `${edgeUrl}/edge/v1/blob/${file.sha256}`, file, path),
    close: () => dispatcher.destroy(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
