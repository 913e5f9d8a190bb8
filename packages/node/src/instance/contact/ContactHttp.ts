import { Effect, Option } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Contact } from "./Contact.ts"

/** The endpoint of the contact form. */
export const layer = apiGroup(
  "contact",
  Effect.fnUntraced(function* (handlers) {
    const contact = yield* Contact
    return handlers.handleAll({
      contactAdministrator: ({ payload, request }) =>
        answer(contact.send(payload, Option.getOrUndefined(request.remoteAddress)))
    } satisfies Answers<"contact">)
  })
)
