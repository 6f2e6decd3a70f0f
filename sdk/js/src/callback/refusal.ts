/** The check of a callback that failed. A program may compare these; new ones may be added. */
export type RefusalCode =
  | 'tokenMissing'
  | 'tokenMalformed'
  | 'algorithmNotAllowed'
  | 'signatureInvalid'
  | 'claimMissing'
  | 'issuerWrong'
  | 'audienceWrong'
  | 'issuedInFuture'
  | 'expired'
  | 'bodyChanged'
  | 'replayed'
  | 'keyUnsuitable';

/** A callback that is not to be trusted, or a key that cannot check one. */
export class CallbackRefusal extends Error {
  override readonly name = 'CallbackRefusal';
  readonly code: RefusalCode;
  /** One sentence for a person: the cause. */
  readonly reason: string;
  /** One sentence for a person: the step that mends it. */
  readonly advice: string;

  constructor(code: RefusalCode, reason: string, advice: string) {
    super(`${reason} ${advice}`);
    this.code = code;
    this.reason = reason;
    this.advice = advice;
  }
}
