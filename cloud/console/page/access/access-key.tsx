import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';

/** Public keys of programs that sign their own tokens. */
export function Keys() {
  const { t } = useLingui();
  const live = useLive(
    () => api.call('getProvisioningApikey', { domain: domain.value, limit: '100' }),
    [domain.value],
    30_000,
  );
  const { value, at, failure } = live;
  return (
    <section>
      <h2>
        <Trans>API keys</Trans>
      </h2>
      <p className="dim">
        <Trans>Public keys of programs that sign their own tokens.</Trans>
      </p>
      <Stale failure={failure} at={at} />
      {value?.apikeys.length === 0 && (
        <p className="dim">
          <Trans>
            None. <code>carillon key add</code> registers one.
          </Trans>
        </p>
      )}
      {value !== undefined && value.apikeys.length > 0 && (
        <table className="cards">
          <Head columns={[t`Key id`, t`Name`, t`Algorithm`, t`Registered`]} />
          <tbody>
            {value.apikeys.map((key) => (
              <tr key={key.kid}>
                <td>
                  <code>{key.kid}</code>
                </td>
                <td>{key.name}</td>
                <td>{key.alg}</td>
                <td>{key.createdAt !== undefined && <Ago at={key.createdAt} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
