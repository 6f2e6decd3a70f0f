import {
  type Finding,
  finding,
  isNode,
  type Node,
  nameOf,
  programOf,
  type Source,
  walk,
} from '#test/architecture/source.ts';

/*
 * The notes of the appliance in the trace of a session, as its sources write them: `trace.add('note', { text })`, effects
 * `{ type: 'trace', text }`, and the reasons of other steps and of platform alarms. A text that comes from elsewhere is followed to where it is made: the initializer of a constant, the calls of
 * the function whose parameter it is, what a function returns.
 */

/** A sentence of a note, with `…` for each of its values. */
export interface Note {
  readonly path: string;
  readonly line: number;
  readonly sentence: string;
}

/** Effects whose text goes to the log, and to no trace. */
const TO_THE_LOG = /^appliance\/alarm\/protocol\/(?:dc09\/|bs8521\/link)/;

/** Members that carry the text of another place, which is found there. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'effect.text',
  'effect.reason',
  'input.reason',
  'verdict.idle',
  'outcome.reason',
]);

/** Texts that come from another program, from an error, or by way of a list of inputs: by file. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // `timeout` and `unreachable`, which have words.
  'appliance/alarm/receiving/adapter/device-reply.ts': ['outcome.kind'],
  // Inputs of the type `failed`, which `sending-sessions.ts` makes.
  'appliance/alarm/sender/sending-session.ts': ['reason'],
  // Errors of the media and of answers of the application.
  'appliance/call/media-session/decide.ts': ['reason'],
  'appliance/call/media-session/ivr-link.ts': ['reason'],
  'appliance/call/media-session/leave.ts': ['reason'],
  'appliance/call/media-session/pair.ts': ['reason'],
  // Sentences of incidents that are made where the reading is judged, or at the host.
  'appliance/delivery/platform-alarms.ts': ['message'],
  'appliance/site/gauge.ts': ['message'],
  'appliance/site/host/site-watch.ts': ['message', 'effect.message'],
  'appliance/site/supervision/damage-reports.ts': ['message'],
  // A sentence of `monitoring`, which is found there as an advice.
  'cloud/compose/schedule.ts': ['TOO_MANY_HOSTS'],
  'cloud/monitoring/alarm/alarm-table.ts': ['newAlarm.message'],
  'cloud/monitoring/uplink/event-intake.ts': ['message'],
  'cloud/site/lifecycle/lifecycle-report.ts': ['message'],
  // Sentences of a host, and lists of names.
  'cloud/site/status/condition.ts': [
    'row.status.refusals[scope]?.errors[0]?.msg',
    'blocked.message',
    "overrides.map(({ key }) => key).join(', ')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    "sick.map(([name, state]) => `${name}: ${state}`).join('; ')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
    "lost.map(([name, state]) => `${name}: ${state}`).join('; ')",
  ],
};

/** Members of effects that become notes, by their type. */
const EFFECTS: Readonly<Record<string, string>> = {
  trace: 'text',
  silence: 'reason',
  deviceGone: 'reason',
  alarmSendFailure: 'reason',
};

interface Read {
  readonly notes: Note[];
  readonly faults: Finding[];
}
type TextIn = (node: Node, path: string) => Node | undefined;

export function notesOf(sources: readonly Source[]): Read {
  const appliance = sources.filter(({ path }) => path.startsWith('appliance/'));
  return readBy(
    noteIn,
    appliance,
    appliance.filter(({ path }) => !TO_THE_LOG.test(path)),
  );
}

/** The sentences of incidents, which hosts and the control plane write. */
export function incidentsOf(sources: readonly Source[]): Read {
  const programs = sources.filter(({ path }) =>
    /^(?:appliance\/(?:site|delivery|compose|engine)|cloud\/(?:monitoring|site))\//.test(path),
  );
  return readBy(incidentIn, programs, programs);
}

/** The sentences about the deployment: its alarms, and the check of its broker. */
export function platformNotesOf(sources: readonly Source[]): Read {
  const programs = sources.filter(({ path }) =>
    /^cloud\/(?:monitoring|compose|io\/broker|provisioning\/configuration)\//.test(path),
  );
  return readBy(platformTextIn, programs, programs);
}

function readBy(textIn: TextIn, all: readonly Source[], read: readonly Source[]): Read {
  const reader = new NoteReader(all, textIn);
  for (const from of read) reader.read(from);
  return reader;
}

/** Types of the platform alarms that stand in the trace of a session, too. */
const RAISED = /^(?:serviceAlarm|callError|sessionError)$/;

