/** The JSON Schema of a contract; the bundler makes it (`installer/build/console/contract-schema.mjs`). */
declare module 'virtual:contract/*' {
  export const schema: import('./component/form/schema.ts').Schema;
}
/** Markdown of the runbook of each platform alarm; the bundler reads it (`installer/build/console/runbook.mjs`). */
declare module 'virtual:runbook' {
  export const runbooks: Readonly<Record<string, string>>;
}
