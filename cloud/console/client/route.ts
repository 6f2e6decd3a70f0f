import { useParams } from '@tanstack/react-router';

/** Where the console stands on its server. */
export const HOME = '/console';

/** The address of a page, and of what it shows there: `device` and `scaip-0001`, `fleet` and `north/gw-1`. */
export const linkTo = (page: string, rest = ''): string =>
  [HOME, page, ...(rest === '' ? [] : rest.split('/').map(encodeURIComponent))].join('/');

/** The part of the address behind the name of the page; empty: the page alone. */
export const useRest = (): string => useParams({ strict: false })._splat ?? '';

type Goer = (address: string) => void;
let goer: Goer = (address) => location.assign(address);

/** The router says how one goes from page to page. */
export const setGoer = (to: Goer): void => {
  goer = to;
};

/** Goes to a page without loading the console again. */
export const go = (page: string, rest = ''): void => goer(linkTo(page, rest));

/** The address of today for one of earlier (`#/device/scaip-0001`), which people have kept and mails hold. */
export function earlierAddress(fragment: string): string | undefined {
  const found = /^#\/([\w-]+)(?:\/(.*))?$/.exec(fragment);
  return found?.[1] === undefined ? undefined : linkTo(found[1], decodeURIComponent(found[2] ?? ''));
}
