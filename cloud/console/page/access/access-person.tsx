import { useSignal } from '@preact/signals';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayInvite, session } from '../../client/session.ts';
import { Badge } from '../../part/badge.tsx';
import { Head } from '../../part/head.tsx';
import { Leaving } from '../../part/leave.tsx';
import { Stale } from '../../part/notice.tsx';

const ROLES = ['viewer', 'technician', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** People of the tenant, and the link that opens an account. */
export function People() {
  const link = useSignal('');
  const refused = useSignal('');
  const live = useLive(
    () => api.call('getProvisioningUser', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
  );
  const { value, at, failure, again } = live.value;
  const invite = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const answer = await api.call('postProvisioningUser', {
      domain: domain.value,
      body: { email: String(given.get('email')), role: String(given.get('role')) as Role },
    });
    refused.value = answer.ok ? '' : answer.error.reason;
    link.value = answer.ok ? answer.value.link : '';
    if (!answer.ok) return;
    form.reset();
    again();
  };
  return (
    <section>
      <h2>People</h2>
      <Stale failure={failure} at={at} />
      <table>
        <Head columns={['Who', 'Role', 'State']} acts />
        <tbody>
          {value?.users.map((user) => (
            <tr key={user.id}>
              <td>
                {[user.firstName, user.lastName].filter(Boolean).join(' ')}
                <div class="dim">{user.email}</div>
              </td>
              <td>
                {user.role}
                {user.effectiveRole !== undefined && (
                  <div class="dim">counts as {user.effectiveRole}: its maker has fewer rights</div>
                )}
              </td>
              <td>{user.status === 'active' ? 'active' : <Badge word={user.status} />}</td>
              <td>
                {mayInvite.value && user.email !== session.value?.person.email && (
                  <Leaving
                    label="Remove"
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
        <form class="line" onSubmit={(event) => void invite(event)}>
          <label>
            Invite
            <input name="email" type="email" placeholder="ada@care.example" required />
          </label>
          <label>
            as
            <select name="role">
              {ROLES.map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
          </label>
          <button type="submit">Create the link</button>
          <span class="refused" role="alert">
            {refused.value}
          </span>
        </form>
      )}
      {link.value !== '' && (
        <p class="notice" role="status">
          Send this link to the person; it opens an account once: <code>{link.value}</code>
        </p>
      )}
    </section>
  );
}
