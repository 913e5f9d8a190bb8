import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** Whoever asks does not block it. */
export class BlockNotFound extends Problem<BlockNotFound>()("BlockNotFound", {
  status: 404,
  detail: "Block not found"
}) {}

/** Nobody blocks themselves, and an instance not itself. */
export class BlockRefused extends Problem<BlockRefused>()("BlockRefused", {
  status: 409,
  fields: { reason: Schema.String },
  detail: ({ reason }) => reason
}) {}
