import { createStore } from '../client/store.ts';

const KEPT = 'carillon.loadedAgainAt';
/** A page that lacks a file after it was loaded again lacks it for another reason, and says so. */
const AGAIN_MS = 60_000;

/** The page was loaded again, since the control plane has other files than it had; one sentence says so. */
export const isUpgraded = createStore(false);

/**
 * A control plane of two versions later has no files of this page any more: the page is loaded again, once. Drafts that are
 * kept in the tab outlive it.
 */
export function reloadAfterUpgrade(): void {
  const last = Number(sessionStorage.getItem(KEPT) ?? 0);
  isUpgraded.value = Date.now() - last < AGAIN_MS;
  addEventListener('vite:preloadError', (event) => {
    if (Date.now() - Number(sessionStorage.getItem(KEPT) ?? 0) < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEPT, String(Date.now()));
    location.reload();
  });
}
