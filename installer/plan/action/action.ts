/**
 * The actions of a plan on a host: a small closed vocabulary. Every action is looked at before it is made, so that a plan
 * can be repeated, and each knows what takes it back.
 */
export type Action =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number; readonly owner?: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly owner?: string;
    }
  /** Copies a file whole or not at all. */
  | { readonly kind: 'copy'; readonly from: string; readonly path: string; readonly mode: number }
  /** A symbolic link, changed atomically. */
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  /** A file, a link or a whole folder; not taken back. */
  | { readonly kind: 'remove'; readonly path: string }
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      /** Not needed while this command succeeds. */
      readonly unless?: readonly string[];
      /** Needed only when something of the plan, or of its step, has changed before. */
      readonly after?: 'change' | 'change of step';
      readonly undo?: readonly string[];
      /** Goes on when it fails. */
      readonly lenient?: boolean;
    }
  /** Something that needs more than a host: a check, a wait, a measurement. `name` is looked up by who runs the plan. */
  | { readonly kind: 'act'; readonly name: string };

/** Takes one action back. */
export type Undo =
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'restore'; readonly path: string; readonly from: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] };

/** One line for a person who wants to know before it happens. */
export function actionText(action: Action): string {
  switch (action.kind) {
    case 'folder':
      return `mkdir -m ${mode(action.mode)} ${action.path}`;
    case 'file':
      return `write ${action.path} (${mode(action.mode)}, ${Buffer.byteLength(action.text)} bytes)`;
    case 'copy':
      return `copy ${action.from} to ${action.path}`;
    case 'link':
      return `link ${action.path} -> ${action.target}`;
    case 'remove':
      return `remove ${action.path}`;
    case 'command':
      return action.argv.join(' ');
    case 'act':
      return action.name;
  }
}

const mode = (value: number): string => value.toString(8).padStart(4, '0');
