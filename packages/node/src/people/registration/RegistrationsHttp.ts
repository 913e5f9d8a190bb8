import { UserRegistrationState, userRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import type { RegistrationListQuery } from "@kinora/domain/requests/RegistrationRequest"
import { RegistrationLists, type RegistrationQuery } from "@kinora/storage/people/registration/RegistrationLists"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { RegistrationDecisions } from "./RegistrationDecisions.ts"
import { Registrations } from "./Registrations.ts"
import { registrationWire } from "./RegistrationWire.ts"

const addressOf = (request: HttpServerRequest): string | undefined => Option.getOrUndefined(request.remoteAddress)

/** Newest first by default. */
const listQuery = (query: RegistrationListQuery): RegistrationQuery => ({
  start: query.start ?? defaultPage.start,
  count: query.count ?? defaultPage.count,
  sort: query.sort ?? { by: "createdAt", descending: true },
  search: query.search,
  states: query.stateOneOf
})

/** Registration, and the decisions of moderators. */
export const layer = apiGroup(
  "registrations",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const registrations = yield* Registrations
    const decisions = yield* RegistrationDecisions
    const lists = yield* RegistrationLists
    const registered = { state: userRegistrationState(UserRegistrationState.accepted) }
    return handlers.handleAll({
      registerUser: ({ payload, request }) =>
        answer(Effect.as(registrations.register(payload, addressOf(request)), registered)),
      requestRegistration: ({ payload, request }) =>
        answer(Effect.map(registrations.request(payload, addressOf(request)), (row) => registrationWire(row, config))),
      acceptRegistration: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => decisions.accept(user, params.registrationId, payload))),
      rejectRegistration: ({ params, payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => decisions.reject(user, params.registrationId, payload))),
      deleteRegistration: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => decisions.remove(user, params.registrationId))),
      listRegistrations: ({ query }) =>
        answer(
          Effect.map(lists.list(listQuery(query)), ({ data, total }) => ({
            total,
            data: data.map((row) => registrationWire(row, config))
          }))
        )
    } satisfies Answers<"registrations">)
  })
)
