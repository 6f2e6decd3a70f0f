import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service as KubernetesService } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { cloudConfig } from '#cloud/config.ts';
import { settingTable } from '#shared/setting/index.ts';

/* Files by which several control planes run: each name in them is one that the program or another of these files knows. */

const FOLDER = join(import.meta.dirname, '../../systemd/cloud');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** A secret as a file of it would have it; the parser of the program judges it. */
const SECRETS: Readonly<Record<string, string>> = {
  database: 'postgres://carillon:PASSWORD@postgres/carillon',
  'vault-key': Buffer.alloc(32, 1).toString('base64'),
  s3: 'https://KEYID:SECRET@s3.example.org/?region=eu-1&bucket=carillon',
};
const NAME = 'cloud.example.org';

/** Settings of a file with the texts of their secrets; fails for a name that the program does not know. */
function environmentOf(written: Readonly<Record<string, string>>): Record<string, string> {
  const secrets = new Set(Object.values(settingTable).flatMap(({ env, secret }) => (secret ? [env] : [])));
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      const text = value.replaceAll(/\$\{CARILLON_NAME[^}]*\}/g, NAME);
      const named = name.replace(/_FILE$/, '');
      if (!name.endsWith('_FILE') || !secrets.has(named)) return [name, text];
      const secret = SECRETS[text.split('/').at(-1) ?? ''];
      return [named, secret ?? expect.fail(`${name} names no secret of these files`)];
    }),
  );
}

/** The ports that the image listens on. */
const EXPOSED = (/^EXPOSE (.+)$/m.exec(read('Containerfile'))?.[1] ?? '').split(' ').map(Number);

describe('systemd/cloud/several', () => {
  interface Service {
    readonly image: string;
    readonly environment?: Record<string, string>;
    readonly secrets?: readonly string[];
    readonly depends_on?: readonly string[];
    readonly ports?: readonly string[];
    readonly volumes?: readonly string[];
    readonly networks?: { readonly default: { readonly ipv4_address: string } };
  }
  const file = parse(read('several/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
    volumes: Record<string, null>;
  };
  const { services } = file;
  const clouds = Object.entries(services).filter(([, { image }]) => image === 'carillon-cloud');

  it('has two control planes with settings that the program takes', () => {
    expect(clouds.map(([name]) => name)).toEqual(['cloud-1', 'cloud-2']);
    for (const [, { environment = {} }] of clouds) {
      const config = cloudConfig({ flags: {}, file: {}, environment: environmentOf(environment) });
      expect(config).toMatchObject({ ok: true });
      if (!config.ok) continue;
      const { mqtt, trustedProxies, database, s3 } = config.value;
      expect(database).toMatch(/^postgres:/);
      expect(s3?.bucket).toBe('carillon');
      const { hostname } = new URL(database);
      const brokers = mqtt?.urls.map((url) => new URL(url).hostname) ?? [];
      for (const name of [hostname, ...brokers]) expect(Object.keys(services)).toContain(name);
      expect(brokers).toHaveLength(2);
      expect(trustedProxies).toEqual([`${services.balancer?.networks?.default.ipv4_address}/32`]);
    }
  });

  it('names secrets, volumes and services that are there', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const secret of service.secrets ?? []) expect(file.secrets, name).toHaveProperty(secret);
      for (const other of service.depends_on ?? []) expect(services, name).toHaveProperty(other);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (!source.startsWith('.')) expect(file.volumes, name).toHaveProperty(source);
      }
    }
  });

  it('the load balancer reaches each part at a port that it has, and says whose connection it is', () => {
    const text = read('several/haproxy.cfg');
    const binds = [...text.matchAll(/^ {2}bind :(\d+)/gm)].map(([, port]) => port);
    const published = services.balancer?.ports?.map((port) => port.split(':')[1]);
    expect(binds).toEqual(published);
    const servers = [...text.matchAll(/^ {2}server (\S+) (\S+):(\d+) (.+)$/gm)];
    expect(servers.map(([, name]) => name)).toEqual([
      ...['cloud-1', 'cloud-2', 'cloud-1', 'cloud-2'],
      ...['mqtt-1', 'mqtt-2'],
    ]);
    for (const [, name = '', host = '', port, options = ''] of servers) {
      expect(host).toBe(name);
      expect(Object.keys(services)).toContain(host);
      expect(EXPOSED).toContain(Number(port));
      const isCloud = clouds.some(([cloud]) => cloud === name);
      expect(/\bsend-proxy-v2\b/.test(options), name).toBe(isCloud);
      expect(/\bcheck-send-proxy\b/.test(options), name).toBe(isCloud);
    }
    const checks = [...text.matchAll(/^ {2}http-check send meth GET uri (\S+) .*\bhdr Host \S+$/gm)];
    expect(checks.map(([, path]) => path)).toEqual(['/readyz', '/readyz']);
  });
});

