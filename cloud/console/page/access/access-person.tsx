import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayInvite, session } from '../../client/session.ts';
import { Badge } from '../../component/badge.tsx';
import { Head } from '../../component/head.tsx';
import { Leaving } from '../../component/leave.tsx';
import { Stale } from '../../component/notice.tsx';

const ROLES = ['viewer', 'technician', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** People of the tenant, and the link that opens an account. */
export function People() {
  const { t } = useLingui();
  const [link, setLink] = useState('');
  const [refused, setRefused] = useState('');
  const live = useLive(
    () => api.call('getProvisioningUser', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
  );
  const { value, at, failure, again } = live;
  const invite = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const answer = await api.call('postProvisioningUser', {
      domain: domain.value,
      body: { email: String(given.get('email')), role: String(given.get('role')) as Role },
    });
    setRefused(answer.ok ? '' : answer.error.reason);
    setLink(answer.ok ? answer.value.link : '');
    if (!answer.ok) return;
    form.reset();
    again();
  };
  return (
    <section>
      <h2>
        <Trans>People</Trans>
      </h2>
      <Stale failure={failure} at={at} />
      <table>
        <Head columns={[t`Who`, t`Role`, t`State`]} acts />
        <tbody>
          {value?.users.map((user) => (
            <tr key={user.id}>
              <td>
                {[user.firstName, user.lastName].filter(Boolean).join(' ')}
                <div className="dim">{user.email}</div>
              </td>
              <td>
                {user.role}
                {user.effectiveRole !== undefined && (
                  <div className="dim">
                    <Trans>counts as {user.effectiveRole}: its maker has fewer rights</Trans>
                  </div>
                )}
              </td>
              <td>{user.status === 'active' ? t`active` : <Badge word={user.status} />}</td>
              <td>
                {mayInvite.value && user.email !== session.value?.person.email && (
                  <Leaving
                    label={t`Remove`}
                    run={(leave) =>
                      api.call('deleteProvisioningUserById', { domain: domain.value, id: user.id, ...leave })
                    }
                    done={again}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {mayInvite.value && (
        <form className="line" onSubmit={(event) => void invite(event)}>
          <label>
            <Trans>Invite</Trans>
            <input name="email" type="email" placeholder="ada@care.example" required />
          </label>
          <label>
            <Trans>as</Trans>
            <select name="role">
              {ROLES.map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
          </label>
          <button type="submit">
            <Trans>Create the link</Trans>
          </button>
          <span className="refused" role="alert">
            {refused}
          </span>
        </form>
      )}
      {link !== '' && (
        <p className="notice" role="status">
          <Trans>
            Send this link to the person; it opens an account once: <code>{link}</code>
          </Trans>
        </p>
      )}
    </section>
  );
}
