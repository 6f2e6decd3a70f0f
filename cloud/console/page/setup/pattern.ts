import { compilePattern, compileRewrite } from '#shared/matching/index.ts';

/** The very functions that decide on a host; they are loaded when a person tests a pattern. */
export const compile = compilePattern;
export const rewrite = compileRewrite;
