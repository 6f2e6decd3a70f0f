import { type Runtime, Session } from 'node:inspector';

/**
 * How many things each Map and Set below an object holds, private fields included, by the names that lead there. Only objects of
 * classes and plain ones are walked, not what stands in the collections: whatever lives longer than a call hangs at one of them.
 */
export function collectionSizes(root: object, deep = 6): Map<string, number> {
  const session = new Session();
  session.connect();
  const sizes = new Map<string, number>();
  const key = '__root of collectionSizes';
  const global = globalThis as Record<string, unknown>;
  global[key] = root;
  /** Posts are answered at once within a thread. */
  const post = <T>(method: string, parameters: object): T => {
    let answer: T | undefined;
    (session.post as (m: string, p: object, d: (e: Error | null, r: T) => void) => void)(
      method,
      parameters,
      (error, result) => {
        if (error !== null) throw error;
        answer = result;
      },
    );
    return answer as T;
  };
  const seen = new Set<string>();
  const walk = (objectId: string, path: string, depth: number): void => {
    const found = post<
      Runtime.GetPropertiesReturnType & { privateProperties?: Runtime.PropertyDescriptor[] }
    >('Runtime.getProperties', { objectId, ownProperties: true });
    for (const { name, value } of [...found.result, ...(found.privateProperties ?? [])] as {
      name: string;
      value?: Runtime.RemoteObject;
    }[]) {
      if (value?.objectId === undefined || name === '__proto__') continue;
      const at = path === '' ? name : `${path}.${name}`;
      if (value.subtype === 'map' || value.subtype === 'set') {
        const size = /\((\d+)\)/.exec(value.description ?? '')?.[1];
        sizes.set(at, Number(size));
      } else if (value.type === 'object' && value.subtype === undefined && depth > 0) {
        const { result } = post<Runtime.CallFunctionOnReturnType>('Runtime.callFunctionOn', {
          objectId: value.objectId,
          functionDeclaration:
            'function () { const ids = (globalThis.__ids ??= new WeakMap()); let id = ids.get(this); if (!id) ids.set(this, id = String((globalThis.__lastId = (globalThis.__lastId ?? 0) + 1))); return id; }',
          returnByValue: true,
        });
        const id = String(result.value);
        if (seen.has(id)) continue;
        seen.add(id);
        walk(value.objectId, at, depth - 1);
      }
    }
  };
  const { result } = post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
    expression: `globalThis[${JSON.stringify(key)}]`,
  });
  if (result.objectId !== undefined) walk(result.objectId, '', deep);
  delete global[key];
  session.disconnect();
  return sizes;
}

/** Collections that hold more than before. */
export const grown = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] =>
  [...after].flatMap(([path, size]) => (size > (before.get(path) ?? 0) ? [`${path}: ${size}`] : []));
