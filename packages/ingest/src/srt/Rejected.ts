import { Data } from "effect"
import type { PublishRefused } from "../Publisher.ts"
import { rejection } from "./Rejection.ts"

/** A publisher is not let in. */
export class Rejected extends Data.TaggedError("Rejected")<{ readonly code: number; readonly detail: string }> {}

const codes = {
  key: rejection.unauthorized,
  limit: rejection.overload,
  busy: rejection.conflict,
  unavailable: rejection.unavailable
} as const

/** The rejection that comes closest to a refusal of the program. */
export const rejectedAs = ({ reason, why }: PublishRefused): Rejected =>
  new Rejected({ code: why === undefined ? rejection.forbidden : codes[why], detail: reason })
