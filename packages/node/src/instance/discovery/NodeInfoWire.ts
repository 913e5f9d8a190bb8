import type { NodeInfo } from "@kinora/domain/wire/Discovery"
import { version as softwareVersion } from "@kinora/domain/Version"
import type { Usage } from "@kinora/storage/instance/installation/InstanceCounts"
import { s3Origins } from "../../platform/config/ObjectStorage.ts"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { fileLimits } from "../about/Limits.ts"
import { serverConfigWire } from "../about/ServerConfigWire.ts"
import type { SignupShown } from "../../people/registration/SignupPolicy.ts"

const nodeConfig = (config: Configuration) => {
  const shared = serverConfigWire(config)
  const limits = fileLimits(config)
  return {
    search: { remoteUri: shared.search.remoteUri },
    plugin: { registered: [] },
    theme: { registered: [], default: shared.theme.default },
    email: shared.email,
    contactForm: shared.contactForm,
    transcoding: {
      hls: shared.transcoding.hls,
      web_videos: shared.transcoding.web_videos,
      enabledResolutions: shared.transcoding.enabledResolutions
    },
    live: {
      enabled: shared.live.enabled,
      transcoding: {
        enabled: shared.live.transcoding.enabled,
        enabledResolutions: shared.live.transcoding.enabledResolutions
      }
    },
    import: { videos: shared.import.videos },
    autoBlacklist: shared.autoBlacklist,
    avatar: limits.actorImage,
    video: limits.video,
    videoCaption: limits.caption,
    user: shared.user,
    trending: { videos: { intervalDays: shared.trending.videos.intervalDays } },
    tracker: shared.tracker
  }
}

/**
 * The NodeInfo document of either version (contract: activitypub.json, "nodeinfo"); 2.1 requires nothing more of us.
 * Registrations count as open if anybody becomes a user without approval.
 */
export const nodeInfoWire = (
  version: NodeInfo["version"],
  config: Configuration,
  usage: Usage,
  signup: SignupShown
): NodeInfo => ({
  version,
  software: { name: "kinora", version: softwareVersion },
  // The NodeInfo schema requires at least one, even if federation is off.
  protocols: ["activitypub"],
  services: { inbound: [], outbound: ["atom1.0", "rss2.0"] },
  openRegistrations: signup.allowed && !config.signup.requires_approval,
  usage: {
    users: { total: usage.users, activeMonth: usage.activeMonth, activeHalfyear: usage.activeHalfyear },
    localPosts: usage.localPosts,
    localComments: usage.localComments
  },
  metadata: {
    taxonomy: { postsName: "Videos" },
    nodeName: config.instance.name,
    nodeDescription: config.instance.short_description,
    nodeConfig: nodeConfig(config),
    mediaOrigins: s3Origins(config.object_storage)
  }
})
