import { Trans, useLingui } from '@lingui/react/macro';
import type { Input, Operations } from '#shared/client/index.ts';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { words } from '../../component/form/schema.ts';
import { Head } from '../../component/head.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { type Kind, operationOf } from './kind.ts';

/** The pages of objects that name others. */
const PAGES = { alarmbridge: 'bridge', alarmeventmapper: 'sender', protocolprofile: 'profile' } as const;
/** Every kind that others name has this operation, with the same answer. */
type Asked = 'getProvisioningAlarmeventmapperByAlarmEventMapperIdReferrer';
export type Referrer = Operations[Asked]['answer']['referrers'][number];

/** The objects that name this one, drafts among them. */
export function useReferrers(kind: Kind, id: string | undefined) {
  const name = operationOf(kind, 'get', true, 'Referrer') as Asked;
  const input = { domain: domain.value, [kind.id]: id ?? '' } as unknown as Input<Asked>;
  return useAnswer(name, input, { enabled: kind.isReferred === true && id !== undefined });
}

/** Each object that names this one, with a link and its field: a change here changes what they do. */
export function UsedBy({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { t } = useLingui();
  const { data, error } = useReferrers(kind, id);
  if (kind.isReferred !== true) return null;
  const kinds = {
    alarmbridge: t`Alarm receiver`,
    alarmeventmapper: t`Event sender`,
    protocolprofile: t`Protocol profile`,
  };
  return (
    <section className="used-by">
      <h2>
        <Trans>Where it is used</Trans>
      </h2>
      <ErrorNotice failure={error?.failure} />
      {data?.referrers.length === 0 && (
        <p className="dim">
          <Trans>No object names it, so that it has no effect. It can be removed.</Trans>
        </p>
      )}
      {data !== undefined && data.referrers.length > 0 && (
        <table className="small">
          <Head columns={[t`Object`, t`Kind`, t`Field`]} />
          <tbody>
            {data.referrers.map(({ entity, id: of, name, path, draft }) => (
              <tr key={`${entity} ${of} ${path} ${draft}`}>
                <td>
                  <PageLink page={PAGES[entity]} rest={draft ? `draft/${of}` : of}>
                    {name}
                  </PageLink>{' '}
                  {draft && (
                    <span className="chip">
                      <Trans>Draft</Trans>
                    </span>
                  )}
                </td>
                <td>{kinds[entity]}</td>
                <td>{words(path.split('/').at(-1) ?? path)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
