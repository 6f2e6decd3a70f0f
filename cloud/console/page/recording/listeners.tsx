import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { Actor } from '../../component/revision/actor.tsx';

const STEP_MS = 10_000;

/** Persons, keys and hosts that read a recording, the newest first, as the audit log has them. */
export function Listeners({ name }: { readonly name: string }) {
  const { t } = useLingui();
  const live = useLive(
    () =>
      api.call('getProvisioningAudit', {
        ...{ domain: domain.value, entity: 'promptfile', entityId: name, limit: '50' },
      }),
    [domain.value, name],
    STEP_MS,
  );
  const words: Readonly<Record<string, string>> = {
    read: t`listened or downloaded`,
    'read url': t`made an address that opens it for 15 minutes`,
    delete: t`erased`,
    erase: t`erased with personal data`,
    expire: t`deleted by the retention`,
    move: t`moved to the object store`,
    create: t`handed it over`,
    put: t`handed it over`,
  };
  const entries = live.value?.entries ?? [];
  return (
    <details>
      <summary>
        <Trans>Listened so far</Trans> ({entries.filter(({ action }) => action.startsWith('read')).length})
      </summary>
      <Stale failure={live.failure} at={live.at} />
      {live.value !== undefined && entries.length === 0 && (
        <p className="dim">
          <Trans>No person has listened to it yet.</Trans>
        </p>
      )}
      {entries.length > 0 && (
        <table className="small">
          <Head columns={[t`Time`, t`Person or key`, t`Action`]} />
          <tbody>
            {entries.map(({ seq, at, actor, action }) => (
              <tr key={seq}>
                <td>
                  <Ago at={at} />
                </td>
                <td>
                  <Actor of={actor} />
                </td>
                <td>{words[action] ?? action}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
