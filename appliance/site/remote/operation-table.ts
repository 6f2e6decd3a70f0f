import type { RemoteOperation } from '../remote-operation.ts';

/** Finds an operation by its name; undefined: this host has none of that name. */
export interface KnownOperations {
  readonly find: (name: string) => RemoteOperation | undefined;
}

/**
 * The operations that the cloud may ask this host for. Each part of the host adds its own once it is built; the line to the cloud
 * begins after that. A Map and no object: the name comes from outside, and `toString` is no operation.
 */
export class OperationTable implements KnownOperations {
  readonly #operations = new Map<string, RemoteOperation>();

  add(operations: Readonly<Record<string, RemoteOperation>>): void {
    for (const [name, operation] of Object.entries(operations)) {
      if (this.#operations.has(name)) throw new Error(`the operation ${name} is added twice`);
      this.#operations.set(name, operation);
    }
  }

  readonly find = (name: string): RemoteOperation | undefined => this.#operations.get(name);
}
