import type { Device } from '#shared/contract/provisioning/index.ts';
import { accountKey, cliKey, type DeviceDirectory } from '#shared/matching/index.ts';
import type { Sqlite } from '../sqlite/index.ts';

/** The devices of `config.db`, read one by one: a tenant may have more of them than a trial has memory for. */
export function storedDevices(db: Sqlite): DeviceDirectory<Device> {
  const one = db
    .prepare<[string], string>(
      `SELECT body FROM replica WHERE scope = 'tenant' AND entity = 'device' AND id = ?`,
    )
    .pluck();
  const ids = db.prepare<[], { id: string; cli: string | null }>(
    `SELECT id, json_extract(body, '$.deviceCLI') cli FROM replica WHERE scope = 'tenant' AND entity = 'device'`,
  );
  const byId = (deviceId: string): Device | undefined => {
    const body = one.get(deviceId);
    return body === undefined ? undefined : (JSON.parse(body) as Device);
  };
  const index = once(() => {
    const numbers = new Map<string, string>();
    const accounts = new Map<string, string | null>();
    for (const { id, cli } of ids.iterate()) {
      const number = cliKey(cli ?? '');
      if (number !== '') numbers.set(number, id);
      const account = accountKey(id);
      // An account that two devices have means neither of them.
      accounts.set(account, accounts.has(account) ? null : id);
    }
    return { numbers, accounts };
  });
  const named = (id: string | null | undefined) => (id == null ? undefined : byId(id));
  return {
    byId,
    byCli: (key) => named(index().numbers.get(key)),
    byAccount: (key) => named(index().accounts.get(key)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
