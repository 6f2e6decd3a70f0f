import { setTimeout as pause } from 'node:timers/promises';
import { createAuthorize } from '#shared/authorize/index.ts';
import type { ApplianceConfig } from '../config.ts';
import type { PlatformAlarms } from '../delivery/platform-alarms.ts';
import { builtDocumentation } from '../io/documentation/index.ts';
import type { SipNetwork } from '../io/sip-transport/index.ts';
import {
  type HealthInfo,
  type RecordingPage,
  type RecordPage,
  SecureListeners,
  sitePages,
  verifyPassword,
  withActs,
} from '../io/site-listener/index.ts';
import type { Log } from '../io/system/index.ts';
import type { AnswerOperation } from '../operation/index.ts';
import type { ReportAct } from '../site/host/host-act.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { clock } from './adapters.ts';
import type { HostMetric } from './metric.ts';
import type { HostStanding } from './status.ts';
import type { openTechnician } from './technician.ts';

interface ListenerDependencies {
  readonly site: SiteAgent;
  readonly standing: HostStanding;
  readonly technician: ReturnType<typeof openTechnician>;
  readonly tellAct: ReportAct;
  readonly network: SipNetwork;
  readonly trustPem: string | undefined;
  readonly operate: AnswerOperation;
  readonly health: HealthInfo;
  readonly alarms: Pick<PlatformAlarms, 'raise'>;
  readonly recordings: RecordingPage;
  readonly records: RecordPage;
  readonly metric: Pick<HostMetric, 'pages'>;
  readonly log: Log;
}

/** HTTP, HTTPS and SIP over TLS, still shut, and the pages behind them. */
export function openListeners(config: ApplianceConfig, parts: ListenerDependencies): SecureListeners {
  const { site, standing, technician, network, trustPem, operate, health, recordings, records, metric, log } =
    parts;
  const pages = withActs(technician.pages, (act, by) =>
    parts.tellAct({ action: 'technician', by, detail: { act } }),
  );
  const documentation = builtDocumentation();
  const authorize = createAuthorize({
    issuer: config.siteBaseUrl,
    findDevice: async (domain, deviceId) =>
      domain === site.tenant.domain ? site.tenant.byId(deviceId) : undefined,
    verifyPassword,
    sign: async (typ, claims) => standing.now.siteSigner.sign(typ, claims),
    wait: (ms) => pause(ms),
    onLocked: (_, deviceId, sourceIp) =>
      parts.alarms.raise({ type: 'authError', deviceId, reason: 'tooManyWrongPasswords', sourceIp }),
  });
  return new SecureListeners(
    {
      http: config.http.all,
      sipTls: config.sip.tls,
      sipWss: config.sip.wss,
      tlsFiles: config.tlsFiles,
      trustPem,
      ownCertificate: technician.certificate,
      warn: (text) =>
        log(
          'warn',
          'client_certificate.unsuitable',
          'The configured certificate did not suit SIP trunks: it is for servers alone',
          { reason: text },
        ),
    },
    network,
    metric.pages(
      sitePages({
        authorize,
        operate,
        health,
        wallMs: clock.wallMs,
        recordings,
        records,
        technician: { ...technician, pages },
        ...(documentation !== undefined && { documentation }),
      }),
    ),
  );
}