/** Steps whose reason is the phrase of SIP, or that of an effect. */
const MADE_BEFORE: ReadonlySet<string> = new Set(['sipAnswered', 'alarmRaised', 'alarmSendFailure']);

/** Texts that are made apart from the effect that carries them: the member that holds them, by file. */
const MADE_APART: Readonly<Record<string, string>> = { 'appliance/call/siprec/decision.ts': 'idle' };

/** A text is the note, stands behind a name in it, or is another value of it: values need words where they are more than one word. */
type As = 'note' | 'behind' | 'value';

/** A function with the name by which it is called. */
interface Routine {
  readonly name: string;
  /** Only its own file calls it. */
  readonly isPrivate: boolean;
}

class NoteReader {
  readonly notes: Note[] = [];
  readonly faults: Finding[] = [];
  readonly #sources: readonly Source[];
  readonly #calls = new Map<
    string,
    { readonly from: Source; readonly call: Node; readonly around: readonly Node[] }[]
  >();

  /** Places that were looked at: functions call themselves. */
  readonly #seen = new Set<string>();

  readonly #textIn: TextIn;

  constructor(sources: readonly Source[], textIn: TextIn) {
    this.#sources = sources;
    this.#textIn = textIn;
    for (const from of sources)
      walk(programOf(from), (node, around) => {
        if (node.type !== 'CallExpression') return;
        const name = calleeOf(node);
        if (name === undefined) return;
        const known = this.#calls.get(name) ?? [];
        known.push({ from, call: node, around: [...around] });
        this.#calls.set(name, known);
      });
  }

  read(from: Source): void {
    walk(programOf(from), (node, around) => {
      const text = this.#textIn(node, from.path);
      if (text !== undefined) this.#follow(from, text, around, 'note');
    });
  }

  #follow(from: Source, text: Node, around: readonly Node[], as: As): void {
    const place = `${from.path} ${text.start} ${as}`;
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    const on = (each: unknown): void => {
      if (isNode(each)) this.#follow(from, each, around, as);
    };
    switch (text.type) {
      case 'Literal':
        if (typeof text.value === 'string') this.#note(from, text, text.value, as);
        return;
      case 'TemplateLiteral':
        this.#note(from, text, templateOf(text), as);
        for (const value of valuesOf(text))
          this.#follow(from, value, around, isBare(templateOf(text)) ? 'behind' : 'value');
        return;
      case 'ConditionalExpression':
        on(text.consequent);
        on(text.alternate);
        return;
      case 'LogicalExpression':
        if (text.operator !== '&&') on(text.left);
        on(text.right);
        return;
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'ChainExpression':
        on(text.expression);
        return;
      case 'ArrayExpression':
        for (const each of text.elements as readonly Node[])
          on(each.type === 'SpreadElement' ? each.argument : each);
        return;
      case 'CallExpression':
        this.#result(from, text, around, as);
        return;
      case 'Identifier':
        this.#named(from, text, around, as);
        return;
      default:
        if (!PASSED_ON.has(from.text.slice(text.start, text.end))) this.#member(from, text, around, as);
    }
  }

  /** `TABLE[key]`: each text of the table. */
  #member(from: Source, text: Node, around: readonly Node[], as: As): void {
    const table =
      text.type === 'MemberExpression' && text.computed === true ? nameOf(text.object) : undefined;
    const declared = table === undefined ? undefined : declaredIn(around[0] ?? text, table, text.start);
    if (declared?.type !== 'ObjectExpression') {
      this.#lost(from, text, as);
      return;
    }
    for (const { value } of declared.properties as readonly Node[])
      if (isNode(value)) this.#follow(from, value, around, as);
  }

  #lost(from: Source, text: Node, as: As): void {
    const said = from.text.slice(text.start, text.end);
    if (as === 'note' && ELSEWHERE[from.path]?.includes(said) !== true)
      this.faults.push(finding(from, text.start, `the text of a note cannot be followed: ${said}`));
  }

  #note(from: Source, node: Node, sentence: string, as: As): void {
    if (isBare(sentence) || (as !== 'note' && !/\s/.test(sentence.replaceAll('…', '')))) return;
    const { path, line } = finding(from, node.start, '');
    if (!this.notes.some((known) => known.sentence === sentence && known.path === path))
      this.notes.push({ path, line, sentence });
  }

  /** The texts that a function of the appliance gives back, or a list that is made of another one. */
  #result(from: Source, call: Node, around: readonly Node[], as: As): void {
    const name = calleeOf(call) ?? '';
    const [each] = call.arguments as readonly Node[];
    if (LISTED.has(name) && each !== undefined && isRoutine(each)) {
      for (const [text, within] of returned(each)) this.#follow(from, text, [...around, ...within], as);
      return;
    }
    const isPlain = isNode(call.callee) && call.callee.type === 'Identifier';
    const found = isPlain ? this.#routine(from, name) : undefined;
    if (found === undefined) {
      this.#lost(from, call, as);
      return;
    }
    for (const [text, within] of returned(found.node))
      this.#follow(found.source, text, [...found.around, ...within], as);
  }

  #named(from: Source, id: Node, around: readonly Node[], as: As): void {
    const name = String(id.name);
    if (name === 'undefined') return;
    for (const [depth, scope] of [...around.entries()].reverse()) {
      const declared = declaredIn(scope, name, id.start);
      if (declared !== undefined) {
        this.#follow(from, declared, around.slice(0, depth + 1), as);
        return;
      }
      const place = parameterOf(scope, name);
      if (place === undefined) continue;
      const routine = routineAt(scope, around.slice(0, depth));
      if (routine === undefined) break;
      this.#arguments(from, routine, place, as, id);
      return;
    }
    this.#lost(from, id, as);
  }

  /** A parameter: what the calls give. */
  #arguments(from: Source, { name, isPrivate }: Routine, place: Place, as: As, text: Node): void {
    // The values of a note are followed to its file: a name of elsewhere may be that of another function.
    if (as === 'value' && !isPrivate) return;
    const [part = ''] = /^appliance\/[^/]+\//.exec(from.path) ?? [];
    const calls = (this.#calls.get(name) ?? []).filter(
      ({ from: { path } }) =>
        !TO_THE_LOG.test(path) && (isPrivate ? path === from.path : path.startsWith(part)),
    );
    const given = calls.flatMap(({ from: source, call, around }) => {
      const argument = (call.arguments as readonly Node[])[place.index];
      const found = argument && (place.member === undefined ? argument : memberOf(argument, place.member));
      return found === undefined ? [] : [{ source, found, around }];
    });
    if (given.length === 0) this.#lost(from, text, as);
    for (const { source, found, around } of given) this.#follow(source, found, around, as);
  }

  #routine(
    from: Source,
    name: string,
  ): { readonly source: Source; readonly node: Node; readonly around: readonly Node[] } | undefined {
    for (const source of [from, ...this.#sources.filter((each) => each.text.includes(name))]) {
      const found: { readonly node: Node; readonly around: readonly Node[] }[] = [];
      walk(programOf(source), (node, around) => {
        if (isRoutine(node) && routineAt(node, around)?.name === name)
          found.push({ node, around: [...around] });
      });
      const [first] = found;
      if (first !== undefined) return { source, ...first };
    }
    return undefined;
  }
}

