import type { Plugin } from 'vite';

export function runbookTexts(): Record<string, string>;
export function runbooks(): Plugin;
