export { withoutContinue } from './interim-answer.ts';
