/** Public face of prompts: sounds of files, pages and texts made ready to play, by a thread of their own. */

export { PromptFetch } from './prompt-fetch.ts';
export type { VoiceSetting } from './prompt-message.ts';
export { PromptStore } from './prompt-store.ts';
export { createPrompts, openPrompts, type PromptSetting } from './prompts.ts';
