import { Trans, useLingui } from '@lingui/react/macro';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../client/api.ts';
import { clockOffsetMs } from '../client/clock.ts';
import {
  choose,
  domain,
  isEnded,
  isPasswordAsked,
  mayHandle,
  type Session,
  session,
  signedOut,
  tenants,
  trouble,
} from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { Ago, span } from '../component/age.tsx';
import { Empty, Stale } from '../component/notice.tsx';
import { wrongTriesText } from '../component/wording/sign-in-words.ts';
import { SecondFactorPage } from '../page/access/second-factor.tsx';
import { PasswordAgain, SignInAgain, SignInPage } from '../page/sign-in/sign-in.tsx';
import { FindButton } from './find-button.tsx';
import { LANGUAGES, type Language, takeLanguage } from './language.ts';
import { Navigation, Waiting } from './navigation.tsx';
import { nameOf, PAGES, pageAt } from './page-list.ts';
import { isOutdated, isUpgraded } from './upgrade.ts';

/** The frame of every page: navigation, tenant and person. */
export function Shell() {
  const person = useStore(session);
  const all = useStore(tenants);
  const hasEnded = useStore(isEnded);
  const asksPassword = useStore(isPasswordAsked);
  const at = useStore(domain);
  const { i18n, t } = useLingui();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the list of pages
  useEffect(() => setOpen(false), [pathname]);
  const shown = pageAt(pathname) ?? PAGES[0];
  const title = shown === undefined ? '' : i18n._(shown.title);
  useEffect(() => {
    document.title = `${title} · Carillon`;
  }, [title]);
  if (person === undefined || shown === undefined) return null;
  if (person === null) return <SignInPage />;
  if (person.secondFactor?.isMissing === true) return <SecondFactorPage leave={() => void leave()} />;
  if (all === undefined) return null;
  return (
    <>
      <a className="skip" href="#main">
        <Trans>Skip to the page</Trans>
      </a>
      <div className="top">
        <button
          type="button"
          className="plain"
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t`Close` : t`Menu`}
        </button>
        <strong>{title}</strong>
        {mayHandle.value && <Waiting />}
      </div>
      <nav id="pages" aria-label={t`Pages`} className={isOpen ? 'side is-open' : 'side'}>
        <p className="name">
          <img src="/console/bell.svg" alt="" width="22" height="22" /> Carillon
        </p>
        {at !== '' && <FindButton />}
        <Navigation current={shown.under ?? nameOf(shown)} />
        <Who />
      </nav>
      <main id="main" key={at}>
        <WrongTries />
        <Upgraded />
        <Outdated />
        <WrongClock />
        {at === '' && shown.isOfPlatform !== true ? <NoTenant /> : <Outlet />}
      </main>
      {hasEnded && <SignInAgain />}
      {asksPassword && !hasEnded && <PasswordAgain />}
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
    <p className="notice bad" role="alert">
      {wrongTriesText(tries)} <Ago at={tries.lastAt} />.{' '}
      <button type="button" className="plain" onClick={seen}>
        <Trans>I have seen it</Trans>
      </button>
    </p>
  );
}

/** Files of the page were missing, since the control plane has another version. */
function Upgraded() {
  if (!useStore(isUpgraded)) return null;
  return (
    <p className="notice" role="status">
      <Trans>
        The control plane has another version now, so the page was loaded again. Your edits are kept.
      </Trans>{' '}
      <button type="button" className="plain" onClick={() => (isUpgraded.value = false)}>
        <Trans>I have seen it</Trans>
      </button>
    </p>
  );
}

/** The control plane was upgraded while this page was open. */
function Outdated() {
  if (!useStore(isOutdated)) return null;
  return (
    <p className="notice" role="status">
      <Trans>
        The control plane has another version now. This page goes on as it is until you load it again; a form
        keeps what you have typed, but for passwords and keys.
      </Trans>{' '}
      <button type="button" className="plain" onClick={() => location.reload()}>
        <Trans>Load it again</Trans>
      </button>
    </p>
  );
}

/** A clock that is further off misleads a person who compares it with a time on the page. */
const CLOCK_MS = 60_000;

function WrongClock() {
  const offset = useStore(clockOffsetMs);
  if (Math.abs(offset) < CLOCK_MS) return null;
  const by = span(Math.abs(offset));
  return (
    <p className="notice" role="status">
      {offset > 0 ? (
        <Trans>The clock of this computer is {by} behind.</Trans>
      ) : (
        <Trans>The clock of this computer is {by} ahead.</Trans>
      )}{' '}
      <Trans>Ages on these pages follow the clock of the control plane.</Trans>
    </p>
  );
}

function Who() {
  const person = session.value?.person;
  const all = tenants.value ?? [];
  return (
    <div className="who">
      {all.length > 1 ? (
        <label>
          <Trans>Tenant</Trans>
          <select value={domain.value} onChange={(event) => choose(event.currentTarget.value)}>
            {all.map((each) => (
              <option key={each.domain} value={each.domain}>
                {each.domain}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p className="dim">{domain.value}</p>
      )}
      <p className="dim person" title={person?.email}>
        {person?.email}
      </p>
      <LanguageChoice />
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          <Trans>API</Trans>
        </a>{' '}
        <button type="button" className="plain" onClick={() => void leave()}>
          <Trans>Sign out</Trans>
        </button>
      </p>
    </div>
  );
}

/** Names of languages stand in their own words: a person who is lost in another one finds hers. */
function LanguageChoice() {
  const { i18n } = useLingui();
  return (
    <label>
      <Trans>Language</Trans>
      <select
        value={i18n.locale}
        onChange={(event) => void takeLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

async function leave(): Promise<void> {
  await api.call('deleteSession', {});
  signedOut();
}

function NoTenant(): ReactNode {
  if (trouble.value !== '') return <Stale failure={trouble.value} at={0} />;
  return (
    <Empty>
      <h2>
        <Trans>No tenant yet</Trans>
      </h2>
      <p>
        <Trans>
          A tenant is a customer with devices, bridges and sites of its own. The owner of the platform makes
          one by <code>POST /platform/tenant</code>, or <code>carillon tenant create</code>, and invites its
          people.
        </Trans>
      </p>
    </Empty>
  );
}