/** Methods of a list whose function makes the elements. */
const LISTED: ReadonlySet<string> = new Set(['map', 'flatMap']);

/** The values of a template; of one that is only a name and a text, the text. */
function valuesOf(template: Node): readonly Node[] {
  const values = template.expressions as readonly Node[];
  return isBare(templateOf(template)) ? values.slice(-1) : values;
}

const isBare = (sentence: string): boolean => !/[a-z]/i.test(sentence);

/** The text of a note that this node adds to a trace, or of an effect that becomes one. */
function noteIn(node: Node, path: string): Node | undefined {
  if (node.type === 'CallExpression' && calleeOf(node) === 'add') {
    const [kind, detail] = node.arguments as readonly Node[];
    if (typeof kind?.value !== 'string' || detail === undefined) return undefined;
    if (kind.value === 'note') return memberOf(detail, 'text');
    return MADE_BEFORE.has(kind.value) ? undefined : memberOf(detail, 'reason');
  }
  const apart = MADE_APART[path];
  if (apart !== undefined) return memberOf(node, apart);
  // A platform alarm that stands in the trace of its session, too.
  if (RAISED.test(String(memberOf(node, 'type')?.value)) && memberOf(node, 'error') !== undefined)
    return memberOf(node, 'reason');
  const type = memberOf(node, 'type')?.value;
  const member = typeof type === 'string' ? EFFECTS[type] : undefined;
  return member === undefined ? undefined : memberOf(node, member);
}

/** Members beside which `message` is a sentence for people, everywhere and in one file. */
const BESIDE = ['severity', 'level', 'store'] as const;
const BESIDE_IN: Readonly<Record<string, string>> = {
  'appliance/site/drain.ts': 'code',
  'cloud/site/status/condition.ts': 'reason',
};

/** The sentence of an incident, of a reading that becomes one, of a condition of a host, or of what keeps a drain from going on. */
function incidentIn(node: Node, path: string): Node | undefined {
  const isOne = [...BESIDE, BESIDE_IN[path] ?? ''].some((name) => memberOf(node, name) !== undefined);
  return isOne ? memberOf(node, 'message') : undefined;
}

