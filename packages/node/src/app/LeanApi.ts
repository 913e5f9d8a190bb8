import { Api } from "@kinora/domain/api/Api"
import { Actors } from "@kinora/storage/actors/Actors"
import { InstanceCounts } from "@kinora/storage/instance/InstanceCounts"
import { JobUpkeep } from "@kinora/storage/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/objects/ObjectStore"
import { MyUserRows } from "@kinora/storage/users/MyUserRows"
import { VideoParts } from "@kinora/storage/videos/access/VideoParts"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import { VideoReads } from "@kinora/storage/videos/reads/VideoReads"
import { VideoDeletion } from "@kinora/storage/videos/writes/VideoDeletion"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../config/Config.ts"
import { layerApi } from "../http/ApiRoutes.ts"
import { ApiHandlers } from "../instance/ApiHandlers.ts"
import { AccessTokens } from "../sessions/AccessTokens.ts"
import { OAuthGrants } from "../sessions/OAuthGrants.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { VideoAccess } from "../videos/VideoAccess.ts"
import { VideoFileTokens } from "../videos/VideoFileTokens.ts"

const needed = [
  AccessTokens,
  Actors,
  Etag.Generator,
  FileSystem.FileSystem,
  HttpPlatform.HttpPlatform,
  HttpRouter.HttpRouter,
  InstanceCounts,
  JobUpkeep,
  KinoraConfig,
  MyUserRows,
  OAuthGrants,
  ObjectStore,
  Path.Path,
  SqlClient,
  Supervisor,
  VideoAccess,
  VideoDeletion,
  VideoFileTokens,
  VideoLists,
  VideoParts,
  VideoReads
] as const

type Needed = Context.Service.Identifier<(typeof needed)[number]>

const api = layerApi(Api).pipe(Layer.provide(ApiHandlers))

/**
 * The API, built with the services its handlers ask for and no others: what is in scope when a group is built is merged into the
 * context of each of its requests, entry by entry.
 */
export const LeanApi = Layer.fromBuild((memoMap, scope) =>
  Effect.updateContext(Layer.buildWithMemoMap(api, memoMap, scope), (context: Context.Context<Needed>) =>
    Context.pick(...needed)(context)
  )
)
