/**
 * Rows of one kind by their id. The list is a new one once a row has changed, and the same as before while none has:
 * whoever derives something from it (a matcher) compares the list itself.
 */
export class RowSet<Row> {
  readonly #rows = new Map<string, Row>();
  #list: readonly Row[] | undefined = [];

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  get byId(): ReadonlyMap<string, Row> {
    return this.#rows;
  }

  get list(): readonly Row[] {
    this.#list ??= [...this.#rows.values()];
    return this.#list;
  }

  put(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#list = undefined;
  }

  remove(id: string): void {
    if (this.#rows.delete(id)) this.#list = undefined;
  }

  clear(): void {
    this.#rows.clear();
    this.#list = [];
  }
}
