import { compilePattern } from '#shared/matching/index.ts';

/** The very function that decides on a host; it is loaded when a person tests a pattern. */
export const compile = compilePattern;
