/** The JSON Schema of a contract; the bundler makes it (`installer/build/console/contract-schema.mjs`). */
declare module 'virtual:contract/*' {
  export const schema: import('./component/form/schema.ts').Schema;
}
