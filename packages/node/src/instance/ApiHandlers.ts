import { Layer } from "effect"
import { layer as authentication } from "../sessions/AuthenticationLayer.ts"
import { layer as session } from "../sessions/SessionHttp.ts"
import { layer as accounts } from "../users/AccountsHttp.ts"
import { layer as myUser } from "../me/MyUserHttp.ts"
import { LaterVideoRoutes } from "../videos/LaterVideoRoutes.ts"
import { layer as videoCaptions } from "../videos/VideoCaptionsHttp.ts"
import { layer as videoFiles } from "../videos/VideoFilesHttp.ts"
import { layer as videos } from "../videos/VideosHttp.ts"
import { layer as config } from "./ConfigHttp.ts"
import { layer as server } from "./ServerHttp.ts"

/** Handlers of every group of the API, its authentication, and the paths beside it that answer 404. */
export const ApiHandlers = Layer.mergeAll(
  session,
  accounts,
  myUser,
  videoCaptions,
  videoFiles,
  videos,
  config,
  server,
  LaterVideoRoutes
).pipe(Layer.provideMerge(authentication))
