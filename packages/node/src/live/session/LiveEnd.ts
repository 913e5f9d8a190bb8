import type { LiveError } from "@kinora/domain/enums/Live"

/** Why a session ends. */
export interface LiveEnd {
  /** Null: as its publisher, or whoever may, wanted it. */
  readonly error: LiveError | null
  /** What the publisher reads. */
  readonly reason: string
}

export const publisherLeft: LiveEnd = { error: null, reason: "The live has ended" }
