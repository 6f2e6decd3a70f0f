import { isAllowed, type Right, TOLERANCE_S } from '#shared/access/index.ts';
import {
  PERSON_LIFE_S,
  PERSON_SCHEME,
  type PersonStatement,
  personStatementSchema,
} from '#shared/contract/access/index.ts';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import type { RuntimeOperation } from '#shared/contract/runtime/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Caller } from './access.ts';

/** The parts of this host by which it believes a person who is signed in to the control plane. */
export interface PersonPorts {
  /** uid of this host; undefined before its enrolment. */
  readonly uid: string | undefined;
  /** Opens a person statement of the control plane by the keys that are known now; undefined: it is none. */
  readonly open: (compact: string) => Promise<unknown>;
  /** The tenant lets persons ask its hosts. */
  readonly accepted: boolean;
  readonly used: UsedStatements;
  readonly sha256Hex: (text: string) => string;
  /** For the audit: a person was let in. */
  readonly admitted: (statement: PersonStatement) => void;
}

/** The request that the statement must be about. */
export interface PersonRequest {
  readonly domain: string;
  readonly operation: RuntimeOperation;
  readonly body: unknown;
  readonly right: Right;
}

export type PersonFailure = Failure<'personStatementInvalid' | 'personStatementsRefused' | 'forbidden'>;

/** The compact statement of a header `Authorization`; undefined: the header has another scheme. */
export const personStatementOf = (authorization: string | undefined): string | undefined =>
  new RegExp(`^${PERSON_SCHEME} +([\\x21-\\x7e]{1,8192}) *$`).exec(authorization ?? '')?.[1];

/**
 * May this person do this here, now, once? The statement is judged against the request itself, so that one for another host,
 * operation or body opens nothing. Each failure has its own code: a control plane tells by it a host that judges from an
 * older one, which knows no statement and answers `unauthorized`.
 */
export async function admitPerson(
  ports: PersonPorts,
  compact: string,
  request: PersonRequest,
  nowMs: number,
): Promise<Result<Caller, PersonFailure>> {
  if (!ports.accepted)
    return fail(
      'personStatementsRefused',
      'The request is refused: the tenant lets no signed-in person ask its hosts. Send an API token of the tenant, or change personStatements in the notification settings.',
    );
  const read = personStatementSchema.safeParse(await ports.open(compact));
  if (!read.success)
    return invalid(
      'it is not signed by the control plane of this host. Look whether the host has its newest keys',
    );
  const statement = read.data;
  const wrong = statementFault(ports, statement, request, nowMs);
  if (wrong !== undefined) return invalid(wrong);
  // The right is asked first: a statement that opens nothing must not take a place in the memory of used ones.
  if (!isAllowed({ role: statement.role, scopes: null }, 'runtime', request.right))
    return fail(
      'forbidden',
      `Access is refused: the role ${statement.role} may not do this. Ask an owner of the tenant for another role.`,
    );
  const taken = ports.used.take(statement.jti, endOf(statement), nowMs);
  if (taken === 'again')
    return invalid('it was used before. Send the request again, so that a new one is signed');
  if (taken === 'full')
    return invalid('this host has taken too many in two minutes. Wait a minute, and send it again');
  ports.admitted(statement);
  return ok({ name: statement.sub, role: statement.role, scopes: null });
}

const invalid = (why: string) =>
  fail('personStatementInvalid', `The statement of the control plane about a person is refused: ${why}.`);

/** Until then its use is remembered, epoch ms. */
const endOf = ({ exp }: PersonStatement): number => (exp + TOLERANCE_S) * 1_000;

function statementFault(
  { uid, sha256Hex, used }: PersonPorts,
  statement: PersonStatement,
  { domain, operation, body }: PersonRequest,
  nowMs: number,
): string | undefined {
  if (statement.domain !== domain) return 'it is about another tenant';
  if (uid === undefined || statement.aud !== uid) return 'it is for another host';
  if (statement.operation !== operation) return `it is about ${statement.operation}, not about ${operation}`;
  if (statement.body !== sha256Hex(canonicalJson(body))) return 'it is about another body';
  if (statement.exp - statement.iat > PERSON_LIFE_S) return `it lives longer than ${PERSON_LIFE_S} s`;
  if (endOf(statement) <= nowMs) return 'it has expired. Send the request again';
  if ((statement.iat - TOLERANCE_S) * 1_000 > nowMs)
    return 'it is from the future. Check the clocks of both machines';
  if (statement.iat * 1_000 < used.sinceMs) return 'it is older than this program. Send the request again';
  return undefined;
}

/** Chosen: statements whose use is remembered at once; no more than that many live, at 80 requests a second. */
const MOST_USED = 10_000;

/** The statements that were used and have not ended. A restart forgets them, and refuses by their age. */
export class UsedStatements {
  /** Start of this program, epoch ms. */
  readonly sinceMs: number;
  readonly #ends = new Map<string, number>();

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }

  /** `full`: there is no room to remember a first use, so that it must not count as one. */
  take(jti: string, endMs: number, nowMs: number): 'first' | 'again' | 'full' {
    for (const [used, end] of this.#ends) {
      if (end > nowMs) break;
      this.#ends.delete(used);
    }
    if (this.#ends.has(jti)) return 'again';
    if (this.#ends.size >= MOST_USED) return 'full';
    this.#ends.set(jti, endMs);
    return 'first';
  }
}
