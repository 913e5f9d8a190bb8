import { type CurrentUserShape, CurrentUser, Viewer } from "@kinora/domain/users/CurrentUser"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { Presented } from "./VideoAccess.ts"

const passwordHeader = "x-peertube-video-password"

/** What a request presents to see a video, for the user who asks. */
export const presented = (request: HttpServerRequest, user: Option.Option<CurrentUserShape>): Presented => ({
  user,
  password: request.headers[passwordHeader],
  ip: Option.getOrUndefined(request.remoteAddress)
})

/** The same on routes that answer anybody. */
export const presentedByViewer = (request: HttpServerRequest) =>
  Effect.map(Viewer, ({ user }) => presented(request, user))

/** The same on routes that need a login. */
export const presentedByUser = (request: HttpServerRequest) =>
  Effect.map(CurrentUser, (user) => presented(request, Option.some(user)))
