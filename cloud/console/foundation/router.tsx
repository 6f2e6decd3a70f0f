import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { earlierAddress, HOME, linkTo, setGoer } from '../client/route.ts';
import { domain, session } from '../client/session.ts';
import { useStore } from '../client/store.ts';
import { fetchAsked } from './fetch-ahead.ts';
import { nameOf, PAGES, type PageEntry } from './page-list.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

/** A page is drawn again when the person, the tenant or the language changes: it reads them outside of React. */
function drawn({ load }: PageEntry) {
  const Page = lazyRouteComponent(() => fetchAsked(load));
  const Drawn = () => {
    useStore(session);
    useStore(domain);
    useLingui();
    return <Page />;
  };
  return Object.assign(Drawn, { preload: async () => await Page.preload?.() });
}

const pages = PAGES.map((entry) =>
  createRoute({ getParentRoute: () => root, path: entry.path, component: drawn(entry) }),
);

const [first] = PAGES;
const toFirst = (): never => {
  throw redirect({ href: `${HOME}/${first === undefined ? '' : nameOf(first)}` });
};
const home = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: toFirst });
/** A host stood in a dialog of the fleet: mails and the output of `carillon enrol` hold this address. */
const earlierHost = createRoute({
  getParentRoute: () => root,
  path: 'fleet/$siteId/$hostId',
  beforeLoad: ({ params: { siteId, hostId } }) => {
    throw redirect({ href: linkTo('host', `${siteId}/${hostId}`) });
  },
});
/** A page that is not there leads home, as an old bookmark should. */
const elsewhere = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: toFirst });

/** In place of a page that could not be drawn or fetched; the frame around it stays. */
function Broken({ error }: ErrorComponentProps) {
  return (
    <div className="notice bad" role="alert">
      <p className="flat">
        <Trans>
          This page could not be shown. The control plane may be starting, or the network is away.
        </Trans>{' '}
        <span className="dim">{error instanceof Error ? error.message : String(error)}</span>
      </p>
      <button type="button" onClick={() => location.reload()}>
        <Trans>Load it again</Trans>
      </button>
    </div>
  );
}

const takeEarlierAddress = (): void => {
  const address = earlierAddress(location.hash);
  if (address !== undefined) history.replaceState(null, '', address);
};
takeEarlierAddress();

export const router = createRouter({
  routeTree: root.addChildren([home, ...pages, earlierHost, elsewhere]),
  basepath: HOME,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  // Each parameter is a text, and an address can be read and written by a person.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
});

export const goTo = (href: string): void => void router.navigate({ href });
setGoer(goTo);
addEventListener('hashchange', () => {
  const address = earlierAddress(location.hash);
  if (address !== undefined) goTo(address);
});
