import { type Cause, Predicate, Schema } from "effect"
import type { InvalidParam } from "../wire/ProblemDocument.ts"

/** Marks an error as one that has an answer: status, code and words for the client. */
const ProblemTypeId = "~@kinora/domain/errors/ProblemError"

/**
 * A failure the client caused or can act on. It becomes an RFC 9457 problem document; whatever is not one of these is a
 * defect and becomes a bare 500.
 */
export interface ProblemError {
  readonly _tag: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Code of a typed problem (contract: ServerErrorCode, OAuth2ErrorCode); absent: `type` is `about:blank`. */
  readonly code?: string | undefined
  /** One sentence for the client. */
  readonly detail: string
  /** Headers the answer carries besides those every answer has. */
  readonly headers?: Record<string, string> | undefined
  /** Failing fields by name: only of `InvalidParameters`. */
  readonly invalidParams?: Record<string, InvalidParam> | undefined
  readonly [ProblemTypeId]: true
}

export const isProblemError = (u: unknown): u is ProblemError => Predicate.hasProperty(u, ProblemTypeId)

/** What a class of problems has in common; functions take the fields of the one at hand. */
export interface ProblemSpec<Fields extends Schema.Struct.Fields> {
  readonly status: number
  readonly code?: string
  readonly detail: string | ((fields: Schema.Struct<Fields>["Type"]) => string)
  readonly headers?: (fields: Schema.Struct<Fields>["Type"]) => Record<string, string>
  readonly fields?: Fields
}

type ProblemClass<Self, Tag extends string, Fields extends Schema.Struct.Fields> = Schema.Class<
  Self,
  Schema.TaggedStruct<Tag, Fields>,
  Cause.YieldableError & ProblemError
> & { readonly problem: { readonly status: number; readonly code: string | undefined } }

/**
 * Makes the base class of a typed problem: a `Schema.TaggedError` that also implements `ProblemError`.
 *
 * ```ts
 * class VideoNotFound extends Problem<VideoNotFound>()("VideoNotFound", { status: 404, detail: "Video not found" }) {}
 * ```
 */
export const Problem =
  <Self>() =>
  <Tag extends string, const Fields extends Schema.Struct.Fields = {}>(
    tag: Tag,
    spec: ProblemSpec<Fields>
  ): ProblemClass<Self, Tag, Fields> => {
    class Base extends Schema.TaggedError<Base>()(tag, (spec.fields ?? {}) as Schema.Struct.Fields) {
      static readonly problem = { status: spec.status, code: spec.code }
      readonly [ProblemTypeId] = true
      readonly status = spec.status
      readonly code = spec.code
      get detail(): string {
        return typeof spec.detail === "string" ? spec.detail : spec.detail(this as never)
      }
      get headers(): Record<string, string> | undefined {
        return spec.headers?.(this as never)
      }
      override get message(): string {
        return this.detail
      }
    }
    return Base as never
  }
