import type { Kind } from "./Kind.ts"

/** One configuration key: its kind, its default as one would write it, and one line on what it does. */
export class Key<out A> {
  readonly kind: Kind<A>
  readonly written: unknown
  readonly description: string
  readonly fallback: string | undefined

  constructor(kind: Kind<A>, written: unknown, description: string, fallback: string | undefined) {
    this.kind = kind
    this.written = written
    this.description = description
    this.fallback = fallback
  }
}

/** Keys nested as operators write them. */
export interface KeyTree {
  readonly [name: string]: Key<unknown> | KeyTree
}

/** The decoded tree of a tree of keys. */
export type Decoded<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Key<infer A> ? A : Decoded<Tree[Name]>
}

/**
 * Declares a key. `written` is the default in the form people write it; it is read like any other value.
 * `fallback` replaces it in the reference when the default depends on other keys.
 */
export const key = <A, Written>(
  kind: Kind<A, Written>,
  written: NoInfer<Written>,
  description: string,
  fallback?: string
): Key<A> => new Key(kind, written, description, fallback)

export interface FlatKey {
  readonly path: string
  readonly env: string
  readonly key: Key<unknown>
}

/** `rates_limit.api.max` -> `KINORA_RATES_LIMIT_API_MAX` */
const environmentName = (path: string): string => `KINORA_${path.replaceAll(/[^a-z0-9]/gi, "_").toUpperCase()}`

/** Every key of a tree with its dotted path, in the order of declaration. */
export const flatten = (tree: KeyTree, prefix = ""): ReadonlyArray<FlatKey> =>
  Object.entries(tree).flatMap(([name, node]) =>
    node instanceof Key
      ? [{ path: `${prefix}${name}`, env: environmentName(`${prefix}${name}`), key: node }]
      : flatten(node, `${prefix}${name}.`)
  )
