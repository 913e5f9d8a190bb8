import { Api } from "@kinora/domain/api/Api"
import { AccountLists } from "@kinora/storage/accounts/AccountLists"
import { CommentLists } from "@kinora/storage/comments/CommentLists"
import { CommentRows } from "@kinora/storage/comments/CommentRows"
import { CommentThreads } from "@kinora/storage/comments/CommentThreads"
import { CommentTrees } from "@kinora/storage/comments/CommentTrees"
import { FollowLists } from "@kinora/storage/accounts/FollowLists"
import { RatingLists } from "@kinora/storage/accounts/RatingLists"
import { InstanceFollowLists } from "@kinora/storage/follows/InstanceFollowLists"
import { RedundancyRows } from "@kinora/storage/redundancy/RedundancyRows"
import { Actors } from "@kinora/storage/actors/Actors"
import { ChannelLists } from "@kinora/storage/channels/ChannelLists"
import { ChannelSyncLists } from "@kinora/storage/channels/ChannelSyncLists"
import { InstanceCounts } from "@kinora/storage/instance/InstanceCounts"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/jobs/JobUpkeep"
import { RunnerJobReads } from "@kinora/storage/runners/RunnerJobReads"
import { RunnerRows } from "@kinora/storage/runners/RunnerRows"
import { ObjectStore } from "@kinora/storage/objects/ObjectStore"
import { PlaylistElementReads } from "@kinora/storage/playlists/PlaylistElementReads"
import { PlaylistLists } from "@kinora/storage/playlists/PlaylistLists"
import { RegistrationLists } from "@kinora/storage/registrations/RegistrationLists"
import { HistoryRows } from "@kinora/storage/history/HistoryRows"
import { MyImports } from "@kinora/storage/users/MyImports"
import { TwoFactorRows } from "@kinora/storage/twofactor/TwoFactorRows"
import { MyUserRows } from "@kinora/storage/users/MyUserRows"
import { UserReads } from "@kinora/storage/users/UserReads"
import { ChapterRows } from "@kinora/storage/videos/chapters/ChapterRows"
import { VideoParts } from "@kinora/storage/videos/access/VideoParts"
import { VideoPasswords } from "@kinora/storage/videos/passwords/VideoPasswords"
import { CaptionRows } from "@kinora/storage/videos/captions/CaptionRows"
import { EmbedRows } from "@kinora/storage/videos/embeds/EmbedRows"
import { PlayerThemes } from "@kinora/storage/players/PlayerThemes"
import { ChannelRows } from "@kinora/storage/channels/ChannelRows"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import { VideoReads } from "@kinora/storage/videos/reads/VideoReads"
import { VideoDeletion } from "@kinora/storage/videos/writes/VideoDeletion"
import { ViewStats } from "@kinora/storage/views/ViewStats"
import { InstanceStats } from "@kinora/storage/stats/InstanceStats"
import { DeliveryReads } from "@kinora/storage/outbox/DeliveryReads"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoImports } from "../imports/VideoImports.ts"
import { KnownAccounts } from "../accounts/KnownAccounts.ts"
import { ImageUpload } from "../actors/ImageUpload.ts"
import { ChannelPictures } from "../channels/ChannelPictures.ts"
import { Channels } from "../channels/Channels.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { VideoEdits } from "../edit/VideoEdits.ts"
import { CaptionUpload } from "../captions/CaptionUpload.ts"
import { Contact } from "../contact/Contact.ts"
import { FeedTokens } from "../feeds/FeedTokens.ts"
import { FollowJobs } from "../follows/FollowJobs.ts"
import { Follows } from "../follows/Follows.ts"
import { Redundancy } from "../redundancy/Redundancy.ts"
import { KinoraConfig } from "../config/Config.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { ByteServing } from "../http/ByteServing.ts"
import { layerApi } from "../http/ApiRoutes.ts"
import { ApiHandlers } from "../instance/ApiHandlers.ts"
import { MyUser } from "../me/MyUser.ts"
import { PlaylistAccess } from "../playlists/PlaylistAccess.ts"
import { PlaylistBody } from "../playlists/PlaylistBody.ts"
import { PlaylistElements } from "../playlists/PlaylistElements.ts"
import { Playlists } from "../playlists/Playlists.ts"
import { PlaylistVideos } from "../playlists/PlaylistVideos.ts"
import { Overviews } from "../overviews/Overviews.ts"
import { Searches } from "../search/Searches.ts"
import { RegistrationDecisions } from "../registrations/RegistrationDecisions.ts"
import { Registrations } from "../registrations/Registrations.ts"
import { SignupPolicy } from "../registrations/SignupPolicy.ts"
import { ServedBucket } from "../files/ServedBucket.ts"
import { PartFiles } from "../runners/parts/PartFiles.ts"
import { RunnerAccess } from "../runners/RunnerAccess.ts"
import { RunnerJobFiles } from "../runners/RunnerJobFiles.ts"
import { RunnerJobs } from "../runners/RunnerJobs.ts"
import { RunnerSuccess } from "../runners/RunnerSuccess.ts"
import { RunnerRegistration } from "../runners/RunnerRegistration.ts"
import { AccessTokens } from "../sessions/AccessTokens.ts"
import { CurrentPassword } from "../sessions/CurrentPassword.ts"
import { OAuthGrants } from "../sessions/OAuthGrants.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { PlaybackMetrics } from "../stats/PlaybackMetrics.ts"
import { ChannelSyncs } from "../syncs/ChannelSyncs.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { UserExports } from "../userexports/UserExports.ts"
import { UserImportReads } from "../userimports/UserImportReads.ts"
import { UserAdministration } from "../users/UserAdministration.ts"
import { UserCreation } from "../users/UserCreation.ts"
import { TwoFactorSetup } from "../twofactor/TwoFactorSetup.ts"
import { AskedMails } from "../verification/AskedMails.ts"
import { EmailVerification } from "../verification/EmailVerification.ts"
import { PasswordReset } from "../verification/PasswordReset.ts"
import { Comments } from "../comments/Comments.ts"
import { Rates } from "../rates/Rates.ts"
import { VideoAccess } from "../videos/VideoAccess.ts"
import { VideoFileTokens } from "../videos/VideoFileTokens.ts"
import { Viewing } from "../views/Viewing.ts"

