import type { Action, JournalEntry, Look, PlanPorts, Undo } from '#installer/plan/index.ts';

/** The power goes: nothing after this moment happens. */
export class PowerCut extends Error {}

/** A host in memory: files by path, and the commands it was given. `cutAfter`: so many effects, then the power goes. */
export class FakeHost {
  readonly files = new Map<string, string>();
  readonly kept = new Map<string, string>();
  readonly ran: string[] = [];
  journal = '';
  failing: string | undefined;
  cutAfter = Number.POSITIVE_INFINITY;

  get state(): string {
    return JSON.stringify([...this.files].sort());
  }

  ports(): PlanPorts {
    return {
      now: () => '2026-01-01T00:00:00.000Z',
      tell: () => undefined,
      note: async (entry: JournalEntry) => {
        this.#effect();
        if ('plan' in entry) this.journal = '';
        this.journal += `${JSON.stringify(entry)}\n`;
      },
      look: async (action) => this.#look(action),
      make: async (action) => {
        this.#effect();
        this.#make(action);
      },
      takeBack: async (undo) => {
        this.#effect();
        this.#takeBack(undo);
      },
    };
  }

  #effect(): void {
    if (this.cutAfter-- <= 0) throw new PowerCut();
  }

  #look(action: Action): Look {
    if (action.kind === 'command') {
      const unless = action.unless?.join(' ');
      if (unless !== undefined && this.ran.includes(unless)) return { needed: false };
      return { needed: true, ...(action.undo && { undo: { kind: 'command', argv: action.undo } }) };
    }
    if (action.kind === 'act') return { needed: true };
    const wanted = contentOf(action);
    const there = this.files.get(action.path);
    if (wanted === there) return { needed: false };
    if (action.kind === 'remove') return { needed: true };
    if (there === undefined) return { needed: true, undo: { kind: 'remove', path: action.path } };
    if (action.kind === 'link')
      return { needed: true, undo: { kind: 'link', path: action.path, target: there } };
    const from = `kept ${this.kept.size}`;
    this.kept.set(from, there);
    return { needed: true, undo: { kind: 'restore', path: action.path, from } };
  }

  #make(action: Action): void {
    if (action.kind === 'command') this.#run(action.argv);
    else if (action.kind === 'act') {
      if (action.name === this.failing) throw new Error(`${action.name} went wrong`);
    } else {
      const wanted = contentOf(action);
      if (wanted === undefined) this.files.delete(action.path);
      else this.files.set(action.path, wanted);
    }
  }

  #takeBack(undo: Undo): void {
    if (undo.kind === 'command') this.#run(undo.argv);
    else if (undo.kind === 'remove') this.files.delete(undo.path);
    else if (undo.kind === 'link') this.files.set(undo.path, undo.target);
    else this.files.set(undo.path, this.kept.get(undo.from) ?? 'lost');
  }

  #run(argv: readonly string[]): void {
    this.ran.push(argv.join(' '));
  }
}

function contentOf(action: Action): string | undefined {
  switch (action.kind) {
    case 'folder':
      return 'folder';
    case 'file':
      return action.text;
    case 'copy':
      return `copy of ${action.from}`;
    case 'link':
      return action.target;
    default:
      return undefined;
  }
}
