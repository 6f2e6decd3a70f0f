export interface VipLookPorts {
  /** The word of keepalived: MASTER, BACKUP or FAULT; undefined: the site has no shared address. */
  readonly word: () => Promise<string | undefined>;
  /** Says that this host may have the address. */
  readonly say: () => Promise<void>;
  /** Says it no more. */
  readonly withdraw: () => Promise<void>;
}

/**
 * The floating address of the site as this host sees it. A look reads whose the address is, and says whether this host may have
 * it. A disk that stalls must not hold the loop up: while one look is not through, no other begins.
 */
export class VipLook {
  readonly #ports: VipLookPorts;
  #mine: boolean | undefined;
  #isLooking = false;

  constructor(ports: VipLookPorts) {
    this.#ports = ports;
  }

  /** As of the last look; undefined: the site has none. */
  get mine(): boolean | undefined {
    return this.#mine;
  }

  async look(serves: boolean): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const word = await this.#ports.word();
      this.#mine = word === undefined ? undefined : word.trim() === 'MASTER';
      await (serves ? this.#ports.say() : this.#ports.withdraw());
    } finally {
      this.#isLooking = false;
    }
  }

  /** This host takes no alarms any more. */
  async leave(): Promise<void> {
    await this.#ports.withdraw();
  }
}
