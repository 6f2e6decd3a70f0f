import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Act } from '../part/act.tsx';
import { Ago } from '../part/age.tsx';
import { Badge } from '../part/badge.tsx';
import { Stale } from '../part/notice.tsx';
import { domain, mayInvite, mayProvision, session } from '../session.ts';

const ROLES = ['viewer', 'technician', 'operator', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** Who and what may enter this tenant. */
export function AccessPage() {
  return (
    <>
      <header class="page">
        <h1>People and keys</h1>
      </header>
      <People />
      <Tokens />
      <Keys />
    </>
  );
}

function People() {
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
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Role</th>
            <th scope="col">State</th>
            <th scope="col">
              <span class="unseen">Act</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value?.users.map((user) => (
            <tr key={user.id}>
              <td>
                {[user.firstName, user.lastName].filter(Boolean).join(' ')}
                <div class="dim">{user.email}</div>
              </td>
              <td>{user.role}</td>
              <td>{user.status === 'active' ? 'active' : <Badge word={user.status} />}</td>
              <td>
                {mayInvite.value && user.email !== session.value?.person.email && (
                  <Act
                    label="Remove"
                    run={() => api.call('deleteProvisioningUserById', { domain: domain.value, id: user.id })}
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
          <button type="submit">Make the link</button>
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

function Tokens() {
  const made = useSignal('');
  const refused = useSignal('');
  const live = useLive(
    () => api.call('getProvisioningApitoken', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
  );
  const { value, at, failure, again } = live.value;
  const make = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name') ?? '').trim();
    const answer = await api.call('postProvisioningApitoken', { domain: domain.value, body: { name } });
    refused.value = answer.ok ? '' : answer.error.reason;
    made.value = answer.ok ? answer.value.token : '';
    if (!answer.ok) return;
    form.reset();
    again();
  };
  return (
    <section>
      <h2>API tokens</h2>
      <p class="dim">A token acts for the person who made it.</p>
      <Stale failure={failure} at={at} />
      {value !== undefined && value.apitokens.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Scope</th>
              <th scope="col">Made</th>
              <th scope="col">
                <span class="unseen">Act</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.apitokens.map((token) => (
              <tr key={token.id}>
                <td>{token.name ?? token.id}</td>
                <td>{token.scope ?? 'all'}</td>
                <td>{token.createdAt !== undefined && <Ago at={token.createdAt} />}</td>
                <td>
                  <Act
                    label="Delete"
                    run={() =>
                      api.call('deleteProvisioningApitokenById', { domain: domain.value, id: token.id })
                    }
                    done={again}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayProvision.value && (
        <form class="line" onSubmit={(event) => void make(event)}>
          <label>
            A token named
            <input name="name" required maxLength={100} />
          </label>
          <button type="submit">Make it</button>
          <span class="refused" role="alert">
            {refused.value}
          </span>
        </form>
      )}
      {made.value !== '' && (
        <p class="notice" role="status">
          Copy it now; it is never shown again: <code>{made.value}</code>
        </p>
      )}
    </section>
  );
}

function Keys() {
  const live = useLive(
    () => api.call('getProvisioningApikey', { domain: domain.value, limit: '100' }),
    [domain.value],
    30_000,
  );
  const { value, at, failure } = live.value;
  return (
    <section>
      <h2>API keys</h2>
      <p class="dim">Public keys of programs that sign their own tokens.</p>
      <Stale failure={failure} at={at} />
      {value?.apikeys.length === 0 && (
        <p class="dim">
          None. <code>carillon key add</code> registers one.
        </p>
      )}
      {value !== undefined && value.apikeys.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Key id</th>
              <th scope="col">Name</th>
              <th scope="col">Algorithm</th>
              <th scope="col">Registered</th>
            </tr>
          </thead>
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
