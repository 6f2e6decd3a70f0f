import { setTimeout as pause } from 'node:timers/promises';
import type { HTTPRequest, Page } from 'puppeteer-core';

const QUIET_MS = 300;
const WITHIN_MS = 8_000;

/**
 * A wait until the page has asked for nothing for 300 ms; it ends after 8 s in any case. Streams are not counted, nor what the page
 * before has left open: `waitForNetworkIdle` counts both, and waits its whole time once a browser has seen some pages.
 */
export function settling(page: Page): () => Promise<void> {
  const open = new Set<HTTPRequest>();
  let lastMs = performance.now();
  const ended = (request: HTTPRequest): void => {
    open.delete(request);
    lastMs = performance.now();
  };
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear();
  });
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request);
    lastMs = performance.now();
  });
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    const untilMs = performance.now() + WITHIN_MS;
    while (performance.now() < untilMs && (open.size > 0 || performance.now() - lastMs < QUIET_MS))
      await pause(20);
  };
}
