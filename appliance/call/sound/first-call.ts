/** The first letter of INVITE; no other method begins with it but INFO, which belongs to a call. */
const INVITE = 0x49;

/** Sees the first call of this run. The voices, some 20 MB, are begun while it is being set up, and not before. */
export class FirstCall {
  #came = false;

  /** @returns whether the first call begins with this SIP message */
  beginsWith(message: Uint8Array): boolean {
    if (this.#came || message[0] !== INVITE) return false;
    this.#came = true;
    return true;
  }
}
