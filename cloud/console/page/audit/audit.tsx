import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Empty, Stale } from '../../component/notice.tsx';

/** The entries of the audit log, newest first. */
export function AuditPage() {
  const paged = usePages(
    async (nextToken) => {
      const answer = await api.call('getProvisioningAudit', {
        domain: domain.value,
        order: 'newest',
        limit: '50',
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.entries, nextToken: answer.value.nextToken } };
    },
    [domain.value],
  );
  const { items, failure, loading } = paged;
  return (
    <>
      <header className="page">
        <h1>Audit</h1>
        <p className="dim flat">
          Every change, chained by hashes. <code>carillon audit verify</code> proves that none was altered or
          removed.
        </p>
      </header>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && <Empty>No change was recorded yet.</Empty>}
      {items.length > 0 && (
        <table>
          <Head columns={['No.', 'When', 'Who', 'What']} />
          <tbody>
            {items.map((entry) => (
              <tr key={entry.seq}>
                <td className="number">{entry.seq}</td>
                <td>
                  <Ago at={entry.at} />
                </td>
                <td>
                  {entry.actor}
                  <div className="dim">{entry.address}</div>
                </td>
                <td>
                  <details>
                    <summary>
                      {entry.action} {entry.entity} <strong>{entry.entityId}</strong>
                    </summary>
                    <pre>{JSON.stringify(entry.detail, null, 2)}</pre>
                    <p className="dim">
                      Request {entry.requestId}, hash <code>{entry.hash.slice(0, 16)}…</code>
                    </p>
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More paged={paged} />
    </>
  );
}
