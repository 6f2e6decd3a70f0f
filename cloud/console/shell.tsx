import type { ComponentChildren } from 'preact';
import { api } from './client/api.ts';
import { useLive } from './client/live.ts';
import { linkTo, place } from './client/route.ts';
import {
  choose,
  domain,
  mayProvision,
  type Session,
  session,
  signedOut,
  tenants,
  trouble,
} from './client/session.ts';
import { AccessPage } from './page/access/access.tsx';
import { PrivacyPage } from './page/access/privacy.tsx';
import { SecondFactorPage } from './page/access/second-factor.tsx';
import { AlarmPage } from './page/alarm/alarm.tsx';
import { AuditPage } from './page/audit.tsx';
import { BridgePage } from './page/bridge/bridge.tsx';
import { LinePage } from './page/bridge/line.tsx';
import { DevicePage } from './page/device/device.tsx';
import { LogPage } from './page/log.tsx';
import { PhonePage, phoneState } from './page/phone.tsx';
import { PlatformPage } from './page/platform.tsx';
import { SignInPage } from './page/sign-in.tsx';
import { FleetPage } from './page/site/fleet.tsx';
import { SitePage } from './page/site/site.tsx';
import { wrongTriesText } from './page/word/sign-in-words.ts';
import { Ago } from './part/age.tsx';
import { Empty, Stale } from './part/notice.tsx';

const PAGES = [
  { name: 'fleet', title: 'Fleet', page: FleetPage },
  { name: 'alarm', title: 'Incidents', page: AlarmPage },
  { name: 'device', title: 'Devices', page: DevicePage },
  { name: 'bridge', title: 'Alarm bridges', page: BridgePage },
  { name: 'line', title: 'Tone lines', page: LinePage },
  { name: 'log', title: 'Log', page: LogPage },
  { name: 'phone', title: 'Telephone', page: PhonePage },
  { name: 'access', title: 'People and keys', page: AccessPage },
  { name: 'privacy', title: 'Personal data', page: PrivacyPage },
  { name: 'audit', title: 'Audit', page: AuditPage },
  { name: 'platform', title: 'Platform', page: PlatformPage },
] as const;

/** Reached from another page, in whose place of the list it stands. */
const INNER = { name: 'site', title: 'Site', page: SitePage, under: 'fleet' } as const;

/** Pages of the platform are its owner's; personal data is for those who may change things. */
const mayOpen = ({ name }: (typeof PAGES)[number]): boolean =>
  name === 'platform'
    ? session.value?.person.platformOwner === true
    : name !== 'privacy' || mayProvision.value;

/** The frame of every page: navigation, tenant and person. */
export function Shell() {
  if (session.value === undefined) return null;
  if (session.value === null) return <SignInPage />;
  if (session.value.secondFactor?.isMissing === true) return <SecondFactorPage leave={() => void leave()} />;
  if (tenants.value === undefined) return null;
  const pages = PAGES.filter(mayOpen);
  const isInner = place.value.page === INNER.name && place.value.rest !== '';
  const shown = isInner ? INNER : (pages.find(({ name }) => name === place.value.page) ?? PAGES[0]);
  const { page: Page, title } = shown;
  const current = isInner ? INNER.under : shown.name;
  document.title = `${title} · Carillon`;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <nav aria-label="Pages">
        <p class="name">
          <img src="bell.svg" alt="" width="22" height="22" /> Carillon
        </p>
        <ul>
          {pages.map(({ name, title }) => (
            <li key={name}>
              <a href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
                {title}
                {name === 'phone' && phoneState.value.kind === 'ringing' && <span class="count">rings</span>}
                {name === 'alarm' && domain.value !== '' && <OpenAlarms />}
              </a>
            </li>
          ))}
        </ul>
        <Who />
      </nav>
      <main id="main" key={domain.value}>
        <WrongTries />
        {domain.value === '' && shown.name !== 'platform' ? <NoTenant /> : <Page />}
      </main>
    </>
  );
}

/** Another person has tried the password: the page says so after the sign-in, until it was read. */
function WrongTries() {
  const { wrongTries: tries, ...rest } = session.value ?? {};
  if (tries === undefined) return null;
  const seen = (): void => {
    session.value = rest as Session;
  };
  return (
    <p class="notice bad" role="alert">
      {wrongTriesText(tries)} <Ago at={tries.lastAt} />.{' '}
      <button type="button" class="plain" onClick={seen}>
        I have seen it
      </button>
    </p>
  );
}

/** Number of alarms that were not looked at, beside the name of their page. */
function OpenAlarms() {
  const live = useLive(
    () => api.call('getSiteByDomainAlarm', { domain: domain.value, status: 'active', limit: '100' }),
    [domain.value],
    10_000,
    ['alarm'],
  );
  const count = live.value.value?.alarms.length ?? 0;
  if (count === 0) return null;
  return <span class="count">{count === 100 ? '99+' : count}</span>;
}

function Who() {
  const person = session.value?.person;
  const all = tenants.value ?? [];
  return (
    <div class="who">
      {all.length > 1 ? (
        <label>
          Tenant
          <select value={domain.value} onChange={(event) => choose(event.currentTarget.value)}>
            {all.map((each) => (
              <option key={each.domain} value={each.domain}>
                {each.domain}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="dim">{domain.value}</p>
      )}
      <p class="dim">{person?.email}</p>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          API
        </a>{' '}
        <button type="button" class="plain" onClick={() => void leave()}>
          Sign out
        </button>
      </p>
    </div>
  );
}

async function leave(): Promise<void> {
  await api.call('deleteSession', {});
  signedOut();
}

function NoTenant(): ComponentChildren {
  if (trouble.value !== '') return <Stale failure={trouble.value} at={0} />;
  return (
    <Empty>
      <h2>No tenant yet</h2>
      <p>
        A tenant is a customer with devices, bridges and sites of its own. The owner of the platform makes one
        by <code>POST /platform/tenant</code>, or <code>carillon tenant create</code>, and invites its people.
      </p>
    </Empty>
  );
}
