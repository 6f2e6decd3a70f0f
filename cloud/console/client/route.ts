import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** Where the console stands on its server. */
export const HOME = '/console';

/** The address of a page, and of what it shows there: `device` and `scaip-0001`, `fleet` and `north/gw-1`. */
export const linkTo = (page: string, rest = ''): string =>
  [HOME, page, ...(rest === '' ? [] : rest.split('/').map(encodeURIComponent))].join('/');

/** The part of the address behind the name of the page; empty: the page alone. */
export const useRest = (): string => useParams({ strict: false })._splat ?? '';

/** One part of the address by its name in the list of pages: `trunkId` of `trunk/$trunkId`. */
export const usePart = (name: string): string =>
  (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name] ?? '';

type Goer = (address: string) => void;
let goer: Goer = (address) => location.assign(address);

/** The router says how one goes from page to page. */
export const setGoer = (to: Goer): void => {
  goer = to;
};

/** Goes to a page without loading the console again; `search`: parameters of its address. */
export const go = (page: string, rest = '', search: Search = {}): void => {
  const query = new URLSearchParams(search).toString();
  goer(`${linkTo(page, rest)}${query === '' ? '' : `?${query}`}`);
};

/** The address of today for one of earlier (`#/device/scaip-0001`), which people have kept and mails hold. */
export function earlierAddress(fragment: string): string | undefined {
  const found = /^#\/([\w-]+)(?:\/(.*))?$/.exec(fragment);
  return found?.[1] === undefined ? undefined : linkTo(found[1], decodeURIComponent(found[2] ?? ''));
}

/** Parameters of the address, each a text. */
type Search = Readonly<Record<string, string>>;

/**
 * The parameters of the address, and a function that changes some of them (`undefined`: the parameter goes). The state of a
 * list and the panel that is open stand there, so that a link and the way back lead to the same sight.
 */
export function useSearchState(): readonly [
  Search,
  (patch: Readonly<Record<string, string | undefined>>) => void,
] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    search,
    (patch) =>
      void navigate({
        to: '.',
        search: (before: Search) =>
          Object.fromEntries(
            Object.entries({ ...before, ...patch }).filter(
              ([, value]) => value !== undefined && value !== '',
            ),
          ),
        replace: true,
      } as Parameters<typeof navigate>[0]),
  ];
}
