const KEPT = 'carillon.loadedAgainAt';
/** A page that lacks a file after it was loaded again lacks it for another reason, and says so. */
const AGAIN_MS = 60_000;

/**
 * A control plane of two versions later has no files of this page any more: the page is loaded again, once. Drafts that are
 * kept in the tab outlive it.
 */
export function reloadAfterUpgrade(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEPT) ?? 0);
    if (Date.now() - last < AGAIN_MS) return;
    event.preventDefault();
    sessionStorage.setItem(KEPT, String(Date.now()));
    location.reload();
  });
}
