import type { ConfigProblem } from "./ConfigInvalid.ts"

/** A value as a source wrote it, and where: `kinora.yaml:3` or `environment, KINORA_LISTEN_PORT`. */
export interface Written {
  readonly value: unknown
  readonly origin: string
}

/** What one source says: values by dotted path, each with the place it was written. */
export interface Source {
  readonly values: ReadonlyMap<string, Written>
  readonly warnings: ReadonlyArray<string>
  readonly problems: ReadonlyArray<ConfigProblem>
}

export const unknownKey = (what: string, origin: string, suggestion: string | undefined): string =>
  `unknown configuration key ${what} (${origin})${suggestion === undefined ? "" : `: did you mean ${suggestion}?`}`
