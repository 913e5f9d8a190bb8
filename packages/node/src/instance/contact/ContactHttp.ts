import { Api } from "@kinora/domain/api/Api"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../platform/http/Answer.ts"
import { Contact } from "./Contact.ts"

/** Writing to who runs the instance. */
export const layer = HttpApiBuilder.group(
  Api,
  "contact",
  Effect.fnUntraced(function* (handlers) {
    const contact = yield* Contact
    return handlers.handleAll({
      contactAdministrator: ({ payload, request }) =>
        answer(contact.send(payload, Option.getOrUndefined(request.remoteAddress)))
    })
  })
)
