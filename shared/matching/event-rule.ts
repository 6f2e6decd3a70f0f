/** A condition on one value of the event: literal, `/RE2/`, null for absent, or a list of which one is enough. */
export type RuleLiteral = string | number | boolean | null;
export type RuleCondition = RuleLiteral | readonly RuleLiteral[];

/** One rule of a customEventMap or of mappingRules. Keys of `when` and `set` are dotted paths into the event. */
export interface EventRule {
  readonly when?: Readonly<Record<string, RuleCondition>> | undefined;
  readonly path?: string | undefined;
  readonly body?: unknown;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly drop?: boolean | undefined;
}

/** First rule that matches wins; `otherwise` names what is sent when none does. */
export interface EventMap {
  readonly rules: readonly EventRule[];
  readonly otherwise?: 'default' | undefined;
}
