import { HttpApiMiddleware } from "effect/http-api"
import type { CurrentUser, Viewer } from "../users/CurrentUser.ts"

/**
 * For endpoints that need a login: provides `CurrentUser`, or answers 401 (400 when the header is malformed, 403
 * when the user lacks the right that the endpoint's `Docs` name) before anything of the request is decoded. The implementation answers problems itself, so that it declares no error.
 */
export class Authenticated extends HttpApiMiddleware.Service<Authenticated, { provides: CurrentUser }>()(
  "@kinora/domain/api/Authenticated"
) {}

/**
 * For endpoints that answer anybody, but know who asks: provides `Viewer`. A token that is sent and not valid is
 * refused all the same.
 */
export class MaybeAuthenticated extends HttpApiMiddleware.Service<MaybeAuthenticated, { provides: Viewer }>()(
  "@kinora/domain/api/MaybeAuthenticated"
) {}
