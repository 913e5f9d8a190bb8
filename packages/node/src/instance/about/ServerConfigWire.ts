import { constraints } from "@kinora/domain/enums/Constraints"
import type { ServerConfig } from "@kinora/domain/wire/ServerConfig"
import { Duration } from "effect"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import type { ShownImages } from "../appearance/Appearance.ts"
import { enabledResolutions, fileLimits } from "./Limits.ts"

/**
 * The release of the REST API that we implement: clients choose their requests by it. Our own version is in NodeInfo.
 */
const dialectVersion = "8.3.0"

const millis = (duration: Duration.Duration): number => Duration.toMillis(duration)
const enabled = (on: boolean) => ({ enabled: on })
const appLink = { host: "", scheme: "", fallbackUrl: "" }

const client = (config: Configuration): ServerConfig["client"] => ({
  newFeaturesInfo: false,
  header: { hideInstanceName: config.client.header.hide_instance_name },
  videos: {
    miniature: {
      preferAuthorDisplayName: config.client.videos.miniature.prefer_author_display_name,
      displayAuthorAvatar: config.client.videos.miniature.display_author_avatar
    },
    resumableUpload: { maxChunkSize: config.client.videos.resumable_upload.max_chunk_size ?? 0 }
  },
  browseVideos: {
    defaultSort: config.client.browse_videos.default_sort,
    defaultScope: config.client.browse_videos.default_scope
  },
  menu: { login: { redirectOnSingleExternalAuth: false } },
  openInApp: { android: { intent: { ...enabled(false), ...appLink } }, ios: { ...enabled(false), ...appLink } }
})

const defaults = ({ defaults: { live, p2p, player, publish } }: Configuration): ServerConfig["defaults"] => ({
  publish: {
    downloadEnabled: publish.download_enabled,
    commentsPolicy: publish.comments_policy,
    commentsEnabled: publish.comments_policy !== 2,
    privacy: publish.privacy,
    licence: publish.licence
  },
  live: { saveReplay: live.save_replay },
  p2p: { webapp: enabled(p2p.webapp.enabled), embed: enabled(p2p.embed.enabled) },
  player: { theme: player.theme, autoPlay: player.auto_play }
})

const instance = ({ instance: it }: Configuration, images: ShownImages): ServerConfig["instance"] => ({
  name: it.name,
  shortDescription: it.short_description,
  defaultClientRoute: it.default_client_route,
  isNSFW: it.is_nsfw,
  defaultNSFWPolicy: it.default_nsfw_policy,
  serverCountry: it.server_country,
  defaultLanguage: it.default_language,
  support: { text: it.support.text },
  social: {
    externalLink: it.social.external_link,
    mastodonLink: it.social.mastodon_link,
    blueskyLink: it.social.bluesky_link,
    xLink: it.social.x_link
  },
  customizations: { javascript: it.customizations.javascript, css: it.customizations.css },
  avatars: images.avatars,
  banners: images.banners,
  logo: images.logos
})

/** Lives. `maxDuration` is in milliseconds, the window in seconds. */
const live = ({ live: it }: Configuration): ServerConfig["live"] => ({
  enabled: it.enabled,
  allowReplay: it.allow_replay,
  dvr: { maxWindow: Math.floor(millis(it.dvr.max_window) / 1000) },
  latencySetting: enabled(it.latency_setting.enabled),
  maxDuration: it.max_duration,
  maxInstanceLives: it.max_instance_lives,
  maxUserLives: it.max_user_lives,
  transcoding: {
    enabled: it.enabled && it.transcoding.enabled,
    remoteRunners: enabled(it.enabled && it.transcoding.enabled && it.transcoding.remote_runners.enabled),
    enabledResolutions: it.enabled && it.transcoding.enabled ? enabledResolutions(it.transcoding.resolutions) : [],
    profile: "default",
    availableProfiles: ["default"]
  },
  rtmp: { port: it.rtmp.port }
})

/** A feature that exists neither here nor for runners. */
const noFeature = { enabled: false, remoteRunners: enabled(false) }

/** Whether anybody can register, and whether this client can (`SignupPolicy`). */
type Signup = Pick<ServerConfig["signup"], "allowed" | "allowedForCurrentIP">

/**
 * `GET /api/v1/config`. Everything follows from the configuration, except `signup` (taken from the configuration if not
 * given) and whether an administrator wrote a homepage.
 */
