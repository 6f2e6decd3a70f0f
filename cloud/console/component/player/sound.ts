import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { domain } from '../../client/session.ts';

/** Larger recordings are played part by part as they are heard, without a waveform: it needs all of the bytes. */
const WAVEFORM_BYTES = 24 * 1024 * 1024;

/** A file that a player plays. */
export type Sound =
  | { readonly kind: 'whole'; readonly url: string; readonly blob: Blob }
  | { readonly kind: 'parts'; readonly url: string };

/** The address of a file in the API; the session of the person opens it. */
export const soundAddress = (name: string): string =>
  `/mediaservice/${encodeURIComponent(domain.value)}/promptfile/${encodeURIComponent(name)}`;

/** Fetches a file to be heard. The audit log names the person from here on. */
export async function openSound(name: string): Promise<Result<Sound, CallFailure>> {
  const url = soundAddress(name);
  const failed = (reason: string, status?: number) => ({
    ok: false as const,
    error: { code: 'failed', reason, ...(status === undefined ? {} : { status }) } as CallFailure,
  });
  try {
    const answer = await fetch(url, { credentials: 'same-origin' });
    if (!answer.ok) {
      const { reason } = (await answer.json()) as { readonly reason?: string };
      return failed(reason ?? `HTTP ${answer.status}`, answer.status);
    }
    if (Number(answer.headers.get('Content-Length')) > WAVEFORM_BYTES) {
      await answer.body?.cancel();
      return { ok: true, value: { kind: 'parts', url } };
    }
    const blob = await answer.blob();
    return { ok: true, value: { kind: 'whole', url: URL.createObjectURL(blob), blob } };
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message : String(cause));
  }
}
