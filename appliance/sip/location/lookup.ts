import type { Failure, Result } from '#shared/result.ts';

/** NAPTR record (RFC 3403 4) in the parts RFC 3263 uses. */
export interface NaptrRecord {
  readonly order: number;
  readonly preference: number;
  /** `s`: the replacement is the name of SRV records. */
  readonly flags: string;
  /** `SIP+D2U`, `SIP+D2T`, `SIPS+D2T`, … */
  readonly service: string;
  readonly replacement: string;
}

/** SRV record (RFC 2782). */
export interface SrvRecord {
  readonly priority: number;
  readonly weight: number;
  readonly port: number;
  readonly target: string;
}

/** An empty list: the name server answered, and there is nothing of this kind. */
export type Looked<T> = Result<readonly T[], Failure<'LookupFailed'>>;

/** The name service as a core sees it; `io/resolve` is the real one. Never rejects. */
export interface Lookup {
  naptr(name: string): Promise<Looked<NaptrRecord>>;
  srv(name: string): Promise<Looked<SrvRecord>>;
  /** IPv4 and IPv6 addresses, without brackets, in the order to try them. */
  addresses(name: string): Promise<Looked<string>>;
}
