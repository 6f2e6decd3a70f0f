/**
 * JSON Schemas of the contracts, made while the console is bundled: `import { schema } from
 * 'virtual:contract/trunkRequestSchema'`. The browser gets the schema, and no validator.
 */
import { z } from 'zod';
import * as contracts from '#shared/contract/provisioning/index.ts';

const CONTRACTS = new Map(Object.entries(contracts));
const PREFIX = 'virtual:contract/';

/** The JSON Schema of one contract of provisioning, with the metadata of its fields, as a client writes it. */
export function contractSchema(name) {
  const contract = CONTRACTS.get(name);
  if (contract === undefined) throw new Error(`The contracts of provisioning export no ${name}`);
  return markSecrets(z.toJSONSchema(contract, { io: 'input', unrepresentable: 'any' }));
}

/** Marks each property that holds a secret, so that the browser keeps none. */
function markSecrets(node) {
  if (typeof node !== 'object' || node === null) return node;
  for (const [name, property] of Object.entries(node.properties ?? {}))
    if (contracts.SECRET_MEMBERS.has(name)) property['x-secret'] = true;
  for (const inner of Object.values(node)) markSecrets(inner);
  return node;
}

/** A plugin of Vite. */
export const contractSchemas = () => ({
  name: 'schemas of the contracts',
  resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
  load: (id) =>
    id.startsWith(`\0${PREFIX}`)
      ? `export const schema = ${JSON.stringify(contractSchema(id.slice(PREFIX.length + 1)))};`
      : undefined,
});
