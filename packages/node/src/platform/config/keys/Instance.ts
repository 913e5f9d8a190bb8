import { playerThemes } from "@kinora/domain/enums/PlayerTheme"
import { key } from "../kinds/Key.ts"
import { boolean, integer, nullable, oneOf, text, url } from "../kinds/Kind.ts"
import { list } from "../kinds/KindLists.ts"
import { duration, durationOrForever, sizeOrUnlimited } from "../kinds/KindQuantities.ts"

/** What the instance is, and what its users may do. */
export const instance = {
  instance: {
    name: key(text, "Kinora", "Name of the instance"),
    short_description: key(text, "A place for videos", "One line about the instance"),
    description: key(text, "Welcome to this instance!", "About the instance, in Markdown"),
    terms: key(text, "No terms for now.", "Terms, in Markdown"),
    code_of_conduct: key(text, "", "Code of conduct, in Markdown"),
    moderation_information: key(text, "", "Who moderates and how, in Markdown"),
    creation_reason: key(text, "", "Why the instance was made, in Markdown"),
    administrator: key(text, "", "Who runs the instance, in Markdown"),
    maintenance_lifetime: key(text, "", "How long the instance is meant to run, in Markdown"),
    business_model: key(text, "", "How the instance is paid for, in Markdown"),
    hardware_information: key(text, "", "What the instance runs on, in Markdown"),
    languages: key(nullable(list(text)), null, "Languages of the instance, by code"),
    categories: key(nullable(list(integer(1))), null, "Categories of the instance, by number"),
    default_language: key(
      text,
      "en",
      "Language of the instance's own texts, by code, and of pages where a browser asks for none that they are written in"
    ),
    server_country: key(text, "", "Country whose law holds for the instance"),
    support: { text: key(text, "", "How to support the instance, in Markdown") },
    social: {
      external_link: key(url, "", "Address of another page of the instance"),
      mastodon_link: key(url, "", "Address of the instance's Mastodon account"),
      bluesky_link: key(url, "", "Address of the instance's Bluesky account"),
      x_link: key(url, "", "Address of the instance's X account")
    },
    default_client_route: key(text, "/videos/trending", "Page shown first"),
    is_nsfw: key(boolean, false, "Whether the instance is made for sensitive videos"),
    default_nsfw_policy: key(
      oneOf(["do_not_list", "warn", "blur", "display"]),
      "do_not_list",
      "What is done with sensitive videos unless the user chooses otherwise"
    ),
    customizations: {
      javascript: key(text, "", "JavaScript added to every page"),
      css: key(text, "", "CSS added to every page")
    },
    robots: key(text, "User-agent: *\nDisallow:\n", "Content of /robots.txt"),
    securitytxt: key(text, "", "Content of /.well-known/security.txt")
  },
  admin: { email: key(text, "admin@example.com", "Mail address of the administrator") },
  contact_form: { enabled: key(boolean, true, "Whether visitors can write to the administrator") },
  defaults: {
    publish: {
      download_enabled: key(boolean, true, "Whether new videos can be downloaded"),
      comments_policy: key(integer(1, 3), 1, "Comments on new videos (1 enabled, 2 disabled, 3 with approval)"),
      privacy: key(integer(1, 4), 1, "Privacy of new videos (1 public, 2 unlisted, 3 private, 4 internal)"),
      licence: key(nullable(integer(1)), null, "Licence of new videos, by number")
    },
    p2p: {
      webapp: { enabled: key(boolean, true, "Whether the watch page shares with other viewers") },
      embed: { enabled: key(boolean, true, "Whether embeds share with other viewers") }
    },
    live: { save_replay: key(boolean, false, "Whether new lives are kept as videos") },
    player: {
      theme: key(oneOf(playerThemes), "galaxy", "Look of the player where a channel or video chooses none"),
      auto_play: key(boolean, true, "Whether the watch page plays at once")
    }
  },
  video_comments: {
    accept_remote_comments: key(boolean, true, "Whether users of other instances may comment here")
  },
  trending: {
    videos: {
      interval_days: key(integer(1, 365), 7, "Days that count for trends"),
      algorithms: {
        enabled: key(
          list(oneOf(["best", "hot", "most-viewed", "most-liked"])),
          ["hot", "most-viewed", "most-liked"],
          "Orders offered for trends"
        ),
        default: key(oneOf(["best", "hot", "most-viewed", "most-liked"]), "most-viewed", "Order shown first")
      }
    }
  },
  history: { videos: { max_age: key(durationOrForever, -1, "How long the watch history is kept") } },
  views: {
    videos: {
      remote: { max_age: key(durationOrForever, "30 days", "How long views of remote videos are kept") },
      local_buffer_update_interval: key(duration, "30 minutes", "Time between two writes of counted views"),
      view_expiration: key(duration, "1 hour", "Time in which one viewer counts once"),
      count_view_after: key(duration, "10 seconds", "Watching time that counts as a view"),
      trust_viewer_session_id: key(boolean, true, "Whether viewers are told apart by session, not by address"),
      watching_interval: {
        anonymous: key(duration, "5 seconds", "How often anonymous players report"),
        users: key(duration, "5 seconds", "How often players of users report")
      }
    }
  },
  user: {
    history: { videos: { enabled: key(boolean, true, "Whether new users have a watch history") } },
    video_quota: key(sizeOrUnlimited, -1, "Bytes a new user may hold"),
    video_quota_daily: key(sizeOrUnlimited, -1, "Bytes a new user may upload in a day"),
    default_channel_name: key(text, "Main $1 channel", "Name of a new user's channel; $1 is the user name"),
    allow_cross_provider_auth: key(boolean, false, "Whether a user may log in through several providers")
  },
  accounts: { public_list: key(boolean, true, "Whether anybody may list all accounts; false: only moderators") },
  video_channels: { max_per_user: key(integer(1), 20, "Channels of one user") },
  auto_blacklist: {
    videos: { of_users: { enabled: key(boolean, false, "Whether new videos wait for a moderator") } }
  }
} as const
