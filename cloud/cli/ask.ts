import { setTimeout as wait } from 'node:timers/promises';
import { noAnswerReason } from '#shared/http/index.ts';

export interface Access {
  /** `{base_url}`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** `refused`: the cloud said no. `unreachable`: it said nothing. */
export type Answer =
  | { readonly kind: 'answered'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

const TRIES = 3;
const PAUSE_MS = 500;
const LONGEST_PAUSE_S = 60;

/** One GET. Waits as long as the cloud asks for, and tries again what failed on the way. */
export async function get({ baseUrl, token }: Access, path: string): Promise<Answer> {
  let reason = '';
  for (let tried = 0; tried < TRIES; ) {
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as Record<string, unknown>;
      if (response.ok) return { kind: 'answered', body };
      if (response.status === 429) {
        const seconds = Math.min(Number(response.headers.get('Retry-After') ?? 1), LONGEST_PAUSE_S);
        await wait(seconds * 1000);
        continue;
      }
      return { kind: 'refused', status: response.status, reason: String(body.reason ?? response.statusText) };
    } catch (cause) {
      reason = noAnswerReason(cause);
      tried += 1;
      await wait(PAUSE_MS * tried);
    }
  }
  return { kind: 'unreachable', reason };
}
