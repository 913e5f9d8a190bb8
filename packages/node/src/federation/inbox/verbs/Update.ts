import { Effect } from "effect"
import { refuse, subjectOf, type Verb } from "./Verb.ts"
import { Objects } from "./Objects.ts"

/**
 * Something is otherwise by now. Believed of its authority; of the sender's own origin it is asked for; of what belongs to
 * others nothing is heard (corpus AP-02).
 */
export const update = Effect.gen(function* () {
  const objects = yield* Objects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const subject = yield* subjectOf(activity)
    if (subject._tag === "Believed") return yield* objects.keep(subject.object, sender)
    if (subject._tag === "Inline" || subject.whose !== "sender's") {
      return yield* refuse("what it changes is not the sender's")
    }
    return yield* objects.fetchAndKeep(subject.id, sender)
  })
  return verb
})
