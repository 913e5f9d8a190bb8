import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** The account has no such list. */
export class WatchedWordsListNotFound extends Problem<WatchedWordsListNotFound>()("WatchedWordsListNotFound", {
  status: 404,
  detail: "List of watched words not found"
}) {}

/** The list cannot be as it is asked to be. */
export class WatchedWordsListRefused extends Problem<WatchedWordsListRefused>()("WatchedWordsListRefused", {
  status: 409,
  detail: ({ reason }) => reason,
  fields: { reason: Schema.String }
}) {}
