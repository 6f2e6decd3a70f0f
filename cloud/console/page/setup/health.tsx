import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Badge } from '../../component/badge.tsx';

const DAY_MS = 86_400_000;
const EVERY_MS = 30_000;

/** Sessions of one receiver in 24 h. */
interface Day {
  readonly sessions: number;
  readonly failed: number;
}

/** Sessions and failed sessions of each receiver in the last 24 h; undefined: not answered yet. */
export function useErrors(isAsked: boolean): ReadonlyMap<string, Day> | undefined {
  const [from] = useState(() => String(serverNow() - DAY_MS));
  const { data } = useAnswer(
    'getRecordByDomainFigure',
    { domain: domain.value, from },
    { everyMs: EVERY_MS, enabled: isAsked },
  );
  if (data === undefined) return undefined;
  const days = new Map<string, Day>();
  for (const { receiver, sessions, failedSessions } of data.figure.endpoints) {
    const before = days.get(receiver) ?? { sessions: 0, failed: 0 };
    days.set(receiver, { sessions: before.sessions + sessions, failed: before.failed + failedSessions });
  }
  return days;
}

/** How many of the sessions have failed: a receiver without one is quiet, not good. */
export function Errors({
  of,
  id,
}: {
  readonly of: ReadonlyMap<string, Day> | undefined;
  readonly id: string;
}) {
  const { t } = useLingui();
  if (of === undefined) return <span className="dim">…</span>;
  const { sessions, failed } = of.get(id) ?? { sessions: 0, failed: 0 };
  if (sessions === 0)
    return (
      <span className="dim">
        <Trans>no session</Trans>
      </span>
    );
  return (
    <Badge
      word={failed === 0 ? 'passed' : 'failed'}
      text={failed === 0 ? t`none of ${sessions}` : t`${failed} of ${sessions}`}
    />
  );
}
