import type { CallbackCopy, Listened, ListenedAnswer, Listening } from '#shared/contract/site/index.ts';
import { noAnswerReason } from '#shared/http/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { eventsIn, type Login } from '../operator/index.ts';

/** A listening, and by how much the clock of this machine is ahead of that of the control plane, seconds; whole seconds are known. */
interface Opened {
  readonly listening: Listening;
  readonly aheadS: number;
}

/** The operations of a listening at the control plane. */
export interface ListenApi {
  readonly open: (request: { hours: number; filter?: string; answers: boolean }) => Promise<Opened>;
  readonly close: (listenId: string) => Promise<void>;
  /** Resolves once the control plane sends: what is asked from then on comes here. */
  readonly events: (listenId: string) => Promise<AsyncIterable<Listened>>;
  readonly copies: (
    listenId: string,
    traceId: string,
  ) => Promise<readonly (CallbackCopy & { readonly hostId: string })[]>;
  readonly answer: (listenId: string, answer: ListenedAnswer) => Promise<void>;
}

/** Speaks with the control plane; every failure is a `Stop` that says what to mend. */
export function listenApi({ cloud, token }: Login, domain: string, over: AbortSignal): ListenApi {
  const base = `${cloud}/listening/${encodeURIComponent(domain)}`;
  const ask = async (
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((cause: unknown) => {
      throw new Stop(
        exitCode.tryAgain,
        `The control plane does not answer at ${cloud}: ${noAnswerReason(cause)}.`,
      );
    });
    if (!answer.ok) await refused(answer);
    return answer;
  };
  return {
    open: async (request) => {
      const answer = await ask('POST', '', request);
      // Absent behind a proxy that removes it: then the clocks are not compared.
      const theirs = Date.parse(answer.headers.get('date') ?? '');
      const aheadS = Number.isNaN(theirs) ? 0 : Math.round((Date.now() - theirs) / 1_000);
      const { listening } = (await answer.json()) as { listening: Listening };
      return { listening, aheadS };
    },
    close: async (listenId) => void (await ask('DELETE', `/${listenId}`)),
    copies: async (listenId, traceId) => {
      const answer = await ask('GET', `/${listenId}/copy/${encodeURIComponent(traceId)}`);
      return ((await answer.json()) as { copies: (CallbackCopy & { hostId: string })[] }).copies;
    },
    answer: async (listenId, answer) => void (await ask('POST', `/${listenId}/answer`, answer)),
    events: async (listenId) => listened(await ask('GET', `/${listenId}/event`, undefined, over)),
  };
}

async function* listened({ body }: Response): AsyncGenerator<Listened> {
  if (body === null) return;
  for await (const { id = '', event, data } of eventsIn(body))
    yield { id, event, data: JSON.parse(data) } as Listened;
}

async function refused(answer: Response): Promise<never> {
  const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string };
  const sentence = reason ?? `The control plane answered ${answer.status}.`;
  if (answer.status === 403)
    throw new Stop(
      exitCode.notPermitted,
      `${sentence} carillon listen needs the scope listen and the role admin.`,
    );
  if (answer.status === 401) throw new Stop(exitCode.notPermitted, sentence);
  throw new Stop(answer.status === 503 ? exitCode.tryAgain : exitCode.refused, sentence);
}
