/** A value that a tool takes. */
export interface ToolInput {
  readonly type: 'string' | 'object';
  readonly description: string;
  readonly isOptional?: true;
  /** The only texts that it may be. */
  readonly oneOf?: readonly string[];
}

export type Arguments = Readonly<Record<string, unknown>>;

/** One thing that an assistant may ask for. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, ToolInput>>;
  /** It sends something into the world; all others only read. */
  readonly acts?: true;
  /** The answer as text. Rejects with a sentence for a person. */
  readonly run: (given: Arguments) => Promise<string> | string;
}

/** The tool as the protocol lists it, its input as JSON Schema. */
export function listed({ name, description, input, acts }: Tool) {
  const properties = Object.fromEntries(
    Object.entries(input).map(([key, { type, description: meaning, oneOf }]) => [
      key,
      { type, description: meaning, ...(oneOf && { enum: oneOf }) },
    ]),
  );
  const required = Object.keys(input).filter((key) => input[key]?.isOptional !== true);
  return {
    ...{ name, description },
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations: { readOnlyHint: acts !== true, openWorldHint: acts === true },
  };
}

/** The fault of what an assistant gave, as a sentence; undefined: there is none. */
export function faultIn({ name, input }: Tool, given: Arguments): string | undefined {
  const unknownKey = Object.keys(given).find((key) => !Object.hasOwn(input, key));
  if (unknownKey !== undefined)
    return `${name} takes no ${unknownKey}. It takes ${Object.keys(input).join(', ')}.`;
  for (const [key, { type, isOptional, oneOf }] of Object.entries(input)) {
    const value = given[key];
    if (value === undefined && isOptional === true) continue;
    const isRight = type === 'string' ? typeof value === 'string' : isPlainObject(value);
    if (!isRight) return `${name} needs ${key}, ${type === 'string' ? 'a text' : 'a JSON object'}.`;
    if (oneOf !== undefined && !oneOf.includes(String(value)))
      return `${key} is ${oneOf.join(', ')}, and not ${JSON.stringify(value)}.`;
  }
  return undefined;
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