export const serverConfigWire = (
  config: Configuration,
  signup: Signup = { allowed: config.signup.enabled, allowedForCurrentIP: config.signup.enabled },
  hasHomepage = false,
  images: ShownImages = { avatars: [], banners: [], logos: [] }
): ServerConfig => {
  const limits = fileLimits(config)
  const { export: exports, import: imports, transcoding } = config
  const watchingInterval = {
    anonymous: millis(config.views.videos.watching_interval.anonymous),
    users: millis(config.views.videos.watching_interval.users)
  }
  return {
    client: client(config),
    defaults: defaults(config),
    webadmin: { configuration: { edition: { allowed: config.webadmin.configuration.edition.allowed } } },
    instance: instance(config, images),
    search: {
      remoteUri: { users: config.search.remote_uri.users, anonymous: config.search.remote_uri.anonymous },
      searchIndex: { enabled: false, url: "", disableLocalSearch: false, isDefaultSearch: false }
    },
    plugin: { registered: [], registeredExternalAuths: [], registeredIdAndPassAuths: [] },
    theme: { registered: [], default: config.theme.default },
    email: enabled(sendsMail(config)),
    contactForm: enabled(config.contact_form.enabled && sendsMail(config)),
    serverVersion: dialectVersion,
    signup: {
      allowed: signup.allowed,
      allowedForCurrentIP: signup.allowedForCurrentIP,
      minimumAge: config.signup.minimum_age,
      requiresApproval: config.signup.requires_approval,
      requiresEmailVerification: config.signup.requires_email_verification
    },
    transcoding: {
      remoteRunners: enabled(transcoding.remote_runners.enabled),
      hls: enabled(transcoding.enabled && transcoding.hls.enabled),
      web_videos: enabled(transcoding.enabled && transcoding.web_videos.enabled),
      enabledResolutions: transcoding.enabled ? enabledResolutions(transcoding.resolutions) : [],
      profile: "default",
      availableProfiles: ["default"]
    },
    live: live(config),
    videoStudio: noFeature,
    videoFile: { update: enabled(config.video_file.update.enabled) },
    videoTranscription: noFeature,
    import: {
      videos: { http: enabled(imports.videos.http.enabled), torrent: enabled(imports.videos.torrent.enabled) },
      videoChannelSynchronization: enabled(imports.video_channel_synchronization.enabled),
      users: enabled(imports.users.enabled)
    },
    export: {
      users: {
        enabled: exports.users.enabled,
        exportExpiration: millis(exports.users.export_expiration),
        maxUserVideoQuota: exports.users.max_user_video_quota
      }
    },
    autoBlacklist: { videos: { ofUsers: enabled(config.auto_blacklist.videos.of_users.enabled) } },
    avatar: { ...limits.actorImage, extensions: limits.actorImage.file.extensions },
    banner: limits.actorImage,
    logo: limits.logo,
    video: limits.video,
    videoCaption: limits.caption,
    user: { videoQuota: config.user.video_quota, videoQuotaDaily: config.user.video_quota_daily },
    videoChannels: { maxPerUser: config.video_channels.max_per_user },
    trending: {
      videos: {
        intervalDays: config.trending.videos.interval_days,
        algorithms: {
          enabled: config.trending.videos.algorithms.enabled,
          default: config.trending.videos.algorithms.default
        }
      }
    },
    tracker: enabled(config.tracker.enabled),
    followings: { instance: { autoFollowIndex: { indexUrl: "" } } },
    federation: enabled(config.federation.enabled),
    broadcastMessage: {
      enabled: config.broadcast_message.enabled,
      message: config.broadcast_message.message,
      level: config.broadcast_message.level,
      dismissable: config.broadcast_message.dismissable
    },
    homepage: enabled(hasHomepage),
    openTelemetry: {
      metrics: {
        enabled: config.open_telemetry.metrics.enabled,
        playbackStatsInterval: millis(config.open_telemetry.metrics.playback_stats_interval)
      }
    },
    views: { views: { watchingInterval }, videos: { watchingInterval } },
    storyboards: {
      enabled: config.storyboards.enabled,
      remoteRunners: enabled(transcoding.remote_runners.enabled && config.storyboards.remote_runners.enabled)
    },
    webrtc: { stunServers: [] },
    nsfwFlagsSettings: enabled(true),
    fieldsConstraints: {
      users: {
        password: { minLength: constraints.user.password.min, maxLength: constraints.user.password.max }
      }
    }
  }
}
