import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import type { Scope } from '#shared/contract/provisioning/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Copy } from '../../component/copy.tsx';
import { Leaving } from '../../component/leave.tsx';
import { Stale } from '../../component/notice.tsx';
import { LastAct } from './last-act.tsx';
import { ScopeChoice, ScopeText } from './token-scope.tsx';

/** API tokens; a new one is shown once. */
export function Tokens() {
  const { t } = useLingui();
  const live = useLive(
    () => api.call('getProvisioningApitoken', { domain: domain.value, limit: '100' }),
    [domain.value],
    20_000,
    [],
    'tokens',
  );
  const { value, at, failure, again } = live;
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
        <CardTable columns={[t`Name`, t`Scope`, t`Made`, t`Ends`, t`Last action`]} acts>
          <tbody>
            {value.apitokens.map((token) => (
              <tr key={token.id}>
                <td>{token.name ?? token.id}</td>
                <td>
                  <ScopeText scope={token.scope} />
                </td>
                <td>{token.createdAt !== undefined && <Ago at={token.createdAt} />}</td>
                <td>
                  {token.expiresAt === undefined ? t`when it is deleted` : <Ends at={token.expiresAt} />}
                </td>
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
      {mayProvision.value && <NewToken done={again} />}
    </section>
  );
}

/** The day on which a token ends. */
function Ends({ at }: { readonly at: number }) {
  const { i18n } = useLingui();
  return (
    <time dateTime={new Date(at).toISOString()}>{i18n.date(new Date(at), { dateStyle: 'medium' })}</time>
  );
}

/** Days that a new token can be given; none: as long as its maker may. */
const LIVES = [1, 30, 365] as const;
const DAY_S = 86_400;

/** Name, scope and life of a new token. */
function NewToken({ done }: { readonly done: () => void }) {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<readonly Scope[]>();
  const [days, setDays] = useState('');
  const [made, setMade] = useState('');
  const [refused, setRefused] = useState('');
  const make = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const answer = await api.call('postProvisioningApitoken', {
      domain: domain.value,
      body: {
        name: name.trim(),
        ...(scope === undefined ? {} : { scope: scope.join(' ') }),
        ...(days === '' ? {} : { expiresIn: Number(days) * DAY_S }),
      },
    });
    setRefused(answer.ok ? '' : answer.error.reason);
    setMade(answer.ok ? answer.value.token : '');
    if (!answer.ok) return;
    setName('');
    done();
  };
  return (
    <>
      <form className="new-token" onSubmit={(event) => void make(event)}>
        <div className="line">
          <label>
            <Trans>Name of a new token</Trans>
            <input
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <label>
            <Trans>Life</Trans>
            <select value={days} onChange={(event) => setDays(event.currentTarget.value)}>
              <option value="">{t`Until it is deleted`}</option>
              {LIVES.map((each) => (
                <option key={each} value={each}>
                  {plural(each, { one: '# day', other: '# days' })}
                </option>
              ))}
            </select>
          </label>
        </div>
        <ScopeChoice chosen={scope} onChoose={setScope} />
        <div className="line">
          <button type="submit" disabled={scope?.length === 0}>
            <Trans>Create it</Trans>
          </button>
          <span className="refused" role="alert">
            {refused}
          </span>
        </div>
      </form>
      {made !== '' && (
        <p className="notice" role="status">
          <Trans>
            Copy it now; it is never shown again: <code>{made}</code>
          </Trans>{' '}
          <Copy text={made} />
        </p>
      )}
    </>
  );
}
