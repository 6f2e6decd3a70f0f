import { z } from '@hono/zod-openapi';
import {
  configReportSchema,
  eventAckSchema,
  eventBatchSchema,
  heartbeatSchema,
  LANES,
  ownerStateSchema,
  PAYLOAD_LIMIT_BYTES,
  remoteRequestSchema,
  remoteResponseSchema,
  stateSchema,
  topicOf,
  twinSchema,
} from '#shared/contract/feed/index.ts';
import { recordBatchSchema } from '#shared/contract/session-record/index.ts';
import { QUEUE_TOPICS } from './queue-description.ts';

/** One branch of the tree: what is published there, by whom, and how. */
interface Branch {
  readonly address: string;
  readonly message: string;
  readonly payload: z.ZodType;
  /** `receive`: hosts publish, the control plane receives. */
  readonly action: 'send' | 'receive';
  readonly summary: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
  /** Media type of the payload; JSON unless it says otherwise. */
  readonly contentType?: string;
}

const place = { sh: '{sh}', tenant: '{tenant}', siteId: '{siteId}', uid: '{uid}' };
const host = (leaf: Parameters<typeof topicOf>[1] | 'up/ev/{lane}'): string =>
  topicOf(place, leaf as Parameters<typeof topicOf>[1]);

/** The management tree (control plane, section 3). */
const BRANCHES: Readonly<Record<string, Branch>> = {
  hostState: {
    address: host('up/state'),
    message: 'State',
    payload: stateSchema,
    action: 'receive',
    summary: 'A host has connected, or its connection was lost (will)',
    qos: 1,
    retain: true,
  },
  heartbeat: {
    address: host('up/hb'),
    message: 'Heartbeat',
    payload: heartbeatSchema,
    action: 'receive',
    summary: 'A host reports that it works; QoS 1 in profile high',
    qos: 0,
    retain: false,
  },
  configReport: {
    address: host('up/cfg'),
    message: 'ConfigReport',
    payload: configReportSchema,
    action: 'receive',
    summary: 'A host applied, acknowledged or refused a configuration',
    qos: 1,
    retain: false,
  },
  events: {
    address: host('up/ev/{lane}'),
    message: 'EventBatch',
    payload: eventBatchSchema,
    action: 'receive',
    summary: 'A host sends events of one lane of its outbox until they are acknowledged',
    qos: 1,
    retain: false,
  },
  records: {
    address: host('up/rec'),
    message: 'RecordBatch',
    payload: recordBatchSchema,
    action: 'receive',
    summary: 'A host sends records of sessions until they are acknowledged (capability lane.record)',
    qos: 1,
    retain: false,
  },
  rpcResponse: {
    address: host('up/res'),
    message: 'RemoteResponse',
    payload: remoteResponseSchema,
    action: 'receive',
    summary: 'A host answers a remote call',
    qos: 1,
    retain: false,
  },
  twin: {
    address: host('dn/twin'),
    message: 'Twin',
    payload: twinSchema,
    action: 'send',
    summary:
      'The control plane sets the desired state of a host: compact JWS (EdDSA, typ carillon-twin) of this payload',
    qos: 1,
    retain: true,
    contentType: 'application/jose',
  },
  eventAck: {
    address: host('dn/ack'),
    message: 'EventAck',
    payload: eventAckSchema,
    action: 'send',
    summary: 'The control plane confirms events that its database has committed',
    qos: 1,
    retain: false,
  },
  rpcRequest: {
    address: host('dn/req'),
    message: 'RemoteRequest',
    payload: remoteRequestSchema,
    action: 'send',
    summary: 'The control plane sends a remote call with its deadline',
    qos: 1,
    retain: false,
  },
  ownerState: {
    address: 'carillon/1/{sh}/cp/state',
    message: 'OwnerState',
    payload: ownerStateSchema,
    action: 'send',
    summary: 'The owner of a shard reports that it works; also its will',
    qos: 1,
    retain: true,
  },
};

const PARAMETERS = {
  sh: { description: 'Shard: the first 6 bits of SHA-256(uid), 00 to 3f' },
  tenant: { description: 'Id of the tenant (ULID), not its domain' },
  siteId: { description: 'Site' },
  uid: { description: 'Host (ULID)' },
  domain: { description: 'Tenant' },
  clientId: { description: 'Client id of the application' },
  lane: { description: 'Lane of the outbox', enum: [...LANES] },
} as const;

/** AsyncAPI 3 of the MQTT tree, from the schemas that both sides validate with. */
export function messageDescription(version: string, brokerUrl: string) {
  const { host: server, protocol } = new URL(brokerUrl);
  const entries = Object.entries<Branch>({ ...BRANCHES, ...QUEUE_TOPICS });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Carillon management tree',
      version,
      description: `MQTT 3.1.1, JSON in UTF-8, at most ${PAYLOAD_LIMIT_BYTES} bytes. The broker refuses QoS 2. Each host publishes and reads below its own topic only.`,
    },
    defaultContentType: 'application/json',
    servers: {
      broker: { host: server, protocol: protocol.slice(0, -1), protocolVersion: '3.1.1' },
      commandQueue: {
        host: '{site}:8883',
        protocol: 'mqtts',
        protocolVersion: '3.1.1',
        description: 'Command queue of a site for applications; the password is a JWT signed by an API key',
        variables: { site: { description: 'Host name of siteBaseUrl' } },
      },
    },
    channels: Object.fromEntries(entries.map(([name, branch]) => [name, channelOf(name, branch)])),
    operations: Object.fromEntries(
      entries.map(([name, branch]) => [`${branch.action}${capital(name)}`, operationOf(name, branch)]),
    ),
    components: {
      messages: Object.fromEntries(
        entries.map(([, { message, payload, contentType }]) => [
          message,
          {
            name: message,
            ...(contentType === undefined ? {} : { contentType }),
            payload: z.toJSONSchema(payload, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
          },
        ]),
      ),
    },
  };
}

const channelOf = (name: string, { address, message }: Branch) => ({
  address,
  servers: [{ $ref: `#/servers/${Object.hasOwn(QUEUE_TOPICS, name) ? 'commandQueue' : 'broker'}` }],
  parameters: Object.fromEntries(
    Object.entries(PARAMETERS).filter(([name]) => address.includes(`{${name}}`)),
  ),
  messages: { [message]: { $ref: `#/components/messages/${message}` } },
});

const operationOf = (name: string, { action, message, summary, qos, retain }: Branch) => ({
  action,
  summary,
  channel: { $ref: `#/channels/${name}` },
  messages: [{ $ref: `#/channels/${name}/messages/${message}` }],
  bindings: { mqtt: { qos, retain, bindingVersion: '0.2.0' } },
});

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
