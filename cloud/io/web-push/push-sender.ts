import type { Push, PushSender } from '#cloud/alarm-queue/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { CallbackClient } from '../callback/index.ts';
import type { SenderKey } from '../key/index.ts';
import { encryptPush, messageRandom } from './encryption.ts';

export interface PushSenderPort {
  readonly key: SenderKey;
  /** Checks addresses as for callbacks: https, no redirects, private networks only by setting. */
  readonly post: CallbackClient['post'];
  readonly random: (length: number) => Uint8Array;
  readonly nowMs: () => number;
}

/** A push service that is silent for so long counts as failed: the alarm rings elsewhere. */
const TIMEOUT_MS = 10_000;

/** Sends messages to push services (RFC 8030 5), encrypted for the browser (RFC 8291) and signed (RFC 8292). */
export function pushSender({ key, post, random, nowMs }: PushSenderPort): PushSender {
  const encrypted = (push: Push): Uint8Array | undefined => {
    try {
      return encryptPush(push.text, push.keys, messageRandom(random));
    } catch {
      return undefined;
    }
  };
  return async (push) => {
    const body = encrypted(push);
    if (body === undefined) return fail('cannotEncrypt', 'the key of the browser is no point of P-256');
    const answer = await post({
      url: push.endpoint,
      headers: {
        Authorization: await key.authorization(new URL(push.endpoint).origin, nowMs()),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(push.ttlS),
        Urgency: 'high',
        Topic: push.topic,
      },
      body,
      timeoutMs: TIMEOUT_MS,
    });
    return answer.ok ? ok(answer.value.status) : answer;
  };
}
