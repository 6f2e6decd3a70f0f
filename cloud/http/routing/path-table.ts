import type { Hono } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** Which methods a path answers, for OPTIONS, 405 and the CORS headers. */
export interface PathTable {
  /** The methods of a route pattern such as `/device/:domain`. */
  readonly ofPattern: (pattern: string) => string | undefined;
  /** The methods of a request path. @returns undefined for an unknown path. */
  readonly ofPath: (path: string) => string | undefined;
}

/** Reads the table from the mounted routes: there is no second list. */
export function pathTable(app: Hono<ApiEnv>): PathTable {
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue;
    const known = methods.get(path) ?? new Set<string>();
    methods.set(path, known.add(method));
  }
  const lists = new Map([...methods].map(([path, set]) => [path, [...set, 'OPTIONS'].join(', ')]));
  // A fixed segment is tried before a parameter, as the router does.
  const patterns = [...lists]
    .map(([path, list]) => ({ list, regex: asRegex(path), parameters: path.split(':').length }))
    .toSorted((a, b) => a.parameters - b.parameters);
  return {
    ofPattern: (pattern) => lists.get(pattern),
    ofPath: (path) => patterns.find(({ regex }) => regex.test(path))?.list,
  };
}

const asRegex = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}$`);
