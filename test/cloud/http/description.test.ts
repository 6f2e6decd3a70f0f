import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentOf, type OpenApi, operationsOf, resolved } from '#installer/build/openapi.ts';
import { CALLBACK_PATH } from '#shared/contract/callback/index.ts';
import { heartbeatSchema, LANES } from '#shared/contract/feed/index.ts';
import { ask, openApi, type TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

describe('/openapi.json', () => {
  const document = async () => (await ask(api, 'GET', '/openapi.json')).body as unknown as OpenApi;

  test('has a webhook for every callback, each with an example', async () => {
    const { webhooks = {}, ...openapi } = await document();
    for (const path of [...Object.values(CALLBACK_PATH).map((each) => each.slice(1)), 'platformAlarm'])
      expect(Object.keys(webhooks)).toContain(path);
    for (const hook of Object.values(webhooks)) {
      const { requestBody } = (
        hook as { post: { requestBody: Parameters<typeof contentOf>[0] & { content: never } } }
      ).post;
      expect(contentOf(requestBody.content)?.schema).toBeDefined();
    }
    expect(openapi.components.schemas.NewAlarmbridgeEvent).toHaveProperty('example');
  });

  test('every operation says what it is, and every path parameter stands in its path', async () => {
    for (const { method, path, summary, parameters = [] } of operationsOf(await document())) {
      expect([method, path, summary]).toEqual([method, path, expect.stringMatching(/\w/)]);
      const inPath = parameters.filter((each) => each.in === 'path').map((each) => each.name);
      expect(inPath.toSorted()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted());
    }
  });

  test('a protocol of which nothing is public is accepted with a hint', async () => {
    const { ToneBridgeRequest } = (await document()).components.schemas;
    expect(JSON.stringify(ToneBridgeRequest?.properties?.protocol)).toContain(
      'rb2000: no public description; the profile must be completed',
    );
  });

  test('every named body has an example that it takes itself', async () => {
    const openapi = await document();
    const lacking = operationsOf(openapi).flatMap(({ method, path, requestBody }) => {
      const body = contentOf(requestBody?.content);
      if (body === undefined || body.type === 'text/csv') return [];
      const schema = resolved(openapi, body.schema);
      return schema.example === undefined && Object.keys(schema.properties ?? {}).length > 0
        ? [`${method} ${path}`]
        : [];
    });
    expect(lacking).toEqual([]);
  });
});

describe('/asyncapi.json', () => {
  interface AsyncApi {
    readonly asyncapi: string;
    readonly channels: Record<
      string,
      { address: string; parameters: object; messages: Record<string, { $ref: string }> }
    >;
    readonly operations: Record<
      string,
      { action: string; channel: { $ref: string }; bindings: { mqtt: { qos: number; retain: boolean } } }
    >;
    readonly components: { messages: Record<string, { payload: Record<string, unknown> }> };
  }
  const document = async () =>
    (await ask(api, 'GET', '/asyncapi.json', { token: null })).body as unknown as AsyncApi;

  test('is AsyncAPI 3 with the whole tree; every reference leads somewhere', async () => {
    const { asyncapi, channels, operations, components } = await document();
    expect(asyncapi).toBe('3.0.0');
    const leaves = Object.values(channels).map(({ address }) => address.split('/').slice(-2).join('/'));
    expect(leaves.toSorted()).toEqual(
      [
        'cp/state',
        'dn/ack',
        'dn/req',
        'dn/twin',
        'ev/{lane}',
        'up/cfg',
        'up/hb',
        'up/rec',
        'up/res',
        'up/state',
        // The command queue of a site.
        'reply/{clientId}',
        '{domain}/alarm',
        '{domain}/message',
        '{domain}/message',
      ].toSorted(),
    );
    expect(Object.keys(operations)).toHaveLength(Object.keys(channels).length);
    for (const { channel, bindings } of Object.values(operations)) {
      expect(Object.keys(channels)).toContain(channel.$ref.replace('#/channels/', ''));
      expect(bindings.mqtt.qos).toBeLessThan(2);
    }
    for (const { address, parameters, messages } of Object.values(channels)) {
      expect(Object.keys(parameters).toSorted()).toEqual(
        [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted(),
      );
      for (const { $ref } of Object.values(messages))
        expect(Object.keys(components.messages)).toContain($ref.replace('#/components/messages/', ''));
    }
  });

  test('its payloads are those of the contract', async () => {
    const { channels, components } = await document();
    const described = components.messages.Heartbeat?.payload as { properties: object; required: string[] };
    expect(Object.keys(described.properties)).toEqual(Object.keys(heartbeatSchema.shape));
    expect(channels.events?.parameters).toMatchObject({ lane: { enum: [...LANES] } });
  });
});
