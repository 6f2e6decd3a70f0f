import {
  contentOf,
  type NamedOperation,
  type OpenApi,
  operationsOf,
  resolved,
  type Schema,
} from './openapi.ts';

/**
 * The changes that break a program written against `before`: one sentence each. These are a removed operation or member of an
 * answer, another type, a value an enum no longer takes, and members that a request now must have or may not have any more.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const now = new Map(
    operationsOf(after).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return operationsOf(before).flatMap((old) => {
    const name = `${old.method} ${old.path}`;
    const next = now.get(name);
    if (next === undefined) return [`${name} is gone`];
    return [...inParameters(name, old, next), ...inBodies(name, before, after, old, next)];
  });
}

function inParameters(name: string, old: NamedOperation, next: NamedOperation): string[] {
  const known = new Set((old.parameters ?? []).map((parameter) => parameter.name));
  const taken = new Set((next.parameters ?? []).map((parameter) => parameter.name));
  const removed = [...known]
    .filter((parameter) => !taken.has(parameter))
    .map((parameter) => `${name}: no parameter ${parameter} any more`);
  const demanded = (next.parameters ?? [])
    .filter((parameter) => parameter.required === true && !known.has(parameter.name))
    .map((parameter) => `${name}: the parameter ${parameter.name} is demanded now`);
  return [...removed, ...demanded];
}

function inBodies(
  name: string,
  before: OpenApi,
  after: OpenApi,
  old: NamedOperation,
  next: NamedOperation,
): string[] {
  const oldBody = contentOf(old.requestBody?.content);
  const nextBody = contentOf(next.requestBody?.content);
  const found: string[] = [];
  if (oldBody !== undefined && nextBody === undefined) found.push(`${name} takes no body any more`);
  if (oldBody !== undefined && nextBody !== undefined)
    found.push(
      ...compared({ before, after, toUs: true }, oldBody.schema, nextBody.schema, `${name} request`),
    );
  const oldAnswer = contentOf(old.responses[200]?.content);
  const nextAnswer = contentOf(next.responses[200]?.content);
  if (oldAnswer !== undefined && nextAnswer !== undefined)
    found.push(
      ...compared({ before, after, toUs: false }, oldAnswer.schema, nextAnswer.schema, `${name} answer`),
    );
  return found;
}

interface Sides {
  readonly before: OpenApi;
  readonly after: OpenApi;
  /** A request: more may not be demanded, less may not be taken. An answer: less may not be given. */
  readonly toUs: boolean;
}

function compared(sides: Sides, oldRaw: Schema, nextRaw: Schema, at: string, depth = 0): string[] {
  // Schemas that contain themselves are compared within this depth.
  if (depth > 8) return [];
  const old = resolved(sides.before, oldRaw);
  const next = resolved(sides.after, nextRaw);
  const found: string[] = [];
  const [oldTypes, nextTypes] = [typesOf(old), typesOf(next)];
  const lost = oldTypes.filter((type) => nextTypes.length > 0 && !nextTypes.includes(type));
  if (lost.length > 0 && sides.toUs) found.push(`${at}: ${lost.join(', ')} is not taken any more`);
  const added = nextTypes.filter((type) => oldTypes.length > 0 && !oldTypes.includes(type));
  if (added.length > 0 && !sides.toUs) found.push(`${at}: may be ${added.join(', ')} now`);
  if (sides.toUs && next.enum !== undefined)
    for (const value of old.enum ?? [])
      if (!next.enum.includes(value)) found.push(`${at}: ${JSON.stringify(value)} is not taken any more`);
  const properties = Object.entries(old.properties ?? {});
  for (const [name, schema] of properties) {
    const now = next.properties?.[name];
    if (now !== undefined) found.push(...compared(sides, schema, now, `${at}/${name}`, depth + 1));
    else if (!sides.toUs || next.additionalProperties === false) found.push(`${at}/${name} is gone`);
    if (!sides.toUs && now !== undefined && old.required?.includes(name) && !next.required?.includes(name))
      found.push(`${at}/${name} may be absent now`);
  }
  if (sides.toUs)
    for (const name of next.required ?? [])
      if (!old.required?.includes(name)) found.push(`${at}/${name} is demanded now`);
  if (old.items !== undefined && next.items !== undefined)
    found.push(...compared(sides, old.items, next.items, `${at}[]`, depth + 1));
  const choices = old.oneOf ?? old.anyOf;
  const nextChoices = next.oneOf ?? next.anyOf;
  if (choices !== undefined && nextChoices !== undefined)
    for (const [index, choice] of choices.entries()) {
      const same = counterpart(choices, nextChoices, index);
      if (same === undefined) found.push(`${at}: the form ${nameOf(choice)} is gone`);
      else found.push(...compared(sides, choice, same, `${at}(${nameOf(choice)})`, depth + 1));
    }
  return found;
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat();

/** The same one of several forms: by its name where that is its own, else by its place. */
function counterpart(old: readonly Schema[], next: readonly Schema[], index: number): Schema | undefined {
  const name = nameOf(old[index] ?? {});
  const named = next.filter((each) => nameOf(each) === name);
  const isOwn = old.filter((each) => nameOf(each) === name).length === 1;
  return isOwn ? named[0] : next[index];
}

/** A reference's name, the constant that tells it apart, or its kind. */
function nameOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  const constant = Object.values(schema.properties ?? {}).flatMap((each) =>
    each.const !== undefined ? [each.const] : each.enum?.length === 1 ? each.enum : [],
  )[0];
  return constant === undefined ? [schema.type ?? 'any'].flat().join('|') : JSON.stringify(constant);
}
