import { type SubmitEvent, useState } from 'react';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';

const PROFILES = [
  ['standard', 'every 30 s; alarm about a silent host within 115 s'],
  ['high', 'every 10 s; alarm within 50 s'],
  ['economy', 'every 2 min; alarm within 6.5 min'],
] as const;

/** Makes a site: a place with one or more appliances. */
export function SiteForm({ done }: { readonly done: (siteId: string) => void }) {
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
        Name
        <input name="name" placeholder="North wing" maxLength={200} />
      </label>
      <label>
        Short name in addresses (optional)
        <input name="siteId" pattern="[a-z0-9][a-z0-9\-]*" placeholder="north" maxLength={63} />
      </label>
      <label>
        Heartbeat of its hosts
        <select name="profile">
          {PROFILES.map(([profile, meaning]) => (
            <option key={profile} value={profile}>
              {profile}: {meaning}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input name="reachable" type="checkbox" /> The control plane may call its address directly
      </label>
      <button type="submit">Create the site</button>
      <p className="refused" role="alert">
        {refused}
      </p>
    </form>
  );
}
