import { sessionEnded } from './session.ts';

/** Words of `GET /site/{domain}/{siteId}/host/{hostId}/log`; the client of the API is for answers that come at once. */
interface LogListener {
  /** The lines that it wrote since the last time; `gap`: something before it was missed. */
  readonly onLines: (lines: readonly string[], gap: boolean) => void;
  /** It did not answer; it is asked again. */
  readonly onTrouble: (reason: string) => void;
  /** Nothing more will come, and why; empty: whoever listened has left. */
  readonly onEnd: (reason: string) => void;
}

interface LogPlace {
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
  readonly level: string;
  readonly match: string;
}

/** Follows the log of a host until it ends or the function that is returned is called. */
export function followLog(
  { domain, siteId, hostId, level, match }: LogPlace,
  listener: LogListener,
): () => void {
  const leaving = new AbortController();
  const path = [domain, siteId, 'host', hostId, 'log'].map(encodeURIComponent).join('/');
  const query = new URLSearchParams({ level, ...(match === '' ? {} : { match }) });
  const read = async (): Promise<string> => {
    const answer = await fetch(`/site/${path}?${query}`, {
      signal: leaving.signal,
      credentials: 'same-origin',
    });
    if (answer.status === 401) sessionEnded();
    if (!answer.ok || answer.body === null) {
      const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string };
      return reason ?? `The control plane answered ${answer.status}.`;
    }
    let text = '';
    const words = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await words.read();
      if (done) return 'The connection to the control plane was lost. Follow the log again.';
      text += value;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const over = report(text.slice(0, end), listener);
        if (over !== undefined) return over;
        text = text.slice(end + 2);
      }
    }
  };
  read().then(
    (reason) => listener.onEnd(reason),
    (cause: unknown) =>
      listener.onEnd(leaving.signal.aborted ? '' : `The control plane was not reached: ${String(cause)}`),
  );
  return () => leaving.abort();
}

/** One event; gives why it was the last one. */
function report(block: string, { onLines, onTrouble }: LogListener): string | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = JSON.parse(field('data') ?? '{}') as { lines?: string[]; gap?: boolean; reason?: string };
  switch (field('event')) {
    case 'lines':
      onLines(data.lines ?? [], data.gap === true);
      return undefined;
    case 'trouble':
      onTrouble(data.reason ?? '');
      return undefined;
    case 'over':
      return data.reason ?? '';
    default:
      return undefined;
  }
}
