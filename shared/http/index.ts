export { answerText } from './answer-body.ts';
export { withoutContinue } from './interim-answer.ts';
export { noAnswerReason } from './no-answer.ts';
