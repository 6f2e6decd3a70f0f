import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { callable } from '../io/listener/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { HttpListeners } from './listener.ts';

/**
 * Asks the parts that can hang in a control plane: its loop, its listener and its database, all of them behind `/readyz` over
 * the real socket. Any answer is one: a database that is away does not come back by our starting again.
 */
export const watchdogFaults =
  ({ config }: Infrastructure, { listener }: HttpListeners) =>
  (): Promise<readonly string[]> =>
    new Promise((resolve) => {
      const options = {
        host: callable(config.http.host),
        port: listener.port,
        path: '/readyz',
        timeout: 4_000,
        agent: false as const,
        // It is ourselves: whose name stands in the certificate does not matter.
        rejectUnauthorized: false,
      };
      const request = (config.tlsFiles === undefined ? get : getSecurely)(options, (response) => {
        response.resume();
        response.on('close', () => resolve([]));
      });
      request.on('timeout', () => request.destroy(new Error('no answer within 4 s')));
      request.on('error', (cause) => resolve([`HTTP at port ${listener.port}: ${cause.message}`]));
    });