const needed = [
  AccessTokens,
  AccountLists,
  Actors,
  AskedMails,
  ByteServing,
  CaptionRows,
  CaptionUpload,
  ChannelLists,
  ChannelRows,
  ChannelPictures,
  ChannelSyncLists,
  ChannelSyncs,
  ChapterRows,
  Contact,
  Channels,
  CommentLists,
  CommentRows,
  CommentThreads,
  CommentTrees,
  Comments,
  DeliveryReads,
  EmailVerification,
  CurrentPassword,
  EditableVideos,
  EmbedRows,
  Etag.Generator,
  FeedTokens,
  FileSystem.FileSystem,
  FollowJobs,
  FollowLists,
  Follows,
  HistoryRows,
  HttpPlatform.HttpPlatform,
  HttpRouter.HttpRouter,
  Homepage,
  ImageUpload,
  InstanceCounts,
  InstanceFollowLists,
  InstanceStats,
  JobBoard,
  JobUpkeep,
  KinoraConfig,
  KnownAccounts,
  MyImports,
  MyUser,
  MyUserRows,
  OAuthGrants,
  Overviews,
  ObjectStore,
  PartFiles,
  PasswordReset,
  Path.Path,
  PlaybackMetrics,
  PlayerThemes,
  PlaylistAccess,
  PlaylistBody,
  PlaylistElementReads,
  PlaylistElements,
  PlaylistLists,
  Playlists,
  PlaylistVideos,
  Rates,
  RatingLists,
  Redundancy,
  RedundancyRows,
  RegistrationDecisions,
  RegistrationLists,
  Registrations,
  RunnerAccess,
  RunnerJobFiles,
  RunnerJobReads,
  RunnerJobs,
  RunnerRegistration,
  RunnerRows,
  RunnerSuccess,
  ServedBucket,
  Searches,
  Sessions,
  SignupPolicy,
  SqlClient,
  Supervisor,
  UserAdministration,
  UserCreation,
  UserExports,
  UserImportReads,
  UserReads,
  TwoFactorRows,
  TwoFactorSetup,
  VideoAccess,
  VideoDeletion,
  VideoEdits,
  VideoFileTokens,
  VideoImports,
  VideoLists,
  VideoParts,
  VideoPasswords,
  VideoReads,
  ViewStats,
  Viewing
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
