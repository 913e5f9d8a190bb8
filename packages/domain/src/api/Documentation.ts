import { Context } from "effect"
import type { UserRight } from "../enums/UserRight.ts"
import type { JsonSchema } from "../fields/Field.ts"

/** An answer that is no problem document. */
export interface DocumentedAnswer {
  readonly description: string
  /** Media type of the body; no body without it. */
  readonly content?: string
  /** JSON Schema of the body; binary when absent. */
  readonly schema?: JsonSchema
  readonly headers?: ReadonlyArray<string>
}

/** What OpenAPI says of an endpoint beyond its schemas. Of it, only `right` is looked at when a request is served. */
export interface EndpointDocs {
  /** Contract tag, when it is not the group's. */
  readonly tag?: string
  readonly summary: string
  readonly deprecated?: boolean
  /** Right needed beyond being logged in: who lacks it is refused by `Authenticated`, before the request is decoded. */
  readonly right?: UserRight
  /**
   * Right by which others than the owner may ask as well, about what is not theirs. Whoever does leaves an entry in the audit
   * log where something changes.
   */
  readonly rightOverOthers?: UserRight | "administrators"
  /** Who may ask, on routes without an authentication middleware. */
  readonly auth?: "required" | "optional"
  /** Statuses of problem documents with the codes of typed ones, see `problems`. */
  readonly problems?: Problems
  /** Takes the place of the success schema. */
  readonly answers?: Readonly<Record<number, DocumentedAnswer>>
  /** A body the handler reads itself: media type to schema. */
  readonly body?: Readonly<Record<string, JsonSchema>>
}

/** Annotation of an endpoint, read by `OpenApiDocument` and by the implementation of `Authenticated`. */
export class Docs extends Context.Service<Docs, EndpointDocs>()("@kinora/domain/api/Docs") {}

/** Codes of typed problems by status; an empty list is `about:blank` alone. */
export type Problems = Readonly<Record<number, ReadonlyArray<string>>>

/**
 * Problem documents an endpoint can answer with: `problems(404, [413, "quota_reached", "max_file_size_reached"])`.
 * They are documented only; encoding is the work of `ProblemError`.
 */
export const problems = (
  ...entries: ReadonlyArray<number | readonly [status: number, ...codes: ReadonlyArray<string>]>
): Problems => {
  const out: Record<number, ReadonlyArray<string>> = {}
  for (const entry of entries) {
    const [status, ...codes] = typeof entry === "number" ? [entry] : entry
    out[status] = [...(out[status] ?? []), ...codes]
  }
  return out
}
