import type { Derived } from "./Derived.ts"
import type { ConfigTree } from "./Keys.ts"
import type { Source } from "./Source.ts"

/** The decoded configuration: the tree operators know, and what follows from it. */
export interface Configuration extends ConfigTree {
  readonly derived: Derived
}

/** What the process was started with. */
export interface ConfigSources {
  readonly file: Source | undefined
  readonly environment: Source
}
