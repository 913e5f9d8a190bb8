import { Layer } from "effect"
import { layer as authentication } from "../sessions/AuthenticationLayer.ts"
import { layer as session } from "../sessions/SessionHttp.ts"
import { layer as accounts } from "../users/AccountsHttp.ts"
import { layer as users } from "../users/UsersHttp.ts"
import { layer as videoFiles } from "../videos/VideoFilesHttp.ts"
import { layer as videos } from "../videos/VideosHttp.ts"
import { layer as config } from "./ConfigHttp.ts"
import { layer as server } from "./ServerHttp.ts"

/** Handlers of every group of the API, and its authentication. */
export const ApiHandlers = Layer.mergeAll(session, accounts, users, videoFiles, videos, config, server).pipe(
  Layer.provideMerge(authentication)
)
