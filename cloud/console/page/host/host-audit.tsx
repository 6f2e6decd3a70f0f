import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import type { HostPath } from '../../client/host-detail.ts';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Stale } from '../../component/notice.tsx';
import { Actor } from '../../component/revision/actor.tsx';
import { Differences } from '../../component/revision/difference.tsx';
import { actionName } from '../../component/wording/audit-words.ts';
import { detailChanges } from '../../text/field-change.ts';

/** The entries of the audit log about this host. */
export function HostAudit({ path }: { readonly path: HostPath }) {
  const { t } = useLingui();
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
  const { items, failure, loading } = paged;
  return (
    <section>
      <Stale failure={failure} at={0} />
      {!loading && items.length === 0 && failure === undefined && (
        <p className="dim none">
          <Trans>No operation was recorded yet.</Trans>
        </p>
      )}
      {items.length > 0 && (
        <CardTable columns={[t`When`, t`Who`, t`What`]}>
          <tbody>
            {items.map(({ seq, at, actor, address, action, detail, entityId }) => (
              <tr key={seq}>
                <td>
                  <Ago at={at} />
                </td>
                <td>
                  {actor === `host:${entityId}` ? t`the host itself` : <Actor of={actor} />}
                  <div className="dim">{address}</div>
                </td>
                <td>
                  <Act action={action} detail={detail} />
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      <More paged={paged} />
    </section>
  );
}

/** The action, and the fields that it changed. */
function Act({ action, detail }: { readonly action: string; readonly detail?: unknown }) {
  const { i18n } = useLingui();
  const name = i18n._(actionName(action));
  const changes = detailChanges(detail);
  if (changes.length === 0) return name;
  return (
    <details>
      <summary>{name}</summary>
      <Differences of={changes} />
    </details>
  );
}
