import { HOME } from '../client/route.ts';
import { type PageEntry, pageAt } from './page-list.ts';

const fetched = new Set<PageEntry>();
let ahead = 0;
let asked = 0;

/** A failure now is one of a page that no person has asked for yet. */
export const isFetchingAhead = (): boolean => ahead > 0 && asked === 0;

/** Fetches the code of a page that a person has asked for; the same file may still be on its way, for the pointer came to the link before. */
export async function fetchAsked<Module>(load: () => Promise<Module>): Promise<Module> {
  asked++;
  try {
    return await load();
  } finally {
    asked--;
  }
}

/** Fetches the code of a page when the pointer or the focus comes to a link of it: the press that follows does not wait for it. */
export function fetchAhead(): void {
  for (const type of ['pointerover', 'focusin'])
    addEventListener(type, ({ target }) => fetchPageOf(linkAt(target)), { passive: true });
}

/** Texts of a row lie over its link, which stands behind the whole row. */
function linkAt(target: EventTarget | null): HTMLAnchorElement | null | undefined {
  if (!(target instanceof Element)) return undefined;
  return (
    target.closest<HTMLAnchorElement>('a[href]') ??
    target.closest('[role="row"]')?.querySelector<HTMLAnchorElement>('a.row-link')
  );
}

function fetchPageOf(link: HTMLAnchorElement | null | undefined): void {
  if (link?.origin !== location.origin || !link.pathname.startsWith(`${HOME}/`)) return;
  const page = pageAt(link.pathname.slice(HOME.length));
  if (page === undefined || fetched.has(page)) return;
  fetched.add(page);
  ahead++;
  page
    .load()
    // The press on the link tries it again, and says what is wrong.
    .catch(() => fetched.delete(page))
    .finally(() => ahead--);
}
