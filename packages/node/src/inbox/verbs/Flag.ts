import { Effect } from "effect"
import { refuse, type Verb } from "../Verb.ts"

/** A report to the moderators. There is no place for reports yet: its row keeps what it said, and that nobody saw it. */
export const flag = Effect.sync((): Verb => () => refuse("reports are not kept yet"))
