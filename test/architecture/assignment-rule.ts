import { type Finding, finding, isNode, type Node, nameOf, programOf, type Source, walk } from './source.ts';

/** Objects that a class or a function was given: the receiver of one never changes it. */
const GIVEN = /^#?(ports|dependencies|parts|calls|voice|media|webrtc|sound|journal|delivery)$/;

/**
 * Assignments that wire one object into another: a slot of another object (`other.onEnd = …`), a function put into another
 * object in place of its method, a member of what a constructor or a class was given. An object is wired by the arguments of
 * its constructor, by `Listeners`, or by a method of its own.
 */
export function foreignAssignments(from: Source): Finding[] {
  const found: Finding[] = [];
  walk(programOf(from), (node, around) => {
    if (node.type !== 'AssignmentExpression' || !isNode(node.left)) return;
    const { left } = node;
    if (left.type !== 'MemberExpression' || left.computed === true || !isNode(left.object)) return;
    if (left.object.type === 'ThisExpression') return;
    const fault = faultOf(left, node.right, around);
    if (fault !== undefined) found.push(finding(from, node.start, fault));
  });
  return found;
}

function faultOf(left: Node, right: unknown, around: readonly Node[]): string | undefined {
  const member = memberOf(left);
  const chain = chainOf(left.object);
  const written = `${chain.join('.')}.${member}`;
  if (/^on[A-Z]/.test(member)) return `${written}: a slot of another object`;
  if (isNode(right) && /^(Arrow)?FunctionExpression$/.test(right.type))
    return `${written}: a function in place of a method of another object`;
  const [root = '', ...members] = chain;
  if (members.concat(root === 'this' ? [] : [root]).some((name) => GIVEN.test(name)))
    return `${written}: a member of an object that was given`;
  return isConstructorParameter(root, around)
    ? `${written}: a member of a constructor's argument`
    : undefined;
}

const memberOf = ({ property }: Node): string =>
  isNode(property) && property.type === 'PrivateIdentifier'
    ? `#${String(property.name)}`
    : (nameOf(property) ?? '');

/** The names of a chain of members, outermost object first. */
function chainOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'MemberExpression') return [...chainOf(node.object), memberOf(node)];
  if (node.type === 'ThisExpression') return ['this'];
  if (node.type === 'TSNonNullExpression' || node.type === 'TSAsExpression') return chainOf(node.expression);
  return [nameOf(node) ?? '…'];
}

function isConstructorParameter(name: string, around: readonly Node[]): boolean {
  const method = around.findLast(({ type, kind }) => type === 'MethodDefinition' && kind === 'constructor');
  const value = method?.value;
  const params = isNode(value) && Array.isArray(value.params) ? value.params : [];
  return params.some(
    (param) => nameOf(isNode(param) && param.type === 'AssignmentPattern' ? param.left : param) === name,
  );
}
