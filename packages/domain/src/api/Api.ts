import { HttpApi } from "effect/http-api"
import { AbusesApi } from "./AbusesApi.ts"
import { AccountsApi } from "./AccountsApi.ts"
import { BulkApi } from "./BulkApi.ts"
import { ChannelActivitiesApi } from "./ChannelActivitiesApi.ts"
import { ChannelSyncsApi } from "./ChannelSyncsApi.ts"
import { CollaboratorsApi } from "./CollaboratorsApi.ts"
import { CommentsApi } from "./CommentsApi.ts"
import { ClientConfigApi } from "./ClientConfigApi.ts"
import { ConfigApi } from "./ConfigApi.ts"
import { ContactApi } from "./ContactApi.ts"
import { FederationHostsApi } from "./FederationHostsApi.ts"
import { FollowsApi } from "./FollowsApi.ts"
import { HomepageApi } from "./HomepageApi.ts"
import { JobsApi } from "./JobsApi.ts"
import { LiveVideosApi } from "./LiveVideosApi.ts"
import { LogsApi } from "./LogsApi.ts"
import { MyHistoryApi } from "./MyHistoryApi.ts"
import { OverviewsApi } from "./OverviewsApi.ts"
import { OwnershipApi } from "./OwnershipApi.ts"
import { PlaylistsApi } from "./PlaylistsApi.ts"
import { RatesApi } from "./RatesApi.ts"
import { RedundancyApi } from "./RedundancyApi.ts"
import { RegistrationsApi } from "./RegistrationsApi.ts"
import { RunnerJobsApi } from "./RunnerJobsApi.ts"
import { RunnersApi } from "./RunnersApi.ts"
import { RunnerTokensApi } from "./RunnerTokensApi.ts"
import { SearchApi } from "./SearchApi.ts"
import { ServerApi } from "./ServerApi.ts"
import { SessionApi } from "./SessionApi.ts"
import { StatsApi } from "./StatsApi.ts"
import { SubscriptionGroupsApi } from "./SubscriptionGroupsApi.ts"
import { SubscriptionsApi } from "./SubscriptionsApi.ts"
import { MyUserApi } from "./MyUserApi.ts"
import { NotificationsApi } from "./NotificationsApi.ts"
import { UserExportsApi } from "./UserExportsApi.ts"
import { UserImportsApi } from "./UserImportsApi.ts"
import { UsersApi } from "./UsersApi.ts"
import { UserNotesApi } from "./UserNotesApi.ts"
import { MailingsApi } from "./MailingsApi.ts"
import { TwoFactorApi } from "./TwoFactorApi.ts"
import { VerificationApi } from "./VerificationApi.ts"
import { VideoCaptionsApi } from "./VideoCaptionsApi.ts"
import { VideoChannelsApi } from "./VideoChannelsApi.ts"
import { VideoChaptersApi } from "./VideoChaptersApi.ts"
import { VideoBlocksApi } from "./VideoBlocksApi.ts"
import { MyBlocklistApi, ServerBlocklistApi } from "./BlocklistApi.ts"
import { VideoPasswordsApi } from "./VideoPasswordsApi.ts"
import { PlayerSettingsApi } from "./PlayerSettingsApi.ts"
import { VideoEmbedPrivacyApi } from "./VideoEmbedPrivacyApi.ts"
import { VideoImportsApi } from "./VideoImportsApi.ts"
import { VideoEditApi } from "./VideoEditApi.ts"
import { VideoFilesApi } from "./VideoFilesApi.ts"
import { VideoProcessingApi } from "./VideoProcessingApi.ts"
import { VideoSourceApi } from "./VideoSourceApi.ts"
import { VideoStatsApi } from "./VideoStatsApi.ts"
import { VideoViewsApi } from "./VideoViewsApi.ts"
import { VideosApi } from "./VideosApi.ts"
import { AutomaticTagsApi } from "./AutomaticTagsApi.ts"
import { WatchedWordsApi } from "./WatchedWordsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"

/**
 * The JSON API under `/api/v1`, as it is served: every endpoint here has a handler. Raw routes (pages, files, uploads,
 * discovery) are in `Documented`. A decode names all failing fields of a request, not the first.
 */
export class Api extends HttpApi.make("kinora")
  .add(
    VideosApi,
    SearchApi,
    OverviewsApi,
    VideoCaptionsApi,
    VideoChaptersApi,
    PlayerSettingsApi,
    VideoEditApi,
    VideoImportsApi,
    LiveVideosApi,
    VideoEmbedPrivacyApi,
    MyBlocklistApi,
    ServerBlocklistApi,
    WatchedWordsApi,
    AutomaticTagsApi,
    VideoBlocksApi,
    VideoPasswordsApi,
    VideoFilesApi,
    VideoSourceApi,
    VideoProcessingApi,
    VideoStatsApi,
    VideoViewsApi,
    CommentsApi,
    AbusesApi,
    RatesApi,
    BulkApi,
    MyHistoryApi,
    PlaylistsApi,
    AccountsApi,
    VideoChannelsApi,
    ChannelSyncsApi,
    CollaboratorsApi,
    ChannelActivitiesApi,
    OwnershipApi,
    MyUserApi,
    NotificationsApi,
    SubscriptionsApi,
    SubscriptionGroupsApi,
    RegistrationsApi,
    RunnerTokensApi,
    RunnersApi,
    RunnerJobsApi,
    SessionApi,
    ConfigApi,
    ServerApi,
    LogsApi,
    ClientConfigApi,
    ContactApi,
    HomepageApi,
    StatsApi,
    JobsApi,
    FederationHostsApi,
    FollowsApi,
    RedundancyApi,
    UsersApi,
    UserNotesApi,
    MailingsApi,
    WebhooksApi,
    UserExportsApi,
    UserImportsApi,
    TwoFactorApi,
    VerificationApi
  )
  .annotate(HttpApi.ParseOptions, { errors: "all" }) {}
