import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Leaving } from '../../component/leave.tsx';
import { Stale } from '../../component/notice.tsx';
import { LastAct } from './last-act.tsx';

/** API tokens; a new one is shown once. */
export function Tokens() {
  const { t } = useLingui();
  const [made, setMade] = useState('');
  const [refused, setRefused] = useState('');
  const live = useLive(
    () => api.call('getProvisioningApitoken', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
  );
  const { value, at, failure, again } = live;
  const make = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name') ?? '').trim();
    const answer = await api.call('postProvisioningApitoken', { domain: domain.value, body: { name } });
    setRefused(answer.ok ? '' : answer.error.reason);
    setMade(answer.ok ? answer.value.token : '');
    if (!answer.ok) return;
    form.reset();
    again();
  };
  return (
    <section>
      <h2>
        <Trans>API tokens</Trans>
      </h2>
      <p className="dim">
        <Trans>A token acts for the person who made it.</Trans>
      </p>
      <Stale failure={failure} at={at} />
      {value !== undefined && value.apitokens.length > 0 && (
        <CardTable columns={[t`Name`, t`Scope`, t`Made`, t`Last action`]} acts>
          <tbody>
            {value.apitokens.map((token) => (
              <tr key={token.id}>
                <td>{token.name ?? token.id}</td>
                <td>{token.scope ?? t`all`}</td>
                <td>{token.createdAt !== undefined && <Ago at={token.createdAt} />}</td>
                <td>
                  <LastAct actor={`token:${token.id}`} />
                </td>
                <td>
                  <Leaving
                    label={t`Delete`}
                    run={(leave) =>
                      api.call('deleteProvisioningApitokenById', {
                        domain: domain.value,
                        id: token.id,
                        ...leave,
                      })
                    }
                    done={again}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
      {mayProvision.value && (
        <form className="line" onSubmit={(event) => void make(event)}>
          <label>
            <Trans>Name of a new token</Trans>
            <input name="name" required maxLength={100} />
          </label>
          <button type="submit">
            <Trans>Create it</Trans>
          </button>
          <span className="refused" role="alert">
            {refused}
          </span>
        </form>
      )}
      {made !== '' && (
        <p className="notice" role="status">
          <Trans>
            Copy it now; it is never shown again: <code>{made}</code>
          </Trans>
        </p>
      )}
    </section>
  );
}
