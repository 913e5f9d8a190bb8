import type { ConfigTree } from "../../platform/config/Keys.ts"

/** Combinations of settings that no instance can run with: by name of a setting, why it is refused. */
export const brokenRules = (tree: ConfigTree, canSendMail: boolean): Readonly<Record<string, string>> => {
  const broken: Record<string, string> = {}
  const { instance, signup, transcoding, trending } = tree
  if (instance.name.trim() === "") broken["instance.name"] = "Must not be empty"
  if (!/^[^\s@]+@[^\s@]+$/.test(tree.admin.email)) broken["admin.email"] = "Must be an email address"
  if (!instance.default_client_route.startsWith("/") || instance.default_client_route.startsWith("//")) {
    broken["instance.defaultClientRoute"] = "Must be a path of this instance, such as /videos/trending"
  }
  if (transcoding.enabled && !transcoding.web_videos.enabled && !transcoding.hls.enabled) {
    broken["transcoding.hls.enabled"] = "At least one of HLS and web videos must be on: there would be nothing to play"
  }
  const { algorithms } = trending.videos
  if (!algorithms.enabled.includes(algorithms.default)) {
    broken["trending.videos.algorithms.default"] = `Must be one of the enabled ones: ${algorithms.enabled.join(", ")}`
  }
  if (signup.enabled && signup.requires_email_verification && !canSendMail) {
    broken["signup.requiresEmailVerification"] = "This instance cannot send mail (smtp): nobody could register"
  }
  return broken
}
