import type { DocumentationFiles } from '#shared/documentation/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Failure } from '#shared/result.ts';
import type { Provisioning } from '../../provisioning/index.ts';
import type { Tenancy } from '../../tenant/index.ts';
import type { Api } from './api-env.ts';
import type { Gate } from './gate.ts';
import type { RateLimiter } from './rate-limit.ts';

/** Everything the application needs from outside. */
export interface AppPort {
  readonly tenancy: Tenancy;
  readonly provisioning: Provisioning;
  /** `{base_url}` as seen from outside. */
  readonly publicUrl: string;
  /** Where hosts reach the broker, shown in the AsyncAPI document; absent = the embedded one at its usual place. */
  readonly brokerUrl?: string;
  /** Program version, shown in the OpenAPI document. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  readonly random: RandomBytes;
  readonly sha256: (text: string) => string;
  /** Runs work of which the store keeps nothing, for `?dryRun=true`. */
  readonly rehearse: <T>(work: () => Promise<T>) => Promise<T>;
  /** `CARILLON_RATE_LIMITS`. */
  readonly rateLimits: boolean;
  /** Buckets that other replicas hear of; absent: they are of this application alone. */
  readonly limiter?: RateLimiter;
  /** `/metrics` is open there, and takes the platform owner's token elsewhere. */
  readonly listenerOnLoopback: boolean;
  /** One asset of the API page, by file name. */
  readonly docsAsset: (name: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** The files of the documentation site; absent: it was not built. */
  readonly documentation?: () => Promise<DocumentationFiles>;
  /** One file of the web console, undefined for a name that the build did not make; absent: it was not built. */
  readonly consoleFile?: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Further routers (sites, edge), each made with the gate of this application. */
  readonly routers?: readonly ((gate: Gate) => Api)[];
  /** Each says why the program cannot serve now, or null. Asked by `/readyz`, beside the database. */
  readonly readiness?: readonly (() => Promise<string | null>)[];
  /** Further lines for `/metrics` in Prometheus text format. */
  readonly metrics?: readonly (() => string | Promise<string>)[];
  /** A request was refused with this status. */
  readonly onRefused?: (failure: Failure, status: number) => void;
  /** The failure of the storage that an exception in a route stands for; undefined: it is a bug. */
  readonly storageFault?: (error: unknown) => Failure | undefined;
  /** An exception in a route: a bug. The caller gets 500 and this request id. */
  readonly onDefect: (error: unknown, requestId: string) => void;
}
