import { Data } from "effect"

/** Somebody speaks of what is not theirs to speak of. `moved` is set where the same origin names another address for it. */
export class NotItsAuthority extends Data.TaggedError("NotItsAuthority")<{
  readonly why: string
  readonly moved?: string
}> {}
