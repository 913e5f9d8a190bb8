import { Api } from "@kinora/domain/api/Api"
import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { CommentLists } from "@kinora/storage/social/comment/CommentLists"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import { CommentThreads } from "@kinora/storage/social/comment/CommentThreads"
import { CommentTrees } from "@kinora/storage/social/comment/CommentTrees"
import { FollowLists } from "@kinora/storage/federation/follow/FollowLists"
import { RatingLists } from "@kinora/storage/people/account/RatingLists"
import { InstanceFollowLists } from "@kinora/storage/federation/follow/InstanceFollowLists"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { ChannelLists } from "@kinora/storage/people/channel/ChannelLists"
import { ChannelSyncLists } from "@kinora/storage/video/sync/ChannelSyncLists"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { RunnerJobReads } from "@kinora/storage/runner/RunnerJobReads"
import { RunnerRows } from "@kinora/storage/runner/RunnerRows"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { PlaylistElementReads } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { PlaylistLists } from "@kinora/storage/social/playlist/PlaylistLists"
import { RegistrationLists } from "@kinora/storage/people/registration/RegistrationLists"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { MyImports } from "@kinora/storage/people/user/MyImports"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { ChapterRows } from "@kinora/storage/video/chapter/ChapterRows"
import { VideoParts } from "@kinora/storage/video/access/VideoParts"
import { VideoPasswords } from "@kinora/storage/video/password/VideoPasswords"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { ViewStats } from "@kinora/storage/video/view/ViewStats"
import { InstanceStats } from "@kinora/storage/instance/stats/InstanceStats"
import { DeliveryReads } from "@kinora/storage/federation/outbox/DeliveryReads"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoImports } from "../video/import/VideoImports.ts"
import { KnownAccounts } from "../people/account/KnownAccounts.ts"
import { ImageUpload } from "../people/actor/ImageUpload.ts"
import { ChannelPictures } from "../people/channel/ChannelPictures.ts"
import { Channels } from "../people/channel/Channels.ts"
import { EditableVideos } from "../video/edit/EditableVideos.ts"
import { VideoEdits } from "../video/edit/VideoEdits.ts"
import { CaptionUpload } from "../video/caption/CaptionUpload.ts"
import { Contact } from "../instance/contact/Contact.ts"
import { FeedTokens } from "../people/session/FeedTokens.ts"
import { RemoteSubscriptions } from "../social/subscription/RemoteSubscriptions.ts"
import { FollowJobs } from "../federation/follow/FollowJobs.ts"
import { Follows } from "../federation/follow/Follows.ts"
import { Redundancy } from "../federation/redundancy/Redundancy.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import { Homepage } from "../instance/homepage/Homepage.ts"
import { ByteServing } from "../platform/http/ByteServing.ts"
import { layerApi } from "../platform/http/ApiRoutes.ts"
import { ApiHandlers } from "./api/ApiHandlers.ts"
import { MyUser } from "../people/me/MyUser.ts"
import { PlaylistAccess } from "../social/playlist/PlaylistAccess.ts"
import { PlaylistBody } from "../social/playlist/PlaylistBody.ts"
import { PlaylistElements } from "../social/playlist/PlaylistElements.ts"
import { Playlists } from "../social/playlist/Playlists.ts"
import { PlaylistVideos } from "../social/playlist/PlaylistVideos.ts"
import { Overviews } from "../video/overview/Overviews.ts"
import { Searches } from "../video/search/Searches.ts"
import { RegistrationDecisions } from "../people/registration/RegistrationDecisions.ts"
import { Registrations } from "../people/registration/Registrations.ts"
import { SignupPolicy } from "../people/registration/SignupPolicy.ts"
import { ServedBucket } from "../video/file/ServedBucket.ts"
import { PartFiles } from "../runner/parts/PartFiles.ts"
import { RunnerAccess } from "../runner/registration/RunnerAccess.ts"
import { RunnerJobFiles } from "../runner/job/RunnerJobFiles.ts"
import { RunnerJobs } from "../runner/job/RunnerJobs.ts"
import { RunnerSuccess } from "../runner/job/RunnerSuccess.ts"
import { RunnerRegistration } from "../runner/registration/RunnerRegistration.ts"
import { AccessTokens } from "../people/session/AccessTokens.ts"
import { CurrentPassword } from "../people/session/CurrentPassword.ts"
import { OAuthGrants } from "../people/login/OAuthGrants.ts"
import { Sessions } from "../people/session/Sessions.ts"
import { PlaybackMetrics } from "../instance/stats/PlaybackMetrics.ts"
import { ChannelSyncs } from "../video/sync/ChannelSyncs.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"
import { UserExports } from "../archive/export/UserExports.ts"
import { UserImportReads } from "../archive/import/UserImportReads.ts"
import { UserAdministration } from "../people/user/UserAdministration.ts"
import { UserCreation } from "../people/user/UserCreation.ts"
import { TwoFactorSetup } from "../people/two-factor/TwoFactorSetup.ts"
import { AskedMails } from "../people/verification/AskedMails.ts"
import { EmailVerification } from "../people/verification/EmailVerification.ts"
import { PasswordReset } from "../people/user/PasswordReset.ts"
import { Comments } from "../social/comment/Comments.ts"
import { Rates } from "../social/rating/Rates.ts"
import { VideoAccess } from "../video/list/VideoAccess.ts"
import { VideoFileTokens } from "../video/list/VideoFileTokens.ts"
import { Viewing } from "../video/view/Viewing.ts"

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
  RemoteSubscriptions,
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
