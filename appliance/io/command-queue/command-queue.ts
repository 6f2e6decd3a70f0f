import { type Duplex, duplexPair } from 'node:stream';
import { createServer, type Server } from 'node:tls';
import { Aedes, type AuthenticateError, type Client, type PublishPacket } from 'aedes';
import { PacketMeter } from '#shared/mqtt/index.ts';
import { type Listen, listenAdvice } from '#shared/setting/index.ts';
import {
  CLIENT_ID,
  type CommandKind,
  commandAt,
  eventTopic,
  mayRead,
  type QueueTopic,
  replyTopic,
} from './access.ts';

/** PEM. */
export interface QueueCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The request of a client, with the token it came with. */
export interface QueueCommand {
  readonly kind: CommandKind;
  /** The JSON that was published; undefined: it was none. */
  readonly command: unknown;
  readonly token: string;
}

export interface QueueSetting {
  /** Each a listener of its own; with one alone `::` hears IPv4 as well. */
  readonly listen: readonly Listen[];
  readonly domain: () => string;
  /** Whether the bearer of this token may use runtime operations now; the reason when not. */
  readonly admit: (token: string) => Promise<string | undefined>;
  /** Does what is asked; the answer goes to who asked. */
  readonly perform: (asked: QueueCommand) => Promise<Readonly<Record<string, unknown>>>;
  readonly onRefused: (reason: string, detail: Readonly<Record<string, unknown>>) => void;
}

interface Visitor {
  readonly token: string;
}

const MOST_CLIENTS = 200;
const PER_SECOND = 50;
const BURST = 200;

/**
 * The command queue of the site (control plane 3.6): MQTT 3.1.1 over TLS for applications. Password is a JWT of an API
 * key; a client publishes commands and reads its own answers and the tenant's events, nothing else. Nothing is stored.
 */
export class CommandQueueBroker {
  readonly #setting: QueueSetting;
  #broker: Aedes | undefined;
  /** The servers of the first addresses, in their order. */
  #servers: readonly Server[] = [];
  #securing: Promise<void> = Promise.resolve();
  readonly #visitors = new WeakMap<Client, Visitor>();
  readonly #sockets = new Set<Duplex>();

  constructor(setting: QueueSetting) {
    this.#setting = setting;
  }

