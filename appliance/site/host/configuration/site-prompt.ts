import type { ConfigFault } from '#shared/contract/feed/index.ts';
import type { FeedSource, ModelChange, TenantModel } from '../../../replica/index.ts';
import type { PromptBytes } from '../site-port.ts';

/**
 * The bytes of the prompt files that a change names, and of those an accident took from the disk. Undefined: all are here;
 * a text: why to try again later; else what is wrong with a file.
 */
export async function bringPrompts(
  bytes: PromptBytes | undefined,
  feed: FeedSource,
  tenant: TenantModel,
  changes: readonly ModelChange[],
): Promise<undefined | string | ConfigFault> {
  const coming = changes.flatMap((one) =>
    one.op === 'put' && one.entity === 'promptfile' ? [one.body] : [],
  );
  const brought = await bytes?.bring([...coming, ...tenant.promptFiles], feed);
  if (brought === undefined || brought.ok) return undefined;
  const { code, reason, path = '' } = brought.error;
  return code === 'unreachable' ? reason : { code, path, msg: reason };
}
