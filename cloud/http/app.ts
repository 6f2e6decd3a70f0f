import { HTTPException } from 'hono/http-exception';
import { authorizeRouter } from './authorize/authorize.ts';
import { consoleRouter } from './console.ts';
import { descriptionRouter } from './description/description.ts';
import { docsRouter } from './docs.ts';
import { createFastPath, type FastPath } from './fast-path.ts';
import { bodySize } from './middleware/body-size.ts';
import { crossOrigin } from './middleware/cross-origin.ts';
import { dryRun } from './middleware/dry-run.ts';
import { inTurn } from './middleware/in-turn.ts';
import { jsonBodyForm } from './middleware/json-body.ts';
import { plainAddress } from './middleware/plain-address.ts';
import { requestId } from './middleware/request-id.ts';
import { createRequestMetric } from './middleware/request-metric.ts';
import { healthRouter } from './platform/health.ts';
import { tenantRouter } from './platform/tenant.ts';
import { apiKeyRouter } from './provisioning/api-key.ts';
import { apiTokenRouter } from './provisioning/api-token.ts';
import { auditRouter } from './provisioning/audit.ts';
import { configurationRouter } from './provisioning/configuration.ts';
import { currentUserRouter } from './provisioning/current-user.ts';
import { deviceRouter } from './provisioning/device.ts';
import { notificationSettingsRouter } from './provisioning/notification-settings.ts';
import { alarmBridgeRouter } from './provisioning/resource/alarm-bridge.ts';
import { alarmEventMapperRouter } from './provisioning/resource/alarm-event-mapper.ts';
import { recordingServiceRouter } from './provisioning/resource/callrecording.ts';
import { cloudSipUaRouter } from './provisioning/resource/cloud-sip-ua.ts';
import { mediaServiceRouter } from './provisioning/resource/mediaservice.ts';
import { protocolProfileRouter } from './provisioning/resource/protocol-profile.ts';
import { takerRouter } from './provisioning/resource/taker.ts';
import { trunkRouter } from './provisioning/resource/trunk.ts';
import { userRouter } from './provisioning/user.ts';
import { createRouter } from './routing/api.ts';
import type { Api } from './routing/api-env.ts';
import { type PathTable, pathTable } from './routing/path-table.ts';
import type { AppPort } from './routing/port.ts';
import { refusal } from './routing/refusal.ts';
import { createGate } from './routing/token-gate.ts';
import { secondFactorRouter } from './session/second-factor.ts';
import { sessionRouter } from './session/session.ts';
import { setupRouter } from './setup/setup.ts';

/** The whole HTTP interface of the cloud, and the short way to the request that comes most. */
export interface HttpInterface {
  /** Serve its `fetch`; tests call `request`. */
  readonly app: Api;
  readonly fastPath: FastPath;
}

export function createApp(port: AppPort): HttpInterface {
  const app = createRouter();
  const gate = createGate(port);
  const requests = createRequestMetric(port.nowMs, port.onRefused);
  const table = onceMounted(app);

  app.use(
    requests.middleware,
    inTurn(
      requestId(port.random),
      crossOrigin(table),
      plainAddress(),
      bodySize(),
      jsonBodyForm(),
      dryRun(port.rehearse, table, app.request),
    ),
  );

  for (const make of [
    alarmBridgeRouter,
    takerRouter,
    alarmEventMapperRouter,
    cloudSipUaRouter,
    trunkRouter,
    protocolProfileRouter,
    deviceRouter,
    notificationSettingsRouter,
    apiKeyRouter,
    apiTokenRouter,
    configurationRouter,
    auditRouter,
    tenantRouter,
    userRouter,
    currentUserRouter,
    sessionRouter,
    secondFactorRouter,
    setupRouter,
    authorizeRouter,
  ])
    app.route('/', make(port, gate));
  for (const make of port.routers ?? []) app.route('/', make(gate));
  // After those: `/mediaservice/{domain}/promptfile` is no id of a service.
  for (const make of [mediaServiceRouter, recordingServiceRouter]) app.route('/', make(port, gate));
  app.route('/', healthRouter(port, gate, requests));
  app.route('/', descriptionRouter(app, port));
  app.route('/', docsRouter(port));
  app.route('/', consoleRouter(port));

  app.notFound((c) => {
    const methods = table().ofPath(c.req.path);
    if (methods === undefined)
      return refusal(c, {
        code: 'notFound',
        reason: `The path ${c.req.path} does not exist. Look the path up in /openapi.json.`,
      });
    if (c.req.method === 'OPTIONS') return c.json({}, 200);
    c.header('Allow', methods);
    const body = {
      success: false,
      reason: `The path ${c.req.path} does not take this method. Send ${methods}.`,
      error: { code: 'methodNotAllowed' },
    };
    return c.json(body, 405);
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) {
      if (error.status === 400)
        return refusal(c, {
          code: 'malformed',
          reason: 'The body cannot be read: it is not valid JSON. Correct it and send it again.',
        });
      if (error.status === 415)
        return refusal(c, {
          code: 'unsupportedMediaType',
          reason: 'The body cannot be read: its media type is not supported. Send it as application/json.',
        });
    }
    // The caller closed the connection while it still sent: the answer has no reader, and nothing is wrong here.
    if ('code' in error && error.code === 'ECONNRESET')
      return refusal(c, {
        code: 'malformed',
        reason: 'The body cannot be read: the request ended before its body. Send the request again.',
      });
    const fault = port.storageFault?.(error);
    if (fault !== undefined) return refusal(c, fault);
    const id = c.get('requestId');
    port.onDefect(error, id);
    return refusal(c, {
      code: 'defect',
      reason: `The request failed: the control plane has a defect. Report request ${id}.`,
    });
  });

  return { app, fastPath: createFastPath(port, gate, requests, table) };
}

/** Reads the table when the first request comes: then every router is mounted. */
function onceMounted(app: Api): () => PathTable {
  let table: PathTable | undefined;
  return () => {
    table ??= pathTable(app);
    return table;
  };
}