describe('systemd/cloud/kubernetes', () => {
  interface Resource {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
    readonly data?: Record<string, string>;
    readonly spec?: {
      readonly selector?: Record<string, string> & { readonly matchLabels?: Record<string, string> };
      readonly ports?: readonly { readonly targetPort: string }[];
      readonly replicas?: number;
      readonly maxUnavailable?: number;
      readonly template?: {
        readonly metadata: { readonly labels: Record<string, string> };
        readonly spec: Pod;
      };
    };
  }
  interface Pod {
    readonly terminationGracePeriodSeconds: number;
    readonly containers: readonly Container[];
    readonly volumes: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName: string };
    }[];
  }
  interface Container {
    readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    readonly [probe: string]: unknown;
  }
  const { resources: names } = parse(read('kubernetes/kustomization.yaml')) as { resources: string[] };
  const resources = names.flatMap((name) =>
    parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS() as Resource),
  );
  const only = (kind: string): Resource =>
    resources.find((each) => each.kind === kind) ?? expect.fail(`there is no ${kind}`);
  const pod = only('Deployment').spec?.template?.spec ?? expect.fail('the Deployment has no pod');
  const [container] = pod.containers;
  if (container === undefined) throw new Error('the pod has no container');

  it('consists of resources of stable versions', () => {
    expect(resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      ...['v1 ConfigMap', 'apps/v1 Deployment', 'v1 Service', 'v1 Service'],
      'policy/v1 PodDisruptionBudget',
    ]);
  });

  /** By the schemas of Kubernetes; the text of the fault, or nothing. */
  function faultOf(resource: Resource): string {
    const read = { ConfigMap, Deployment, PodDisruptionBudget, Service: KubernetesService };
    try {
      new (read[resource.kind as keyof typeof read] as new (written: object) => { validate: () => void })(
        resource,
      ).validate();
      return '';
    } catch (fault) {
      return String(fault);
    }
  }

  it('is what the schemas of Kubernetes ask for', () => {
    expect(resources.map(faultOf)).toEqual(resources.map(() => ''));
    const broken = structuredClone(only('Deployment')) as { spec?: object };
    Object.assign(broken.spec ?? {}, { replicas: 'two', strategie: {} });
    expect(faultOf(broken as Resource)).toMatch(/replicas must be integer/);
  });

  it('has settings that the program takes', () => {
    const maps = container.envFrom.map(({ configMapRef }) => configMapRef.name);
    const config = resources.filter(
      ({ kind, metadata }) => kind === 'ConfigMap' && maps.includes(metadata.name),
    );
    expect(config).toHaveLength(maps.length);
    const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const written = Object.assign({}, ...config.map(({ data }) => data), own) as Record<string, string>;
    const taken = cloudConfig({ flags: {}, file: {}, environment: environmentOf(written) });
    expect(taken).toMatchObject({ ok: true });
    if (taken.ok) {
      expect(taken.value.database).toMatch(/^postgres:/);
      expect(taken.value.mqtt?.urls).toHaveLength(2);
    }
  });

  it('mounts volumes that are there, where settings look for their files', () => {
    const volumes = pod.volumes.map(({ name }) => name);
    expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
    const places = container.volumeMounts.map(({ mountPath }) => mountPath);
    for (const { name, value } of container.env)
      expect(places, name).toContain(value.slice(0, value.lastIndexOf('/')));
    const [, data] = /CARILLON_DATA=(\S+)/.exec(read('Containerfile')) ?? [];
    expect(places).toContain(data);
    const made = [...read('kubernetes/kustomization.yaml').matchAll(/create secret generic (\S+)/g)];
    const secrets = pod.volumes.flatMap(({ secret }) => secret?.secretName ?? []);
    expect(made.map(([, name]) => name)).toEqual(secrets);
  });

  it('selects its own pods, and sends them where they listen', () => {
    const labels = only('Deployment').spec?.template?.metadata.labels;
    for (const { kind, spec } of resources.filter(({ kind }) => kind !== 'ConfigMap'))
      expect(spec?.selector?.matchLabels ?? spec?.selector, kind).toEqual(labels);
    const ports = container.ports.map(({ name }) => name);
    for (const { containerPort } of container.ports) expect(EXPOSED).toContain(containerPort);
    for (const { spec } of resources.filter(({ kind }) => kind === 'Service'))
      for (const { targetPort } of spec?.ports ?? []) expect(ports).toContain(targetPort);
  });

  it('asks for health where the program answers, and ends after it', () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map(
      (name) => container[name] as { readonly httpGet: { readonly path: string; readonly port: string } },
    );
    expect(probes.map(({ httpGet }) => httpGet)).toEqual([
      { path: '/healthz', port: 'api' },
      { path: '/healthz', port: 'api' },
      { path: '/readyz', port: 'api' },
    ]);
    expect(pod.terminationGracePeriodSeconds).toBe(60);
    expect(only('Deployment').spec?.replicas).toBeGreaterThan(
      only('PodDisruptionBudget').spec?.maxUnavailable ?? 9,
    );
  });
});
