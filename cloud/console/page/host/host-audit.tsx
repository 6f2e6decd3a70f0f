import { api } from '../../client/api.ts';
import { Ago } from '../../part/age.tsx';
import { Head } from '../../part/head.tsx';
import { More, usePages } from '../../part/more.tsx';
import { Stale } from '../../part/notice.tsx';
import type { HostPath } from './host-detail.ts';

/** The entries of the audit log about this host. */
export function HostAudit({ path }: { readonly path: HostPath }) {
  const paged = usePages(
    async (nextToken) => {
      const answer = await api.call('getSiteByDomainBySiteIdHostByHostIdAudit', {
        ...path,
        limit: '20',
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      if (!answer.ok) return answer;
      return { ok: true, value: { items: answer.value.entries, nextToken: answer.value.nextToken } };
    },
    [path.domain, path.siteId, path.hostId],
  );
  const { items, failure, loading } = paged.value;
  return (
    <section>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <p class="dim none">No operation was recorded yet.</p>
      )}
      {items.length > 0 && (
        <table class="small">
          <Head columns={['When', 'Who', 'What']} />
          <tbody>
            {items.map(({ seq, at, actor, address, action, detail }) => (
              <tr key={seq}>
                <td>
                  <Ago at={at} />
                </td>
                <td>
                  {actor}
                  <div class="dim">{address}</div>
                </td>
                <td>
                  <details>
                    <summary>{action}</summary>
                    <pre>{JSON.stringify(detail, null, 2)}</pre>
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <More paged={paged.value} />
    </section>
  );
}
