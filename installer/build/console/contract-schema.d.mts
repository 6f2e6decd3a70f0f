/** The JSON Schema of one contract of provisioning; throws for a name that there is not. */
export function contractSchema(name: string): Record<string, unknown>;
