import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { boot, type Machine } from '../support/machine.ts';
import type { Ran } from '../support/program.ts';
import type { Release } from '../support/release.ts';

export const RUN = '/root/carillon.run';
export const JOURNAL = '/var/lib/carillon-update/journal.jsonl';

/** Common resources of the parts of one life: the machine, once it was started, and a folder outside of it. */
export class Life {
  readonly release: Release;
  readonly folder = mkdtempSync(join(tmpdir(), 'carillon-life-'));
  #machine: Machine | undefined;

  constructor(release: Release) {
    this.release = release;
  }

  get machine(): Machine {
    if (this.#machine === undefined) throw new Error('the machine was not started');
    return this.#machine;
  }

  async begin(): Promise<void> {
    this.#machine = await boot('bookworm');
    this.machine.put(this.release.runFile, RUN);
    this.machine.put(this.release.binary, '/root/carillon');
    await this.machine.sh('chmod 755 /root/carillon');
  }

  async end(): Promise<void> {
    await this.#machine?.off();
    rmSync(this.folder, { recursive: true, force: true });
  }

  install(...words: readonly string[]): Promise<Ran> {
    return this.machine.in(['sh', RUN, '--yes', ...words]);
  }
}

/** Nothing that fails may end without a sentence. */
export function refused(ran: Ran, code: number, words: RegExp): void {
  expect(ran.code, ran.err + ran.out).toBe(code);
  expect(ran.err).toMatch(words);
}
