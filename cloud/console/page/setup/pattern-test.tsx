import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import type { compile } from './pattern.ts';
import { judged } from './seen.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const MOST = 12;

/** A pattern, as it is typed, over the destinations of the last 30 days and over one that a person types. */
export function PatternTest({ pattern }: { readonly pattern: string }) {
  const { t, i18n } = useLingui();
  const [tool, setTool] = useState<{ readonly compile: typeof compile }>();
  const [tried, setTried] = useState('');
  const [from] = useState(() => String(serverNow() - DAYS * DAY_MS));
  const asked = useAnswer('getRecordByDomainSeen', { domain: domain.value, from });
  useEffect(() => void import('./pattern.ts').then(setTool), []);
  if (tool === undefined || pattern === '') return null;
  const compiled = tool.compile(pattern);
  if (!compiled.ok)
    return (
      <p className="refused" role="status">
        {compiled.error.reason}
      </p>
    );
  const rows = judged(asked.data?.seen.seen ?? [], compiled.value.test);
  const hits = rows.filter(({ isMatch }) => isMatch).length;
  return (
    <details className="form-group pattern-test" open>
      <summary>
        <Trans>Test the pattern</Trans>
      </summary>
      <label>
        <Trans>Number or name</Trans>
        <input value={tried} onChange={(event) => setTried(event.currentTarget.value.trim())} />
      </label>
      <output>
        {tried === '' ? '' : compiled.value.test(tried) ? t`It matches.` : t`It does not match.`}
      </output>
      {rows.length === 0 ? (
        <p className="dim">
          <Trans>
            No destination was called in the last 30 days. The first calls and alarms fill this list.
          </Trans>
        </p>
      ) : (
        <>
          <p className="dim">
            <Trans>
              {hits} of {rows.length} destinations of the last 30 days match.
            </Trans>
          </p>
          <table className="small">
            <Head columns={[t`Destination`, t`Matches`, t`Amount`, t`Last`]} />
            <tbody>
              {rows.slice(0, MOST).map(({ value, isMatch, amount, lastAt }) => (
                <tr key={value}>
                  <td>
                    <code>{value}</code>
                  </td>
                  <td>{isMatch ? <strong>{t`✓ yes`}</strong> : <span className="dim">{t`no`}</span>}</td>
                  <td>{i18n.number(amount)}</td>
                  <td>
                    <Ago at={lastAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
}
