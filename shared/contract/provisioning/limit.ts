/** Largest JSON document a body brings, and a patch may make of what is stored. */
export const JSON_MOST_BYTES = 1_048_576;

/** Deepest nesting of a JSON document: whatever walks one walks it recursively. */
export const JSON_MOST_DEPTH = 64;
