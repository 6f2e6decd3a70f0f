import { type FeedAsk, feedAnswerSchema } from '#shared/contract/peer/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { FeedSource, Fetched } from '../../../replica/index.ts';
import { keysIn } from './edge-client.ts';
import { openPage } from './page.ts';

/**
 * Configuration by way of the other hosts of the site: a host that reaches the cloud asks it for us. `ask` gives the answer of
 * one of them, undefined = none did. No host is trusted: twin and manifests are signed, pages are known by their hash.
 */
export function peerSource(ask: (asked: FeedAsk) => Promise<unknown>): FeedSource {
  const text = async (asked: FeedAsk): Promise<Fetched<string>> => {
    const answer = feedAnswerSchema.safeParse(await ask(asked)).data;
    if (answer?.text !== undefined) return ok(answer.text);
    if (answer?.notModified === true) return fail('notModified', 'nothing newer');
    return fail('unreachable', 'no other host of the site reaches the control plane');
  };
  return {
    twin: () => text({ v: 1, ask: 'twin' }),
    manifest: (scope, since) => text({ v: 1, ask: 'manifest', scope, since }),
    keys: async () => {
      const keys = await text({ v: 1, ask: 'keys' });
      return keys.ok ? keysIn(keys.value) : keys;
    },
    page: async (page) => {
      const packed = await text({ v: 1, ask: 'page', sha256: page.sha256 });
      return packed.ok ? await openPage(Buffer.from(packed.value, 'base64'), page) : packed;
    },
  };
}
