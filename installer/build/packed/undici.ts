import type * as undici from 'undici';
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import { parseURL } from 'undici/lib/core/util.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

/**
 * Stands for the package `undici`, of which we use requests by a dispatcher. Its own entry loads `fetch`, WebSocket, caches, proxies
 * and mocks as well, 4 MB in each thread that sends.
 */
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector };

/** As the package does it for a call that names its dispatcher, which all of ours do. */
export const request = ((url: string | URL, options: Parameters<typeof undici.request>[1]) => {
  const { dispatcher, ...rest } = options ?? {};
  if (dispatcher === undefined) throw new Error('a request of this product names its dispatcher');
  const { origin, pathname, search } = parseURL(url);
  const method = rest.method ?? (rest.body ? 'PUT' : 'GET');
  return dispatcher.request({ ...rest, origin, path: `${pathname}${search}`, method });
}) as typeof undici.request;
