import './wall.css';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { createClient, type Operations } from '#shared/client/index.ts';
import { useNow } from '../../client/live.ts';
import { queueStateWords, waitText } from '../../component/wording/queue-words.ts';

type Shown = Operations['getAlarmqueueByDomainDisplay']['answer'];

const STEP_MS = 1_000;
/** An answer older than that is no picture of now. */
const OLD_MS = 10_000;

/** A display on a wall: how many alarms wait and how long, without a word about a person. The token stands behind the `#`. */
export function Wall({ domain }: { readonly domain: string }) {
  const { i18n: words } = useLingui();
  const now = useNow();
  const [seen, setSeen] = useState<{ readonly shown: Shown; readonly at: number }>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    const client = createClient({
      baseUrl: location.origin,
      token: () => location.hash.slice(1),
      fetch: async (url, { method, headers }) => await fetch(url, { method, headers, credentials: 'omit' }),
    });
    let isAsking = false;
    const look = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      const answer = await client.call('getAlarmqueueByDomainDisplay', { domain });
      isAsking = false;
      if (answer.ok) setSeen({ shown: answer.value, at: Date.now() });
      setFailure(answer.ok ? '' : answer.error.reason);
    };
    void look();
    const timer = setInterval(() => void look(), STEP_MS);
    return () => clearInterval(timer);
  }, [domain]);
  const alarms = seen?.shown.alarms ?? [];
  const waiting = alarms.filter(({ state }) => state !== 'taken');
  const isOld = seen !== undefined && now - seen.at > OLD_MS;
  // The clock of the control plane counts: that of a display may be wrong.
  const offMs = seen === undefined ? 0 : seen.shown.now - seen.at;
  return (
    <main className={waiting.length > 0 ? 'wall has-waiting' : 'wall'}>
      <h1>
        <Trans>Alarm queue</Trans>
      </h1>
      {(failure !== '' || isOld) && (
        <p className="notice bad" role="alert">
          {failure === '' ? <Trans>The control plane does not answer.</Trans> : failure}
        </p>
      )}
      {seen !== undefined && (
        <p className="amount" aria-live="polite">
          {waiting.length}
        </p>
      )}
      {seen !== undefined && (
        <p className="of">
          <Plural value={waiting.length} one="alarm waits" other="alarms wait" />
        </p>
      )}
      <ul className="plain-list">
        {alarms.map(({ state, since, takenAt }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an alarm has no name here
          <li key={index}>
            {waitText(now + offMs - (takenAt ?? since))} {words._(queueStateWords(state))}
          </li>
        ))}
      </ul>
    </main>
  );
}
