import { Data } from "effect"
import type { PublishRefused } from "../Publisher.ts"
import { rejection } from "./Rejection.ts"

/** A publisher is not let in. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly code: number; readonly detail: string }> {}

const codes = {
  401: rejection.unauthorized,
  403: rejection.forbidden,
  409: rejection.conflict,
  429: rejection.overload,
  503: rejection.unavailable
} as const

/** The rejection that comes closest to a refusal of the program. */
export const rejectedAs = ({ reason, status }: PublishRefused): Rejected =>
  new Rejected({ code: status === undefined ? rejection.forbidden : codes[status], detail: reason })
