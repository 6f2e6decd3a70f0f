import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';

const PROFILES = [
  ['standard', msg`Standard: every 30 s; alarm about a silent host within 115 s`],
  ['high', msg`High: every 10 s; alarm within 50 s`],
  ['economy', msg`Economy: every 2 min; alarm within 6.5 min`],
] as const;

/** Makes a site: a place with one or more appliances. */
export function SiteForm({ done }: { readonly done: (siteId: string) => void }) {
  const { t, i18n } = useLingui();
  const [refused, setRefused] = useState('');
  const make = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    const answer = await api.call('postSiteByDomain', {
      domain: domain.value,
      body: {
        ...(text('siteId') === '' ? {} : { siteId: text('siteId') }),
        ...(text('name') === '' ? {} : { name: text('name') }),
        profile: text('profile') as (typeof PROFILES)[number][0],
        reachable: given.get('reachable') !== null,
      },
    });
    setRefused(answer.ok ? '' : answer.error.reason);
    if (answer.ok) done(answer.value.siteId);
  };
  return (
    <form onSubmit={(event) => void make(event)}>
      <label>
        <Trans>Name</Trans>
        <input name="name" placeholder={t`North wing`} maxLength={200} />
      </label>
      <label>
        <Trans>Short name in addresses (optional)</Trans>
        <input name="siteId" pattern="[a-z0-9][a-z0-9\-]*" placeholder="north-1" maxLength={63} />
      </label>
      <label>
        <Trans>Heartbeat of its hosts</Trans>
        <select name="profile">
          {PROFILES.map(([profile, meaning]) => (
            <option key={profile} value={profile}>
              {i18n._(meaning)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input name="reachable" type="checkbox" />{' '}
        <Trans>The control plane may call its address directly</Trans>
      </label>
      <button type="submit">
        <Trans>Create the site</Trans>
      </button>
      <p className="refused" role="alert">
        {refused}
      </p>
    </form>
  );
}
