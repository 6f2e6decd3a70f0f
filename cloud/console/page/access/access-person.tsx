import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useRest } from '../../client/route.ts';
import { domain, mayInvite, session } from '../../client/session.ts';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Copy } from '../../component/copy.tsx';
import { Leaving } from '../../component/leave.tsx';
import { Stale } from '../../component/notice.tsx';
import { ROLE_WORDS, ROLES, type Role } from './role-words.ts';

/** People of the tenant, and the link that opens an account. */
export function People() {
  const { t, i18n } = useLingui();
  const open = useRest();
  const [link, setLink] = useState('');
  const [refused, setRefused] = useState('');
  const live = useLive(
    () => api.call('getProvisioningUser', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
    [],
    'people',
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
      <CardTable columns={[t`Who`, t`Role`, t`State`]} acts>
        <tbody>
          {value?.users.map((user) => (
            <tr key={user.id} aria-current={open === user.id ? 'true' : undefined}>
              <td>
                {[user.firstName, user.lastName].filter(Boolean).join(' ')}
                <div className="dim">{user.email}</div>
              </td>
              <td>
                <strong>{i18n._(ROLE_WORDS[user.role].name)}</strong>
                <div className="dim">{i18n._(ROLE_WORDS[user.role].rights)}</div>
                {user.effectiveRole !== undefined && (
                  <div className="dim">
                    <Trans>
                      counts as {i18n._(ROLE_WORDS[user.effectiveRole].name)}: its maker has fewer rights
                    </Trans>
                  </div>
                )}
              </td>
              <td>{user.status === 'active' ? t`active` : <Badge word={user.status} />}</td>
              <td>
                {mayInvite.value && user.email !== session.value?.person.email && (
                  <div className="acts">
                    <ChangeRole user={user} done={again} />
                    <Leaving
                      label={t`Remove`}
                      run={(leave) =>
                        api.call('deleteProvisioningUserById', {
                          domain: domain.value,
                          id: user.id,
                          ...leave,
                        })
                      }
                      done={again}
                    />
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </CardTable>
      {mayInvite.value && (
        <form className="line" onSubmit={(event) => void invite(event)}>
          <label>
            <Trans>Invite a person</Trans>
            <input name="email" type="email" placeholder="ada@care.example" required />
          </label>
          <label>
            <Trans>Role</Trans>
            <select name="role">
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {i18n._(ROLE_WORDS[role].name)}: {i18n._(ROLE_WORDS[role].rights)}
                </option>
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
          </Trans>{' '}
          <Copy text={link} />
        </p>
      )}
    </section>
  );
}

type User = Operations['getProvisioningUser']['answer']['users'][number];

/** Another role for a person; it is in effect with her next request. */
function ChangeRole({ user, done }: { readonly user: User; readonly done: () => void }) {
  const { t, i18n } = useLingui();
  const [refused, setRefused] = useState('');
  const change = async (role: Role): Promise<void> => {
    const { id } = user;
    const answer = await api.call('putProvisioningUserById', { domain: domain.value, id, body: { role } });
    setRefused(answer.ok ? '' : answer.error.reason);
    if (answer.ok) done();
  };
  return (
    <span className="act">
      <select
        aria-label={t`Role of ${user.email}`}
        value={user.role}
        onChange={(event) => void change(event.currentTarget.value as Role)}
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {i18n._(ROLE_WORDS[role].name)}
          </option>
        ))}
      </select>
      {refused !== '' && (
        <span className="refused" role="alert">
          {refused}
        </span>
      )}
    </span>
  );
}
