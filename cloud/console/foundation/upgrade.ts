import { isStreaming } from '../client/change.ts';
import { HOME } from '../client/route.ts';
import { createStore } from '../client/store.ts';
import { entryOf } from './entry.ts';
import { isFetchingAhead } from './fetch-ahead.ts';

const KEPT = 'carillon.loadedAgainAt';
/** A page that lacks a file after it was loaded again lacks it for another reason, and says so. */
const AGAIN_MS = 60_000;
/** A page without a stream looks for another version that often. */
const LOOK_MS = 5 * 60_000;

/** The page was loaded again, since the control plane has other files than it had; one sentence says so. */
export const isUpgraded = createStore(false);
/** The control plane hands out another version than the one of this page, which goes on. */
export const isOutdated = createStore(false);

/**
 * A control plane of two versions later has no files of this page any more: the page is loaded again, once. Drafts that are
 * kept in the tab outlive it.
 */
export function reloadAfterUpgrade(): void {
  const last = Number(sessionStorage.getItem(KEPT) ?? 0);
  isUpgraded.value = Date.now() - last < AGAIN_MS;
  addEventListener('vite:preloadError', (event) => {
    // A pointer that passes over a link is no reason to end a call or an edit.
    if (isFetchingAhead()) return;
    if (Date.now() - Number(sessionStorage.getItem(KEPT) ?? 0) < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEPT, String(Date.now()));
    location.reload();
  });
}

/**
 * Finds out that the control plane was upgraded under this page: a stream that is open again may lead to another version, and a
 * page without one looks every five minutes.
 *
 * Chosen: a person loads the page again. A page that did so by itself would end a call, the sound of the alarm queue or an
 * edit that no form keeps.
 */
export function watchVersion(): void {
  const own = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const look = async (): Promise<void> => {
    const page = await fetch(`${HOME}/`, { cache: 'no-store' }).catch(() => undefined);
    const entry = page?.ok === true ? entryOf(await page.text()) : undefined;
    if (entry !== undefined) isOutdated.value = entry !== own;
  };
  let wasOpen = false;
  let opened = 0;
  isStreaming.subscribe(() => {
    const isAgain = isStreaming.value && !wasOpen && opened > 0;
    if (isStreaming.value && !wasOpen) opened += 1;
    wasOpen = isStreaming.value;
    if (isAgain) void look();
  });
  setInterval(() => document.hidden || isStreaming.value || void look(), LOOK_MS);
}
