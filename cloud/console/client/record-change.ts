import { useEffect } from 'react';
import { notify } from './change.ts';

/** The step of questions while the stream of records is away. */
const STEP_MS = 5_000;
/** A browser comes back by itself, but for a refusal. */
const AGAIN_MS = 30_000;

/**
 * Follows the records of a tenant (`GET /record/{domain}/stream`) as long as the page is shown; each event counts as news of the
 * topic `record`. Without the stream the page asks every few seconds.
 */
export function useRecordChanges(domain: string): void {
  useEffect(() => {
    if (domain === '') return undefined;
    let stream: EventSource | undefined;
    let later: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      stream = new EventSource(`/record/${encodeURIComponent(domain)}/stream`);
      for (const event of ['record', 'reset']) stream.addEventListener(event, () => notify(['record']));
      stream.addEventListener('error', () => {
        if (stream?.readyState === EventSource.CLOSED) later = setTimeout(open, AGAIN_MS);
      });
    };
    open();
    const timer = setInterval(() => {
      if (stream?.readyState !== EventSource.OPEN) notify(['record']);
    }, STEP_MS);
    return () => {
      clearTimeout(later);
      clearInterval(timer);
      stream?.close();
    };
  }, [domain]);
}
