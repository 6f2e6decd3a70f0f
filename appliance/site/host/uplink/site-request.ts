import { BoundedMap } from '#shared/bounded-map.ts';
import {
  type RemoteRequest,
  type RemoteResponse,
  remoteRequestSchema,
  SCOPES,
  scopeField,
} from '#shared/contract/feed/index.ts';
import { relayRequestSchema } from '#shared/contract/runtime/index.ts';
import { ok } from '#shared/result.ts';
import { AnsweredRequests } from '../../index.ts';
import { OperationTable } from '../../remote/index.ts';
import type { SiteConfiguration } from '../configuration/site-configuration.ts';
import type { RemoteAnswer, RemoteOperation, SitePorts } from '../site-port.ts';

/** Chosen: a log that is followed is asked for every 2 s; a break this long is a new look. */
const FOLLOWED_MS = 30_000;
const FOLLOWERS_KEPT = 100;

export interface RequestRoutes {
  readonly configuration: SiteConfiguration;
  readonly rebirth: () => void;
}

/** Asked again and again: a line for each would hide all others. The audit log has who listens. */
const QUIET: readonly string[] = ['ping', 'callback.copies'];

/** Requests of the cloud over the management connection. There is no shell; each operation stands in the table. */
export class SiteRequests {
  readonly #ports: SitePorts;
  readonly #routes: RequestRoutes;
  readonly #respond: (response: RemoteResponse) => void;
  readonly #answered = new AnsweredRequests();
  /** The operations that every host has, behind those that its parts add. */
  readonly #own = new OperationTable();
  /** Last look of each person who follows the log, monotonic ms. */
  readonly #followers = new BoundedMap<string, number>(FOLLOWERS_KEPT);

  constructor(ports: SitePorts, routes: RequestRoutes, respond: (response: RemoteResponse) => void) {
    this.#ports = ports;
    this.#routes = routes;
    this.#respond = respond;
    this.#own.add(this.#operations);
  }

  /** `message` is what came as JSON. Without an id there is no request to answer. */
  arrived(message: unknown): void {
    const read = remoteRequestSchema.safeParse(message);
    if (!read.success) {
      const id = remoteRequestSchema.shape.id.safeParse(member(message, 'id'));
      if (id.success) this.#respond(refusal(id.data, 'invalid', 'the request has another version or form'));
      return;
    }
    const request = read.data;
    const nowMs = this.#ports.clock.monoMs();
    const known = this.#answered.open(request.id, nowMs);
    if (known === 'underWay') return;
    if (known !== 'new') {
      this.#respond(known);
      return;
    }
    const response = this.#answer(request);
    if (response instanceof Promise) this.#ports.run(response.then((later) => this.#give(later)));
    else this.#give(response);
  }

  #give(response: RemoteResponse): void {
    this.#answered.answer(response, this.#ports.clock.monoMs());
    this.#respond(response);
  }

  #answer(request: RemoteRequest): RemoteResponse | Promise<RemoteResponse> {
    const { id, op, by, exp } = request;
    if (exp <= this.#ports.clock.wallMs()) return refusal(id, 'expired', `${op} came after its time`);
    const operation = this.#ports.remote?.find(op) ?? this.#own.find(op);
    if (operation === undefined) return refusal(id, 'unknownOperation', `this host does not know ${op}`);
    if (!QUIET.includes(op) && !this.#goesOn(op, by))
      this.#ports.log('info', 'remote_request.received', 'Received a request of the cloud', { op, by });
    const answer = operation(request);
    return answer instanceof Promise ? answer.then((later) => responseOf(id, later)) : responseOf(id, answer);
  }

  /** Whether a person goes on to follow the log: the line of the first look would else fill the very log that is read. */
  #goesOn(op: string, by: string): boolean {
    if (op !== 'logs.tail') return false;
    const now = this.#ports.clock.monoMs();
    const before = this.#followers.get(by) ?? Number.NEGATIVE_INFINITY;
    this.#followers.set(by, now);
    return now - before < FOLLOWED_MS;
  }

  readonly #operations: Readonly<Record<string, RemoteOperation>> = {
    ping: () => {
      const { svc, upS } = this.#ports.facts();
      return { ok: true, value: { ts: this.#ports.clock.wallMs(), up: Math.floor(upS), svc } };
    },
    probe: () => ({ ok: false, code: 'noPeer', reason: 'this host has no link to a peer' }),
    rebirth: () => {
      this.#routes.rebirth();
      return { ok: true, value: {} };
    },
    'cfg.resync': ({ args }) => {
      const scope = args.scope === undefined ? undefined : scopeField.safeParse(args.scope);
      if (scope?.success === false) return { ok: false, code: 'invalid', reason: '/args/scope is no scope' };
      const scopes = scope === undefined ? SCOPES : [scope.data];
      this.#routes.configuration.resync(scopes);
      return { ok: true, value: { scopes } };
    },
    // The caller's own token is judged here again: that the cloud asks opens nothing.
    'api.relay': async ({ args }) => {
      const asked = relayRequestSchema.safeParse(args);
      if (!asked.success) return { ok: false, code: 'invalid', reason: '/args is no runtime operation' };
      const { body, ...request } = asked.data;
      const answer = await this.#ports.operate({ ...request, body: () => ok(body) });
      return { ok: true, value: { ...answer } };
    },
  };
}

const responseOf = (id: string, answer: RemoteAnswer): RemoteResponse =>
  answer.ok
    ? { v: 1, id, ok: true, data: answer.value, part: 1, last: true }
    : refusal(id, answer.code, answer.reason);

const refusal = (id: string, code: string, reason: string): RemoteResponse => ({
  v: 1,
  id,
  ok: false,
  data: {},
  error: { code, reason },
  part: 1,
  last: true,
});

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
