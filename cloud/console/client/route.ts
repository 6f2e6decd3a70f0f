import { signal } from '@preact/signals';

/** Pages by the fragment of the address: `#/device/scaip-0001` is page `device` with the rest `scaip-0001`. */
export interface Place {
  readonly page: string;
  readonly rest: string;
}

const FIRST = 'fleet';

function here(): Place {
  const [page = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  return { page: page === '' ? FIRST : page, rest: decodeURIComponent(rest.join('/')) };
}

export const place = signal(here());
addEventListener('hashchange', () => {
  place.value = here();
});

export const linkTo = (page: string, rest = ''): string =>
  `#/${page}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}`;