/** The message of an alarm that `PlatformAlarmTable` gets, a finding about the broker, or the advice beside them. */
function platformTextIn(node: Node): Node | undefined {
  if (node.type !== 'CallExpression') return memberOf(node, 'sentence') ?? memberOf(node, 'advice');
  const { callee } = node;
  const isAlarm =
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    nameOf(callee.object) === 'platform' &&
    /^(?:raise|note)$/.test(calleeOf(node) ?? '');
  const [trouble] = node.arguments as readonly Node[];
  return isAlarm && trouble !== undefined ? memberOf(trouble, 'message') : undefined;
}

function memberOf(object: Node, name: string): Node | undefined {
  if (object.type !== 'ObjectExpression') return undefined;
  const found = (object.properties as readonly Node[]).find((each) => nameOf(each.key) === name);
  return isNode(found?.value) ? found.value : undefined;
}

function templateOf(node: Node): string {
  const parts = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts
    .map(({ value }) => value.cooked)
    .join('…')
    .replace(/…+/g, '…');
}

/** The last name of what is called: `add` of `this.#call.trace.add`. */
function calleeOf(call: Node): string | undefined {
  const { callee } = call;
  if (!isNode(callee)) return undefined;
  if (callee.type !== 'MemberExpression') return nameOf(callee);
  return isNode(callee.property) ? String(callee.property.name ?? '') : undefined;
}

const isRoutine = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionDeclaration' || type === 'FunctionExpression';

/** A function by its own name, that of its constant, its method or its member. */
function routineAt(node: Node, around: readonly Node[]): Routine | undefined {
  const holder = around.at(-1);
  const named = node.id ?? (holder?.type === 'VariableDeclarator' ? holder.id : holder?.key);
  const name = isNode(named) ? String(named.name ?? '') : '';
  const isConstant = holder?.type === 'VariableDeclarator';
  const statement = around.at(isConstant ? -3 : -1);
  const isPrivate =
    isConstant || node.type === 'FunctionDeclaration'
      ? statement?.type !== 'ExportNamedDeclaration'
      : isNode(named) && named.type === 'PrivateIdentifier';
  return name === '' ? undefined : { name, isPrivate };
}

interface Place {
  readonly index: number;
  /** A member of that parameter. */
  readonly member?: string;
}

function parameterOf(scope: Node, name: string): Place | undefined {
  if (!isRoutine(scope)) return undefined;
  for (const [index, parameter] of (scope.params as readonly Node[]).entries()) {
    const plain = parameter.type === 'AssignmentPattern' ? (parameter.left as Node) : parameter;
    if (nameOf(plain) === name) return { index };
    if (plain.type !== 'ObjectPattern') continue;
    const member = (plain.properties as readonly Node[]).find((each) => nameOf(each.value) === name);
    if (member !== undefined) return { index, member: nameOf(member.key) ?? name };
  }
  return undefined;
}

/** The value of a constant of this scope that stands before `at`, or that a loop gives it. */
function declaredIn(scope: Node, name: string, at: number): Node | undefined {
  if (scope.type === 'ForOfStatement' && nameOf(firstOf(scope.left)?.id) === name)
    return isNode(scope.right) ? scope.right : undefined;
  const body = scope.type === 'SwitchCase' ? scope.consequent : scope.body;
  if (!Array.isArray(body)) return undefined;
  let found: Node | undefined;
  for (const statement of body as readonly Node[]) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (!isNode(declared) || declared.type !== 'VariableDeclaration') continue;
    for (const each of declared.declarations as readonly Node[])
      if (nameOf(each.id) === name && isNode(each.init) && (each.start < at || scope.type === 'Program'))
        found = each.init;
  }
  return found;
}

const firstOf = (declaration: unknown): Node | undefined =>
  isNode(declaration) && declaration.type === 'VariableDeclaration'
    ? (declaration.declarations as readonly Node[])[0]
    : undefined;

/** The texts that a function gives back, also as elements of a list, each with the nodes around it. */
function returned(routine: Node): (readonly [Node, readonly Node[]])[] {
  const { body } = routine;
  if (!isNode(body)) return [];
  const found: (readonly [Node, readonly Node[]])[] = [];
  if (body.type !== 'BlockStatement') return [[body, [routine]]];
  walk(body, (node, around) => {
    if (around.some(isRoutine) || node.type !== 'ReturnStatement' || !isNode(node.argument)) return;
    found.push([node.argument, [routine, ...around]]);
  });
  return found;
}
