/** A catalog of texts; the bundler compiles it. */
declare module '*.po' {
  export const messages: Record<string, string>;
}
