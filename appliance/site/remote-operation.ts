import type { RemoteRequest } from '#shared/contract/feed/index.ts';

/** The answer of an operation; a refusal is a value like any other. */
export type RemoteAnswer =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly code: string; readonly reason: string };

/** One request of the cloud; `args` are judged by whoever does it. */
export type RemoteOperation = (
  request: Pick<RemoteRequest, 'args' | 'by'>,
) => RemoteAnswer | Promise<RemoteAnswer>;
