import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, openApi, type TestApi } from './api.ts';
import { SAMPLES } from './resource-sample.ts';

interface Operation {
  readonly summary?: string;
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly $ref?: string } }>;
  };
}

let api: TestApi;
let paths: Record<string, Record<string, Operation>>;
let schemas: Record<string, { readonly example?: unknown }>;
beforeAll(async () => {
  api = await openApi();
  const { body } = await ask(api, 'GET', '/openapi.json', { token: null });
  paths = body.paths as typeof paths;
  schemas = (body.components as { schemas: typeof schemas }).schemas;
});
afterAll(() => api.close());

test('the document has every verb of every resource', () => {
  for (const { base, hasPatch } of SAMPLES) {
    const all = `${base}/{domain}`;
    const one = Object.keys(paths).filter((path) => path.startsWith(`${all}/{`) && path.endsWith('}'));
    expect([base, one.length]).toEqual([base, 1]);
    expect(Object.keys(paths[all] ?? {}).toSorted()).toEqual(['get', 'post']);
    const verbs = ['delete', 'get', ...(hasPatch ? ['patch'] : []), 'put'];
    expect(Object.keys(paths[one[0] ?? ''] ?? {}).toSorted()).toEqual(verbs);
  }
  for (const [method, path] of [
    ['get', '/provisioning/alarmbridge/{domain}/testconfiguration/{destination}'],
    ['get', '/provisioning/alarmeventmapper/{domain}/testconfiguration/{destination}'],
    ['get', '/provisioning/cloudsipua/{domain}/testconfiguration/{destination}'],
    ['post', '/provisioning/alarmbridge/{domain}/{alarmBridgeId}/trymap'],
    ['get', '/provisioning/configuration/{domain}'],
    ['put', '/provisioning/configuration/{domain}'],
    ['post', '/provisioning/configuration/{domain}/promote'],
  ] as const)
    expect([path, paths[path]?.[method]?.summary]).toEqual([path, expect.any(String) as string]);
});

test('every body of these operations has an example', () => {
  const bodies = Object.entries(paths)
    .filter(([path]) =>
      /^\/(provisioning\/(alarm|cloud|trunk|protocol|config|device|notif)|mediaservice|callrecording)/.test(
        path,
      ),
    )
    .filter(([path]) => !path.includes('/bulk/'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
    )
    .flatMap(({ at, operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => ({
        at,
        name: schema.$ref?.split('/').at(-1) ?? '',
      })),
    );
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.filter(({ name }) => schemas[name]?.example === undefined)).toEqual([]);
});
