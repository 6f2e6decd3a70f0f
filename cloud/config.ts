import { resolve } from 'node:path';
import type { LogLevel } from '#shared/log.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  DEFAULT_RETENTION,
  type Listen,
  type ObjectStorage,
  type Retention,
  readSettings,
  type Sources,
  settingTable,
} from '#shared/setting/index.ts';

/** Brokers that know nothing of each other: each owner is at all of them, a host at any one. */
export interface ExternalBrokers {
  /** In the order of the setting. */
  readonly urls: readonly [string, ...string[]];
  /** As hosts see them; undefined = by the same addresses. */
  readonly hostUrls?: readonly string[];
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** The configuration of the control plane, read once and frozen. */
export interface CloudConfig {
  /** Folder of all state, absolute. */
  readonly data: string;
  readonly http: Listen;
  /** `{base_url}`; undefined = made of the address of the listener. */
  readonly publicUrl: string | undefined;
  /** `sqlite:<file>` or `postgres://…`. */
  readonly database: string;
  /** External brokers, with what opens them; undefined = the embedded one. */
  readonly mqtt: ExternalBrokers | undefined;
  readonly mqttListen: Listen;
  readonly edge: Listen;
  /** As hosts see the edge listener; undefined = made of the address of the listener. */
  readonly edgeUrl: string | undefined;
  /** Networks of load balancers, whose connections begin with the address of the caller. */
  readonly trustedProxies: readonly string[];
  readonly tlsFiles: { readonly cert: string; readonly key: string } | undefined;
  readonly trustFile: string | undefined;
  readonly rateLimits: boolean;
  /** Undefined = made at first start. */
  readonly bootstrapToken: string | undefined;
  /** Where the key that seals secrets comes from; nothing given = the file in `<data>/key`. */
  readonly vault: {
    readonly given?: string | undefined;
    readonly command?: string | undefined;
    /** Folder of systemd credentials. */
    readonly credentials?: string | undefined;
  };
  readonly allowPrivate: readonly string[];
  /** Push services that may wake browsers; none: web push is off, and no push service is ever called. */
  readonly pushServices: readonly string[];
  /** Where objects go; undefined = a folder of ours. */
  readonly s3: ObjectStorage | undefined;
  readonly retention: Retention;
  readonly log: LogLevel;
}

const wrong = (reason: string) => fail('configurationWrong', reason);

/** Fails with `configurationWrong` and one sentence that names the key. */
export function cloudConfig(sources: Sources): Result<CloudConfig> {
  const reading = readSettings(settingTable, sources);
  if (!reading.ok) return reading;
  const { values } = reading.value;
  if ((values.tlsCert === undefined) !== (values.tlsKey === undefined))
    return wrong('CARILLON_TLS_CERT and CARILLON_TLS_KEY go together; set both or none');
  if ((values.mqttCert === undefined) !== (values.mqttKey === undefined))
    return wrong('CARILLON_MQTT_CERT and CARILLON_MQTT_KEY go together; set both or none');
  const data = resolve(values.data ?? './.carillon');
  const [broker, ...others] = values.mqtt === 'embedded' ? [] : (values.mqtt ?? []);
  if (broker === undefined && values.mqttUrl !== undefined)
    return wrong('CARILLON_MQTT_URL is for external brokers; name them in CARILLON_MQTT, or leave it out');
  const hostUrl = values.mqttUrl?.find((url) => new URL(url).username !== '');
  if (hostUrl !== undefined)
    return wrong('CARILLON_MQTT_URL has a user name; hosts sign in by certificate, so leave it out');
  return ok(
    Object.freeze({
      data,
      http: values.http ?? { host: '127.0.0.1', port: 8080 },
      publicUrl: values.publicUrl,
      database: values.database ?? `sqlite:${resolve(data, 'cloud.db')}`,
      mqtt:
        broker === undefined
          ? undefined
          : {
              urls: [broker, ...others] as const,
              ...(values.mqttUrl === undefined ? {} : { hostUrls: values.mqttUrl }),
              ...(values.mqttCert === undefined ? {} : { certFile: values.mqttCert }),
              ...(values.mqttKey === undefined ? {} : { keyFile: values.mqttKey }),
            },
      mqttListen: values.mqttListen ?? { host: '127.0.0.1', port: 1883 },
      edge: values.edge ?? { host: '127.0.0.1', port: 8444 },
      edgeUrl: values.edgeUrl,
      trustedProxies: values.trustedProxies ?? [],
      tlsFiles:
        values.tlsCert === undefined || values.tlsKey === undefined
          ? undefined
          : { cert: values.tlsCert, key: values.tlsKey },
      trustFile: values.trust,
      rateLimits: values.rateLimits !== 'off',
      bootstrapToken: values.bootstrapToken,
      vault: {
        given: values.vaultKey,
        command: values.vaultKeyCommand,
        credentials: sources.environment.CREDENTIALS_DIRECTORY,
      },
      allowPrivate: values.allowPrivate ?? [],
      pushServices: values.pushServices ?? [],
      s3: values.s3,
      retention: values.retention ?? DEFAULT_RETENTION,
      log: values.log ?? 'info',
    }),
  );
}
