import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import type { rewrite } from './pattern.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const MOST = 12;

/** A replacement of the calling number, as it is typed, on the numbers that called in the last 30 days. */
export function RewriteTest({
  match,
  replacement,
}: {
  readonly match: string;
  readonly replacement: string;
}) {
  const { t } = useLingui();
  const [tool, setTool] = useState<{ readonly rewrite: typeof rewrite }>();
  const [from] = useState(() => String(serverNow() - DAYS * DAY_MS));
  const isWritten = match !== '' && replacement !== '';
  const asked = useAnswer('getRecordByDomainSeen', { domain: domain.value, from }, { enabled: isWritten });
  useEffect(() => void import('./pattern.ts').then(setTool), []);
  if (tool === undefined || !isWritten) return null;
  const compiled = tool.rewrite(match, replacement);
  if (!compiled.ok)
    return (
      <p className="refused" role="status">
        {compiled.error.reason}
      </p>
    );
  const callers = (asked.data?.seen.seen ?? []).filter(({ role }) => role === 'from');
  return (
    <details className="form-group pattern-test" open>
      <summary>
        <Trans>Test the replacement</Trans>
      </summary>
      {callers.length === 0 ? (
        <p className="dim">
          <Trans>No number called in the last 30 days. The first calls and alarms fill this list.</Trans>
        </p>
      ) : (
        <table className="small">
          <Head columns={[t`Caller`, t`Shown as`, t`Last`]} />
          <tbody>
            {callers.slice(0, MOST).map(({ value, lastAt }) => (
              <tr key={value}>
                <td>
                  <code>{value}</code>
                </td>
                <td>
                  <Shown before={value} after={compiled.value(value)} />
                </td>
                <td>
                  <Ago at={lastAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

const Shown = ({ before, after }: { readonly before: string; readonly after: string }) =>
  before === after ? (
    <span className="dim">
      <Trans>as it is</Trans>
    </span>
  ) : (
    <code>{after}</code>
  );
