import { fail, ok } from '#shared/result.ts';
import type { CallbackClient, PostRequest, PostResult } from '../../io/http/index.ts';
import type { Exchange } from '../exchange/judgement.ts';
import type { Step } from '../situation/index.ts';
import { carried, renegotiate, reset, type Trust } from './wire.ts';

/** The requests of one step on their way: what the network does to them, and what the application answered. */
export interface RehearsedNetwork {
  readonly post: (request: PostRequest) => Promise<PostResult>;
  readonly exchanges: readonly Exchange[];
  /** Resolves when the application has answered the request with this Idempotency-Key, the network having let it pass. */
  readonly answered: (key: string) => Promise<void>;
  /** Authorization of the last request. */
  readonly lastToken: () => string | undefined;
  /** No further request leaves: a record that was refused would be tried again behind the next situation. */
  readonly close: () => void;
}

export interface NetworkOptions {
  readonly client: CallbackClient;
  readonly trust: Trust;
  /** Authorization of the step before. */
  readonly tokenBefore: string | undefined;
}

const KEY = 'idempotency-key';

export function rehearsedNetwork(
  step: Step,
  { client, trust, tokenBefore }: NetworkOptions,
): RehearsedNetwork {
  const exchanges: Exchange[] = [];
  const attempts = new Map<string, number>();
  const ends = new Map<string, PromiseWithResolvers<void>>();
  let lastToken: string | undefined;
  let isClosed = false;
  let requests = 0;
  const endOf = (key: string): PromiseWithResolvers<void> => {
    const known = ends.get(key) ?? Promise.withResolvers<void>();
    ends.set(key, known);
    return known;
  };

  const send = async (request: PostRequest): Promise<PostResult> => {
    const { carried: form } = step;
    if (form === 'redialled') await renegotiate(request, trust);
    if (form === undefined || form === 'redialled') return await client.postJson(request);
    return await carried(form, request, trust);
  };

  return {
    exchanges,
    lastToken: () => lastToken,
    close: () => {
      isClosed = true;
    },
    answered: (key) => endOf(key).promise,
    post: async (given) => {
      if (isClosed) return fail('unreachable', 'the situation is over');
      if (++requests <= (step.outage ?? 0)) return fail('unreachable', 'the network is down, as rehearsed');
      const request = changed(given, step, tokenBefore);
      const key = request.headers[KEY] ?? '';
      const attempt = attempts.get(key) ?? 0;
      attempts.set(key, attempt + 1);
      const fault = step.network?.[attempt];
      if (fault === 'silent') return fail('timeout', 'the time is over, as rehearsed');
      if (fault === 'reset') {
        await reset(request, trust);
        return fail('connectionLost', 'the connection is reset, as rehearsed');
      }
      lastToken = request.headers.authorization;
      const beganMs = performance.now();
      const answer = await send(request);
      exchanges.push({ answer, tookMs: performance.now() - beganMs });
      if (fault === 'error') return ok({ status: 500, headers: {}, body: '' });
      endOf(key).resolve();
      return answer;
    },
  };
}

/** The request as it arrives: with another token, another type of content or another body than it was signed with. */
function changed(request: PostRequest, step: Step, tokenBefore: string | undefined): PostRequest {
  const { authorization, ...rest } = request.headers;
  const token = step.signed === 'nothing' ? undefined : step.signed === 'again' ? tokenBefore : authorization;
  return {
    ...request,
    headers: {
      ...rest,
      ...(token !== undefined && { authorization: token }),
      ...(step.contentType !== undefined && { 'content-type': step.contentType }),
    },
    body: step.body === 'changed' ? request.body.replaceAll('rehearsal-unit', 'another-unit') : request.body,
  };
}