  /** Where it listens, with the real ports; none: not open yet. */
  get bound(): readonly Listen[] {
    return this.#servers.map((server, index) => {
      const { host = '', port = 0 } = this.#setting.listen[index] ?? {};
      const address = server.address();
      return { host, port: typeof address === 'object' && address !== null ? address.port : port };
    });
  }

  /** Port of the first address; undefined: not open yet. */
  get port(): number | undefined {
    return this.bound[0]?.port;
  }

  /**
   * Opens with the first certificate, shows later ones to new connections. Rejects with the address in the message. One after the
   * other: each address is opened once.
   */
  secure(certificate: QueueCertificate): Promise<void> {
    const secured = this.#securing.then(() => this.#secure(certificate));
    this.#securing = secured.catch(() => undefined);
    return secured;
  }

  async #secure(certificate: QueueCertificate): Promise<void> {
    for (const server of this.#servers) server.setSecureContext(certificate);
    this.#broker ??= await this.#openBroker();
    for (const at of this.#setting.listen.slice(this.#servers.length))
      this.#servers = [...this.#servers, await this.#listen(at, certificate)];
  }

  async #listen(at: Listen, certificate: QueueCertificate): Promise<Server> {
    const server = createServer({ ...certificate, minVersion: 'TLSv1.2' });
    server.on('secureConnection', (socket) => this.#welcome(socket));
    server.on('tlsClientError', (error) => this.#setting.onRefused('TLS', { reason: error.message }));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => {
        const advice = listenAdvice('CARILLON_COMMAND_QUEUE', at, cause.code);
        reject(new Error(`command queue at ${at.host}:${at.port}: ${cause.message}; ${advice}`));
      });
      server.listen({ ...at, ipv6Only: this.#setting.listen.length > 1 }, () => {
        server.removeAllListeners('error');
        resolve();
      });
    });
    return server;
  }

  /** Tells every client that reads the topic. */
  tell(topic: QueueTopic, event: Readonly<Record<string, unknown>>): void {
    this.#publish(eventTopic(this.#setting.domain(), topic), event);
  }

  async close(): Promise<void> {
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    const broker = this.#broker;
    if (broker !== undefined) await new Promise<void>((resolve) => broker.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  #welcome(socket: Duplex): void {
    if (this.#sockets.size >= MOST_CLIENTS) {
      this.#setting.onRefused('too many clients', { clients: MOST_CLIENTS });
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    const [near, far] = duplexPair();
    const close = (): void => {
      this.#sockets.delete(socket);
      near.destroy();
      socket.destroy();
    };
    socket.once('close', close).on('error', close);
    near.once('close', close).on('error', close);
    far.once('close', close).on('error', close);
    const measure = meter();
    socket.on('data', (chunk: Buffer) => {
      const fault = measure(chunk);
      if (fault === undefined) near.write(chunk);
      else {
        this.#setting.onRefused('cut off', { reason: fault });
        close();
      }
    });
    near.on('data', (chunk: Buffer) => socket.write(chunk));
    this.#broker?.handle(far);
  }

  async #openBroker(): Promise<Aedes> {
    const { domain, onRefused } = this.#setting;
    const refuse = (client: Client | null, reason: string): Error => {
      onRefused(reason, { clientId: client?.id });
      return new Error(reason);
    };
    const broker = await Aedes.createBroker({
      connectTimeout: 10_000,
      drainTimeout: 10_000,
      keepaliveLimit: 300,
      maxTopicLevels: 8,
      preConnect: (client, packet, done) => {
        const fault =
          packet.protocolVersion !== 4
            ? 'only MQTT 3.1.1 is spoken here'
            : !CLIENT_ID.test(packet.clientId)
              ? 'the client id must be 1 to 64 of letters, digits, dot, dash and underscore'
              : !packet.clean
                ? 'only clean sessions are taken'
                : packet.will !== undefined
                  ? 'a will is not taken'
                  : undefined;
        if (fault === undefined) done(null, true);
        else done(refuse(client, fault), false);
      },
      authenticate: (client, _username, password, done) => {
        const token = password?.toString('utf8') ?? '';
        const answer = (reason: string | undefined): void => {
          if (reason === undefined) {
            this.#visitors.set(client, { token });
            done(null, true);
          } else done(Object.assign(refuse(client, reason), { returnCode: 5 }) as AuthenticateError, false);
        };
        this.#setting.admit(token).then(answer, (cause: unknown) => answer(String(cause)));
      },
      authorizePublish: (client, packet: PublishPacket, done) => {
        const isCommand = commandAt(domain(), packet.topic) !== undefined && packet.qos < 2 && !packet.retain;
        done(client === null || isCommand ? null : refuse(client, `publish to ${packet.topic}`));
      },
      authorizeSubscribe: (client, subscription, done) => {
        const may = client === null || mayRead(domain(), client.id, subscription.topic);
        done(may ? null : refuse(client, `subscribe to ${subscription.topic}`), may ? subscription : null);
      },
      authorizeForward: (client, packet) => (mayRead(domain(), client.id, packet.topic) ? packet : null),
    });
    broker.on('publish', (packet, client) => {
      const kind = client === null ? undefined : commandAt(domain(), packet.topic);
      if (client !== null && kind !== undefined) this.#command(client, kind, packet.payload);
    });
    broker.on('connectionError', (client, error) => onRefused(error.message, { clientId: client.id }));
    return broker;
  }

  #command(client: Client, kind: CommandKind, payload: Buffer | string): void {
    const token = this.#visitors.get(client)?.token ?? '';
    const command = parsed(payload);
    const id = idOf(command);
    const reply = replyTopic(this.#setting.domain(), client.id);
    this.#setting.perform({ kind, command, token }).then(
      (answer) => this.#publish(reply, { ...(id !== undefined && { id }), ...answer }),
      (cause: unknown) => this.#setting.onRefused('a defect ended a command', { cause: String(cause) }),
    );
  }

  #publish(topic: string, value: Readonly<Record<string, unknown>>): void {
    const packet = {
      cmd: 'publish',
      topic,
      payload: Buffer.from(JSON.stringify(value)),
      qos: 1,
      retain: false,
      dup: false,
    } as const;
    this.#broker?.publish(packet, () => undefined);
  }
}

/** Says why a client must be cut off: a packet too long for the broker, or more than 200 at once. */
function meter(): (chunk: Buffer) => string | undefined {
  const packets = new PacketMeter();
  let tokens = BURST;
  let filledAt = performance.now();
  return (chunk) => {
    const measured = packets.take(chunk);
    if ('fault' in measured) return measured.fault;
    const now = performance.now();
    tokens = Math.min(BURST, tokens + ((now - filledAt) / 1000) * PER_SECOND) - measured.publishes;
    filledAt = now;
    return tokens >= 0 ? undefined : `more commands than ${PER_SECOND} a second`;
  };
}

function parsed(payload: Buffer | string): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

const idOf = (command: unknown): string | undefined => {
  const id: unknown =
    typeof command === 'object' && command !== null && 'id' in command ? command.id : undefined;
  return typeof id === 'string' && id.length <= 128 ? id : undefined;
};
